import SKANDevice
import Testing

@testable import SKANHTTP
@testable import SKANTraffic

@Suite("Entries found in a HAR")
struct HARScannerTests {
  /// The entries as texts, and the scanner at the end.
  private func scan(_ text: String, step: Int) -> (entries: [String], scanner: HARScanner) {
    var scanner = HARScanner()
    var entries: [String] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      Array(bytes[start..<min(bytes.count, start + step)]).withUnsafeBufferPointer {
        scanner.scan($0) { entry, line in
          entries.append("\(line): \(entry.map { String(decoding: $0, as: UTF8.self) } ?? "too long")")
        }
      }
    }
    return (entries, scanner)
  }

  @Test(
    "Wherever a chunk ends",
    arguments: [
      (#"{"log":{"entries":[{"a":1},{"b":"}{\\\"]"}]}}"#, [#"1: {"a":1}"#, #"1: {"b":"}{\\\"]"}"#]),
      (
        "{\n\"x\":[{\"entries\":[{}]}],\"log\":{\"pages\":[{}],\n\"entries\":[\n{\"c\":[{}]}\n],\"entries2\":[{}]}}",
        ["4: {\"c\":[{}]}"]
      ),
      (#"{"entries":[{}],"log":{"a":"entries","b":{"entries":[{}]},"entries":[{"d":"\\"}]}}"#, [#"1: {"d":"\\"}"#]),
      (#"{"log":{"entries":[]}}"#, []),
    ])
  func chunks(_ text: String, _ entries: [String]) {
    for step in 1...text.utf8.count {
      let found = scan(text, step: step)
      #expect(found.entries == entries, "\(step)")
      #expect(found.scanner.stage == .afterRoot)
      #expect(found.scanner.hasEntries)
    }
  }

  @Test("Long texts are left out, whatever stands behind them")
  func longTexts() {
    let long = String(repeating: "x\\\"", count: HARScanner.longestText)
    let found = scan(#"{"log":{"entries":[{"a":""# + long + #"","b":"c"},{"d":"e"}]}}"#, step: 1 << 18)
    #expect(found.entries == [#"1: {"a":"","b":"c"}"#, #"1: {"d":"e"}"#])
  }

}
