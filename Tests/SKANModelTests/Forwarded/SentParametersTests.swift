import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("The parameters of a request as they were sent")
struct SentParametersTests {
  @Test("Each keeps its index, its bytes and its decoded value") func eachKeeps() throws {
    let sent = try #require(SentParameters(Array("n=a+b%2Bc&x&n=&%69=1".utf8)))
    #expect(
      sent.items == [
        .init(name: "n", raw: "a+b%2Bc", value: "a b+c"), .init(name: "x", raw: nil, value: nil),
        .init(name: "n", raw: "", value: ""),
        .init(name: "i", raw: "1", value: "1"),
      ])
    #expect(sent["n"] == "" && sent["x"] == nil && sent["i"] == "1" && sent["N"] == nil)
  }

  @Test("A form follows the query") func formFollows() throws {
    let sent = try #require(SentParameters(query: "a=1&b=2", form: Array("b=3&c=4".utf8)))
    #expect(sent.items.map(\.name) == ["a", "b", "b", "c"])
    #expect(sent["b"] == "3")
    #expect(SentParameters(query: nil)?.items == [])
    let known = try #require(SentParameters(query: "n=a+b&i=x&v=1", form: Array("n=c%20d&i&z=%26".utf8)))
    #expect(known["n"] == "c d" && known.raw("n") == "c%20d" && known["i"] == "x" && known["v"] == "1")
    #expect(known["z"] == "&" && known.raw("z") == "%26")
  }

  /// Whether each character may stand as it is, and how it is escaped else.
  private static func encoded(_ text: String, _ generator: inout SplitMix64) -> String {
    let isUpper = Bool.random(using: &generator)
    return text.utf8.map { byte in
      if byte == UInt8(ascii: " "), Bool.random(using: &generator) { return "+" }
      let isPlain = byte.isASCIILetterOrDigit || "_-/".utf8.contains(byte)
      if isPlain, Int.random(in: 0..<8, using: &generator) > 0 { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: isUpper)
      return "%\(digits.count == 1 ? "0" : "")\(digits)"
    }.joined()
  }

  @Test("Of any query and form: the items, the last value of each name, and the object of a journal") func anyQuery()
    throws
  {
    let names = [
      "n", "i", "a", "v", "p0_coarse", "idfv", "custom_user_id", "utime", "zz", "Z", "ä b", "x-/", "", "sdk_key",
    ]
    let values = ["", "1", "a b", "k=v", "t:u", "\"q\"", "\\", "ä", "\u{1F}", "\u{7F}", "x&y%", #"{"a":"K"}"#, "a=K"]
    var generator = SplitMix64(seed: 3)
    for _ in Rounds.of(150) {
      let items = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        let name = names.randomElement(using: &generator) ?? ""
        let value = Bool.random(using: &generator) || name.isEmpty ? values.randomElement(using: &generator) : nil
        return SentParameters.Item(
          name: name, raw: value.map { Self.encoded($0, &generator) }, value: value)
      }
      let texts = items.map { "\(Self.encoded($0.name, &generator))\($0.raw.map { "=\($0)" } ?? "")" }
      let cut = Int.random(in: 0...texts.count, using: &generator)
      let separators = ["&", "&&"]
      let (query, form) = (
        texts[..<cut].joined(separator: separators.randomElement(using: &generator) ?? "&"),
        texts[cut...].joined(separator: separators.randomElement(using: &generator) ?? "&")
      )
      let sent = try #require(SentParameters(query: query, form: Array(form.utf8)))
      #expect(sent.items == items, "\(query) \(form)")
      var expected: [(key: String, value: JSON)] = []
      for name in names {
        let last = items.last { $0.name == name && $0.value != nil }
        #expect(sent[name] == last?.value && sent.raw(name) == last?.raw, "\(name) in \(query) \(form)")
        guard let value = last?.value else { continue }
        let isSecret = ["a", "sdk_key"].contains(name)
        expected.append((name, .string(isSecret ? SecretParameter.mark : SecretParameter.redacted(text: value))))
      }
      expected.sort { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      var writer = JSONWriter()
      sent.writeRedacted(to: &writer)
      guard case .object(let written) = try JSONReader.read(writer.bytes).value else {
        Issue.record("no object")
        continue
      }
      #expect(written.map(\.key) == expected.map(\.key) && JSON.object(written) == .object(expected))
      let last = items.reduce(into: [String: String]()) { $0[$1.name] = $1.value }
      let complete = expected.filter { key, _ in last[key] != nil }
      guard case .object(let members) = sent.redactedJSON else {
        Issue.record("no object")
        continue
      }
      #expect(JSON.object(members.filter { $0.value != .null }) == .object(complete))
      #expect(members.map(\.key) == Set(items.map(\.name)).sorted { $0.literallyPrecedes($1) })
    }
  }

  @Test("What cannot be decoded is nothing", arguments: ["n=%", "n=%4G", "%ff=1", "a=1&n=%C3"])
  func broken(text: String) { #expect(SentParameters(Array(text.utf8)) == nil) }

  @Test(
    "A secret is found whatever its spelling and its escapes",
    arguments: [
      ("a=k&n=x", ["k"], "a=REDACTED&n=x"), ("A%5B%5D=k%20l", ["k l"], "A%5B%5D=REDACTED"),
      ("sdk_key=k&a=", ["k"], "sdk_key=REDACTED&a="), ("a=REDACTED&a", [], "a=REDACTED&a"),
      // Within a value, which is encoded again, and within a name.
      ("e=%7B%22sdk_key%22:%22k%22%7D&n=x", ["k"], "e=%7B%22sdk_key%22%3A%22REDACTED%22%7D&n=x"),
      ("e={\"sdk_key\":k}", ["k"], "e=%7B%22sdk_key%22%3AREDACTED%7D"), ("x;a=k&y", ["k"], "x;a=REDACTED&y"),
      ("u=http://h/?a%3Dk%26b%3Dc", ["k"], "u=http%3A%2F%2Fh%2F%3Fa%3DREDACTED%26b%3Dc"),
      ("%7B%22a%22:%22k%22%7D", ["k"], "%7B%22a%22%3A%22REDACTED%22%7D"),
      ("e=%7B%22b%22:1%7D", [], "e=%7B%22b%22:1%7D"),
      // What cannot be decoded is compared as it is.
      ("a=%zz&n=%zz", ["%zz"], "a=REDACTED&n=%zz"), ("%zz=k", [], "%zz=k"),
    ])
  func secrets(query: String, values: [String], redacted: String) {
    #expect(SecretParameter.values(in: query) == values)
    #expect(SecretParameter.redacted(query) == redacted)
  }
}
