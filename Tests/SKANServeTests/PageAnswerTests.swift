import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANServe

@Suite("The live page: an answer as it is shown")
struct PageAnswerTests {
  @Test(
    "Lines are lines, and other hidden characters are escaped",
    arguments: [
      ("", ""), ("{}", "{}"), (" [ ] ", "[]"),
      ("not\r\nJSON\n\tat \u{1B}[2J all\u{202E}", "not\nJSON\n\\tat \\u001b[2J all\\u202e"),
      (
        #"{"a": 1.10,"a":12345678901234567890123 ,"b":[true,{"c":[]}]}"#,
        "{\n  \"a\": 1.10,\n  \"a\": 12345678901234567890123,\n  \"b\": [\n    true,\n    {\n      \"c\": []\n    }\n  ]\n}"
      ),
      (
        #"{"reason":"a\"b{,}\\","x":"\#u{9B}\#u{E0041}\n"}"#,
        "{\n  \"reason\": \"a\\\"b{,}\\\\\",\n  \"x\": \"\\u009b\\udb40\\udc41\\n\"\n}"
      ), (#""a: b, {c}""#, #""a: b, {c}""#), ("{broken", "{broken"),
    ])
  func linesLines(answer: String, shown: String) {
    #expect(PageRequest.shown(answer) == shown)
  }

  @Test("Deep and long answers stay within a bound") func deepLong() {
    let deep =
      String(repeating: "[", count: 400) + "1" + String(repeating: ",1", count: 20_000)
      + String(repeating: "]", count: 400)
    #expect(PageRequest.shown(deep).utf8.count < 64 * deep.utf8.count)
    let long = "[\(String(repeating: "1,", count: 40_000))1]"
    #expect(PageRequest.shown(long) == long)
  }
}
