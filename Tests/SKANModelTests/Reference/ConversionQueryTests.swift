import SKANJSON
import SKANText
import Testing

@testable import SKANModel

@Suite("Reading a query")
struct ConversionQueryTests {
  @Test(
    "Decoding",
    arguments: [
      ("", [:]), ("n=a", ["n": "a"]), ("n=a+b", ["n": "a b"]), ("n=a%2Bb", ["n": "a+b"]), ("n=a%20b", ["n": "a b"]),
      ("n=%7B%22USD%22%3a1%7d", ["n": #"{"USD":1}"#]), ("n=%C3%A4", ["n": "ä"]), ("n=ä", ["n": "ä"]),
      ("n=", ["n": ""]), ("n", [:]), ("n=1&n=2", ["n": "2"]), ("n=1&n", ["n": "1"]), ("n=1&n=", ["n": ""]),
      ("&&n=1&", ["n": "1"]), ("n=a=b", ["n": "a=b"]), ("=x", ["": "x"]), ("%6E=1", ["n": "1"]),
      ("x=1&x=2&p0_coarse=1&b=3", ["x": "2", "p0_coarse": "1", "b": "3"]), ("a+b=1", ["a b": "1"]),
      ("n=1&N=2", ["n": "1", "N": "2"]), ("n=%00", ["n": "\0"]), ("n=?/;:@", ["n": "?/;:@"]),
    ] as [(String, [String: String])])
  func decoding(text: String, values: [String: String]) throws {
    let query = try #require(ConversionQuery(text, api: .v2))
    var written = ByteText()
    query.writeRedacted(to: &written)
    var line: [UInt8] = []
    written.append(to: &line)
    let members = values.map { (key: $0.key, value: JSON.string($0.value)) }
    #expect(try JSONReader.read(line).value == .object(members))
    #expect(ConversionQuery(text, api: .v1)?.api == .v1)
  }

  @Test(
    "Broken escapes and bytes that are no UTF-8",
    arguments: ["n=%", "n=%4", "n=%4G", "n=%G4", "n=%%41", "%=1", "n=%FF", "n=%C3", "ok=1&n=%zz", "%ff", "n=%ED%A0%80"])
  func broken(text: String) { #expect(ConversionQuery(text, api: .v2) == nil) }

  @Test(
    "An install is its app, its idfv, else idfa, and its first call",
    arguments: [
      ("i=a&idfv=b", "i=a&idfv=b&n=x", true), ("i=a&idfv=b", "i=a&idfv=c", false), ("i=a&idfv=b", "i=A&idfv=b", false),
      ("i=a&idfv=b", "i=b&idfv=a", false), ("i=a", "i=a&idfv=", true),
      ("i=a&idfa=b", "i=a&idfa=c", false), ("i=a&idfv=b&idfa=c", "i=a&idfv=b&idfa=d", true),
      ("i=a&skan_first_call_to_skadnetwork_timestamp=5", "i=a&skan_first_call_to_skadnetwork_timestamp=6", false),
      ("i=a&skan_first_call_to_skadnetwork_timestamp=5", "i=a", false),
    ])
  func install(first: String, second: String, isSame: Bool) throws {
    let installs = try [first, second].map { try #require(ConversionQuery($0, api: .v2)).install }
    #expect((installs[0] == installs[1]) == isSame)
  }
}
