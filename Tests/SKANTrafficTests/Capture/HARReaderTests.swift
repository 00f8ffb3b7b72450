import SKANDevice
import Testing

@testable import SKANHTTP
@testable import SKANTraffic

@Suite("The end of a HAR")
struct HARReaderTests {
  private static let entry =
    #"{"startedDateTime":"2026-01-01T00:00:00Z","request":{"url":"https://s2s.singular.net/api/v1/launch?a=k"}}"#

  @Test(
    "A file that is not whole gives what it held, and says where it ends",
    arguments: [
      (
        "{\"log\":{\"entries\":[\n\(entry),\n\(entry.prefix(40))", 1,
        "0:3: the file ends within entry 2, which begins on line 3; the entry before it is read"
      ),
      ("{\"log\":{\"entries\":[\(entry),\(entry)", 2, "0:1: the file ends too early; the 2 entries before it are read"),
      ("{\"log\":{\"entries\":[\(entry)]}}\n}", 1, "0:2: this is not JSON from here on; the entry before it is read"),
      ("{\"log\":{\"version\":\"1.2\"}}", 0, "0:1: a HAR has \"log\" with \"entries\"; this file has none"),
    ])
  func ends(_ text: String, _ count: Int, _ problem: String) throws {
    for step in [1, 1000] {
      let captured = try Captured(text, step: step)
      #expect(captured.requests.count == count)
      #expect(captured.problems == [problem])
    }
  }

  @Test("Of very many problems the first are kept")
  func many() throws {
    let text = "{\"log\":{\"entries\":[\(Array(repeating: "{}", count: 150).joined(separator: ","))]}}"
    let tally = try Captured(text).tally
    #expect(tally.problems.count == 100)
    #expect(tally.moreProblems == 50)
  }
}
