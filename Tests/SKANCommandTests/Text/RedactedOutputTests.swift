import Foundation
import SKANBase
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The SDK key in all outputs")
struct RedactedOutputTests {
  private static let key = #"Zq7%2Fx/y+z=w&v"u"#

  @Test(
    "In no output, report, recording or device file, whatever an endpoint makes of the query",
    arguments: [
      #"Zq7%2Fx/y+z=w&v"u"#,
      #"Zq7%252Fx%2Fy%2Bz%3Dw%26v%22u"#,
      #"Zq7%25252Fx%252Fy%252Bz%253Dw%2526v%2522u"#,
      #"%255A%2571%2537%2525%2532%2546%2578%252F%2579%252B%257A%253D%2577%2526%2576%2522%2575"#,
      #"Zq7%2Fx&sol;y+z=w&amp;v&quot;u"#,
      #"Zq7%2Fx/y+z=w&v\\\"u"#,
      #"\u005a\u0071\u0037\u0025\u0032\u0046\u0078\u002f\u0079\u002b\u007a\u003d\u0077\u0026\u0076\u0022\u0075"#,
      #"Zq7/x/y+z=w&v"u"#,
    ])
  func everywhere(spelling: String) throws {
    let world = World.registered()
    let base64 = Data("key=\(spelling)&".utf8).base64EncodedString()
    world.set {
      $0.variables["SKAN_SDK_KEY"] = " \(Self.key)\t\n"
      $0.network = { url, _ in
        #expect(url.contains("?a=Zq7%252Fx/y+z%3Dw%26v%22u&"))
        let reason = JSONWriter.quoted("bad \(spelling) \(base64) \(url)")
        return .success(
          HTTPExchange(
            HTTPResponse(
              status: 400, headers: [HTTPField("X-Query", spelling)],
              body: Array(#"{"status":"error","reason":\#(reason),"conversion_value":\#(reason)}"#.utf8)), url: url))
      }
    }
    let line = #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{"answer":null}}"# + "\n"
    world["a.jsonl"] = line
    var texts: [String] = []
    for command in [
      "session -v", "session --json", "event x --expect answer.text=x",
      "replay a.jsonl -v --report-junit j.xml --report-tap t.tap --report-json r.json",
      "replay a.jsonl --record r.jsonl",
      "timeline",
    ] {
      let remote = command == "timeline" ? "" : " --endpoint http://h"
      let run = world.run(command + remote)
      texts += [run.out, run.err]
    }
    texts += [Changes.state, "j.xml", "t.tap", "r.json", "r.jsonl"].compactMap { world[$0] }
    #expect(texts.count >= 15)
    let secrets = [
      "Zq7", "q7%25", "y+z", "w&v", String(spelling.dropFirst(2).prefix(9)), String(base64.dropFirst(8).prefix(8)),
    ]
    for text in texts {
      for secret in secrets { #expect(!text.contains(secret), "\(secret): \(text)") }
    }
  }
}
