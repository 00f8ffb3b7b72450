import Testing

@testable import SKANTraffic

@Suite("What a file is that is no capture")
struct CaptureFormatTests {
  @Test(
    "It is said",
    arguments: [
      ("", "the file is empty"), (" \n", "the file is empty"),
      (#"{"op":"register"}"#, "this is an event list; 'skan replay' runs it"),
      (#"{"a":1}"#, "this is neither a HAR, which has \"log\", nor a line of a journal of 'skan serve'"),
      ("[{\"host\":\"x\"}]", "this is a JSON array, such as Charles's own format; export the session as HAR"),
      (
        "hello",
        "this is no capture: a HAR, a journal of 'skan serve', one URL a line, or an access log (combined, ALB, CloudFront)"
      ),
    ])
  func texts(_ text: String, _ message: String) throws {
    #expect(try Captured(text).problems == ["0:1: \(message)"])
  }

  @Test(
    "Packed files are named", arguments: [[0x1F, 0x8B, 8], [0x50, 0x4B, 3, 4], [0x78, 0x9C], [0xFF, 0xFE, 0x7B]])
  func packed(_ bytes: [UInt8]) throws {
    #expect(try Captured(bytes).tally.problems.first?.message.hasPrefix("this is") == true)
    #expect(try Captured(bytes).tally.problems.first?.message.hasPrefix("this is no capture") == false)
  }

  @Test("A byte order mark and line ends of two characters change nothing")
  func marks() throws {
    let url = "https://s2s.singular.net/api/v1/launch?a=k"
    #expect(try Captured("\u{FEFF}\(url)\r\n\r\n\(url)\r\n").requests.map(\.request.target.text) == [url, url])
    #expect(try Captured("\u{FEFF}" + har()).requests.count == 1)
  }
}
