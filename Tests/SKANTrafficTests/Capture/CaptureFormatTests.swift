import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("What a file is that is no capture")
struct CaptureFormatTests {
  @Test(
    "It is said",
    arguments: [
      ("", "the file is empty"), (" \n", "the file is empty"),
      (#"{"op":"register"}"#, "this is an event list; 'skan replay' runs it"),
      (
        #"{"a":1}"#,
        "this is neither a HAR, which has \"log\", nor a line of a journal of 'skan serve', nor a log whose members are "
          + "known; for another log, name its members, as in --fields time=ts,method=verb,url=uri,status=code"
      ),
      ("[{\"host\":\"x\"}]", "this is a JSON array, such as Charles's own format; export the session as HAR"),
      (
        "hello",
        "this is no capture: a HAR, a journal of 'skan serve', one URL per line, or an access log (combined, ALB, "
          + "CloudFront, W3C, or JSON on each line)"
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

  @Test(
    "A dump of mitmproxy's flows is named",
    arguments: [
      ("2284:9:websocket;0:~8:response;724:6:reason;9:Not Found,", true), ("941:4:type;4:http;", true),
      ("12:30:52 started", false), ("2284:websocket;0:~", false), ("2284:9:=;", false), ("2284:9", false),
    ])
  func flows(_ text: String, _ isDump: Bool) throws {
    let message = try #require(try Captured(text).problems.first)
    #expect(
      message.contains("mitmdump -nr FILE --set hardump=FILE.har") == isDump
        && message.hasPrefix("0:1: this is no capture") != isDump, "\(message)")
  }

  @Test("A byte order mark and line ends of two characters change nothing")
  func marks() throws {
    let url = "https://s2s.singular.net/api/v1/launch?a=k"
    #expect(try Captured("\u{FEFF}\(url)\r\n\r\n\(url)\r\n").requests.map(\.request.target.text) == [url, url])
    #expect(try Captured("\u{FEFF}" + har()).requests.count == 1)
  }
}
