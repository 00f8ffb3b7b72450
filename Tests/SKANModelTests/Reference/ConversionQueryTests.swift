import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Reading a query")
struct ConversionQueryTests {
  @Test(
    "Decoding",
    arguments: [
      ("", [:]), ("n=a", ["n": "a"]), ("n=a+b", ["n": "a b"]), ("n=a%2Bb", ["n": "a+b"]), ("n=a%20b", ["n": "a b"]),
      ("n=%7B%22USD%22%3a1%7d", ["n": #"{"USD":1}"#]), ("n=%C3%A4", ["n": "ä"]), ("n=ä", ["n": "ä"]),
      ("n=", ["n": ""]), ("n", [:]), ("n=1&n=2", ["n": "2"]), ("n=1&n", ["n": "1"]), ("n=1&n=", ["n": ""]),
      ("&&n=1&", ["n": "1"]), ("n=x=b", ["n": "x=b"]), ("n=a=b", ["n": "a=REDACTED"]), ("=x", ["": "x"]),
      ("%6E=1", ["n": "1"]),
      ("x=1&x=2&p0_coarse=1&b=3", ["x": "2", "p0_coarse": "1", "b": "3"]), ("a+b=1", ["a b": "1"]),
      ("n=1&N=2", ["n": "1", "N": "2"]), ("n=%00", ["n": "\0"]), ("n=?/;:@", ["n": "?/;:@"]),
    ] as [(String, [String: String])])
  func decoding(text: String, values: [String: String]) throws {
    let query = try #require(ConversionQuery(text, api: .v2))
    var line = JSONWriter()
    query.sent.writeRedacted(to: &line)
    let members = values.map { (key: $0.key, value: JSON.string($0.value)) }
    #expect(try JSONReader.read(line.bytes).value == .object(members))
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

  @Test("What is remembered of an identifier has an end")
  func longIdentifiers() throws {
    let long = String(repeating: "x", count: ConversionQuery.idLimit)
    func query(_ idfv: String) throws -> ConversionQuery {
      try #require(ConversionQuery("i=a&idfv=\(idfv)", api: .v2))
    }
    #expect(try query(long + "a").install == query(long + "b").install)
    #expect(try query(long).install != query(long.dropLast() + "y").install)
    #expect(try query(long + "a").idfv == long)
  }

  @Test(
    "The time that a request states is its last call, else its first",
    arguments: [
      ("skan_first_call_to_skadnetwork_timestamp=5&skan_last_call_to_skadnetwork_timestamp=7", EndpointAPI.v2, 7),
      ("skan_first_call_to_skadnetwork_timestamp=5&skan_last_call_to_skadnetwork_timestamp=0", .v2, 5),
      ("first_call_to_skadnetwork_timestamp=5&last_call_to_skadnetwork_timestamp=7", .v1, 7),
      ("first_call_to_skadnetwork_timestamp=5&last_call_to_skadnetwork_timestamp=x", .v1, 5),
      ("skan_first_call_to_skadnetwork_timestamp=5", .v1, nil), ("first_call_to_skadnetwork_timestamp=5", .v2, nil),
    ] as [(String, EndpointAPI, Int64?)])
  func statedTime(text: String, api: EndpointAPI, time: Int64?) {
    #expect(ConversionQuery(text, api: api)?.statedTime == time)
  }

  @Test("What a request says that the app kept, by either snippet's names")
  func reportedState() throws {
    let v1 = try #require(
      ConversionQuery(
        "conversion_value=7&total_revenue_by_currency=%7B%22USD%22:18446744073709551615%7D"
          + "&first_call_to_skadnetwork_timestamp=5&last_call_to_skadnetwork_timestamp=0&p0_coarse=2", api: .v1
      )?.reportedState)
    #expect(v1.skan3Value == 7 && v1.firstCall == 5 && v1.lastCall == nil && v1.coarseValue[.p0] == nil)
    #expect(v1.iapRevenue?["USD"] == Double(UInt64.max))
    let v2 = try #require(ConversionQuery("conversion_value=7&p0_coarse=2&p1_coarse=x", api: .v2)?.reportedState)
    #expect(v2.skan3Value == nil && v2.coarseValue[.p0]?.int64 == 2 && v2.coarseValue[.p1] == nil)
  }
}
