import Foundation
import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

@Suite("Encodings of exports")
struct ExportEncodingTests {
  private static let rows =
    Array("device,time,name\na,1767225600,x\nb,1767225600,caf".utf8) + [0xE9, 0x80] + Array(",y\n".utf8)

  private func blocks(_ source: ByteSource) throws -> ExportBlocks? {
    guard case .rows(let blocks) = try ExportInput.open(source, file: "", index: 0, blockSize: 64) else { return nil }
    return blocks
  }

  @Test("Latin-1 is refused by its line, and read where it is asked for") func latin1() throws {
    let blocks = try #require(try self.blocks(ByteSource(Self.rows)))
    #expect(throws: ExportFailure.content(line: 3, message: ExportBlocks.notUTF8)) { while try blocks.next() != nil {} }
    let header = Array("devic".utf8) + [0xE9] + Array(",time\n".utf8)
    #expect(throws: ExportFailure.content(line: 1, message: ExportBlocks.notUTF8)) {
      try self.blocks(ByteSource(header))
    }
    for text in ["", "a", "caf\u{E9}\u{20AC}", String(repeating: "\u{E9}", count: 70_000)] {
      let bytes = text.unicodeScalars.map { $0.value == 0x20AC ? 0x80 : UInt8($0.value) }
      let decoded = ByteSource(bytes).decodingLatin1
      var read: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
      defer { buffer.deallocate() }
      while case let count = try decoded.read(buffer), count > 0 { read += buffer[..<count] }
      #expect(read == Array(text.utf8))
    }
  }

  @Test("UTF-8 beyond ASCII is read whole, wherever a block ends") func utf8Beyond() throws {
    let rows = (0..<50).map { "d\($0),1767225600,\u{E9}t\u{E9} \u{1F600}\n" }.joined()
    for size in [64, 100, 1 << 20] {
      #expect(try ExportText("device,time,name\n\(rows)", blockSize: size).rows.count == 50)
    }
  }

  @Test(
    "Excel's first line names the separator",
    arguments: [
      ("sep=;\ndevice;time;name\na;1767225600;x,y\n", "a | 2026-01-01T00:00:00Z | event | x,y"),
      ("\u{FEFF}SEP=^\r\ndevice^time^name\r\na^1767225600^x;y\r\n", "a | 2026-01-01T00:00:00Z | event | x;y"),
      ("\"sep=,\"\ndevice,time,name\na,1767225600,x\n", "a | 2026-01-01T00:00:00Z | event | x"),
    ])
  func separators(text: String, row: String) throws {
    #expect(try ExportText(text).rows == [row])
    // The places of rows count the line.
    let place = try ExportText(text.replacing("1767225600", with: "never")).tally.places
    #expect(place.map(\.line) == [3])
  }

  @Test("Column names differ in letter case only where two columns do") func columnNames() throws {
    let mapping = try ExportMapping(
      Array(#"{"format":1,"device":"Device","time":"TS","name":"name"}"#.utf8), file: "m.json")
    #expect(try ExportText("DEVICE,ts,Name\na,1767225600,x\n", mapping).rows.count == 1)
    #expect(try ExportText("DEVICE,Device,ts,Name\nb,a,1767225600,x\n", mapping).rows.first?.hasPrefix("a | ") == true)
    func problems(_ header: String) throws -> [String] {
      try ExportText("\(header)\n").layout.map { mapping.problems(with: $0) } ?? []
    }
    #expect(try problems("DEVICE,ts,Name") == [])
    #expect(
      try problems("DEVICE,device,ts,Name") == ["the column \"Device\" is there twice: which one counts is not known"])
    #expect(try problems("DEVICE,Device,ts,Name") == [])
    let lines = #"{"DEVICE":"a","TS":1767225600,"NAME":"x"}"# + "\n"
    #expect(try ExportText(lines, mapping).rows.count == 1)
    let paths = #"{"EVENT":"x","PROPERTIES":{"time":1767225600,"distinct_id":"a"}}"# + "\n"
    #expect(try ExportText(paths).rows == ["a | 2026-01-01T00:00:00Z | event | x"])
  }
}
