import Testing

@testable import SKANModel

@Suite("The parameters of a request as they were sent")
struct SentParametersTests {
  @Test func `Each keeps its index, its bytes and its decoded value`() throws {
    let sent = try #require(SentParameters(Array("n=a+b%2Bc&x&n=&%69=1".utf8)))
    #expect(
      sent.items == [
        .init(name: "n", raw: "a+b%2Bc", value: "a b+c"), .init(name: "x", raw: nil, value: nil),
        .init(name: "n", raw: "", value: ""),
        .init(name: "i", raw: "1", value: "1"),
      ])
    #expect(sent["n"] == "" && sent["x"] == nil && sent["i"] == "1" && sent["N"] == nil)
  }

  @Test func `A form follows the query`() throws {
    let sent = try #require(SentParameters(query: "a=1&b=2", form: Array("b=3&c=4".utf8)))
    #expect(sent.items.map(\.name) == ["a", "b", "b", "c"])
    #expect(sent["b"] == "3")
    #expect(SentParameters(query: nil)?.items == [])
    let known = try #require(SentParameters(query: "n=a+b&i=x&v=1", form: Array("n=c%20d&i&z=%26".utf8)))
    #expect(known["n"] == "c d" && known.raw("n") == "c%20d" && known["i"] == "x" && known["v"] == "1")
    #expect(known["z"] == "&" && known.raw("z") == "%26")
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
