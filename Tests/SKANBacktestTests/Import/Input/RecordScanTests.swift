import Testing

@testable import SKANBacktest

@Suite("Where records end")
struct RecordScanTests {
  @Test(
    arguments: [
      ("a\nb", 2), ("a,\"b\nc", 0), ("x\na,\"b\nc\"\nd", 10), ("x\na,\"b\"", 2), ("a,b\"\nc", 5), ("a,\"b\"\"", 0),
      // Two quotes are one of the field, which goes on behind them.
      ("a,\"b\"\"\nc", 0), ("a,\"b\"\"\nc\"\n", 10), ("a,\"b\"\"\"\nc", 8), ("", 0),
    ])
  func end(text: String, end: Int) {
    let scan = Array(text.utf8).withUnsafeBufferPointer { RecordScan($0, separator: UInt8(ascii: ",")) }
    #expect(scan.end == end, "\(text)")
  }

  @Test func `Quotes mean nothing where there is no separator`() {
    let scan = { (text: String) in Array(text.utf8).withUnsafeBufferPointer { RecordScan($0, separator: nil).end } }
    #expect(scan("{\"a\n\"}") == 4)
    #expect(scan("{\"a\"}") == 0)
    #expect(RecordScan(UnsafeBufferPointer(start: nil, count: 0), separator: nil).end == 0)
    #expect(Array("\"a\nb".utf8).withUnsafeBufferPointer { RecordScan($0, separator: 0x2C).openQuote } == 0)
  }
}
