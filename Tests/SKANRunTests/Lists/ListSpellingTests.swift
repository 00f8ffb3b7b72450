import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Spellings of a list")
struct ListSpellingTests {
  /// Steps with each two-valued member in both of its values, and with texts beyond ASCII.
  private static let lines = [
    #"{"op":"device","ios":"18.4","idfv":null,"snippet":"skan4-beta","build":"development","clock":"developer"}"#,
    #"{"op":"device","device":"ö","ad":{"framework":"adattributionkit","interaction":"view","conversion":"redownload"}}"#,
    #"{"op":"device","device":"b","ad":{"framework":"adattributionkit","interaction":"click","conversion":"download"}}"#,
    #"{"op":"device","device":"c","ad":{"won":false,"redownload":true,"fidelity":0,"tier":0,"version":"2.0","campaign":1}}"#,
    #"{"op":"device","device":"d","ad":false,"settings":{"tier2-digits":4,"coarse-without":"keep"}}"#,
    #"{"op":"register","framework_error":10}"#, #"{"op":"details","after":"1h"}"#, #"{"op":"relaunch"}"#,
    #"{"op":"session","answer":{"json":{"conversion_value":5,"skan_updated_lock_window_value":true}}}"#,
    #"{"op":"event","name":"käufe \"€\" 𝄞","at":"+2d","answer":{"status":201,"text":"ö"}}"#,
    #"{"op":"event","name":"a/b","no_handler":true,"answer":{"error":"weg"},"device":"ö"}"#,
    #"{"op":"event","name":"a","answer":{"status":200,"json":{}},"expect":{"outcome":"server-error","handler":null}}"#,
    #"{"op":"revenue","amount":9.99,"currency":"USD","ad_monetization":true}"#,
    #"{"op":"revenue","amount":-1,"currency":null,"ad_monetization":false}"#,
    #"{"op":"revenue","amount":1e2,"currency":""}"#, #"{"op":"update","ios":"17.4.1","app_version":"ü"}"#,
    #"{"op":"aak-update","fine":0,"coarse":"high","lock":true,"types":["install"],"tag":"t"}"#,
    #"{"op":"aak-update","fine":63,"lock":false,"types":["reengagement","install"]}"#,
    #"{"op":"aak-reengage","url":"https://example.com/?a=b","eligible":false}"#,
    #"{"op":"aak-reengage","url":"https://example.com/","eligible":true,"tier":0,"country":"MT"}"#,
    #"{"op":"postbacks","tier":0}"#, #"{"op":"postbacks","tier":3,"label":"ende"}"#,
  ]

  private static func written(_ bytes: [UInt8]) throws -> [String] {
    try readAll(ListReader("list", ByteSource(bytes), ListReader.Options())).map { line in
      try line.step.map { StepWriter($0).line } ?? { throw SourceProblems(line.problems.map(\.problem)) }()
    }
  }

  @Test("A list in every spelling of its lines and of their JSON", arguments: LineSpelling.allCases)
  func lists(lines spelling: LineSpelling) throws {
    let plain = try Self.written(Array(Self.lines.joined(separator: "\n").utf8))
    #expect(plain.count == Self.lines.count)
    for json in JSONSpelling.allCases where json != .byteOrderMark {
      let lines = Self.lines.map { json.apply($0).replacing("\r\n", with: " ").replacing("\n", with: " ") }
      let text = lines.map { "\($0)\n" }.joined()
      #expect(try Self.written(spelling.apply(text)) == plain, "\(json)")
      #expect(try Self.written(spelling.apply("\n \n\(text)\t\n")) == plain, "\(json)")
    }
  }
}
