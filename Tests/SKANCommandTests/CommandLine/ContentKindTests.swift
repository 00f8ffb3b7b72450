import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The kind of a file")
struct ContentKindTests {
  @Test("Every kind is recognized, also behind a byte order mark and where a file breaks off")
  func recognized() {
    #expect(Set(ContentSamples.all.map(\.kind)) == Set(ContentKind.allCases))
    for sample in ContentSamples.all {
      #expect(ContentKind(sample.bytes) == sample.kind, "\(sample.name)")
      if [.utf16, .gzip, .zip].contains(sample.kind) || sample.bytes.first == 0xEF { continue }
      #expect(ContentKind([0xEF, 0xBB, 0xBF] + sample.bytes) == sample.kind, "\(sample.name)")
      guard ContentKeys(sample.bytes[...]) != nil, sample.bytes.count > 1000 else { continue }
      #expect(ContentKind(Array(sample.bytes.dropLast(5))) == sample.kind, "\(sample.name)")
    }
  }

  @Test(
    "Other content is of no known kind",
    arguments: [
      "", " \n", "{", "{}", "[]", "5", "# only\n", "skan", "\"x\"", "{\"a\":1}", "{\"status\":5}", "a key of an app\n",
      "abc==\n",
      "one, two\nthree\n", "<html></html>", "-----BEGIN CERTIFICATE-----\n", "TAP version 14\n1..2\n",
      "{\"name\":{\"op\":1}}", "{\"a\":\"\\\"op\\\":1\"}", "| a | b |\n| - | - |\n", "{\"format\":\"png\",\"x\":1}",
    ])
  func other(text: String) { #expect(ContentKind(Array(text.utf8)) == nil) }

  @Test("Every kind is named, with a command or an option that takes it")
  func words() {
    for kind in ContentKind.allCases {
      let text = kind.text("FILE")
      #expect(text.hasPrefix("this is ") || text.hasPrefix("these are "))
      #expect(text.contains("FILE") && text.contains("'"), "\(text)")
    }
    #expect(Set(ContentKind.allCases.map { $0.text("") }).count == ContentKind.allCases.count)
  }
}
