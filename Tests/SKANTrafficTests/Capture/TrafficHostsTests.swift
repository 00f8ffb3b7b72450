import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("Whose a request is")
struct TrafficHostsTests {
  private static let hosts: TrafficHosts = {
    var hosts = TrafficHosts()
    hosts.add("Proxy.example", as: .s2s)
    hosts.add("both.example:8443", as: .s2s)
    hosts.add("both.example:8443", as: .singular)
    return hosts
  }()

  @Test(
    "By host and path",
    arguments: [
      (
        "https://sdk-api-v1.singular.net/api/v2/conversion_value",
        TrafficHosts.Destination.endpoint(.conversionValue(.v2))
      ),
      ("https://SDK-API-v1.singular.net:443/api/v1/conversion_value", .endpoint(.conversionValue(.v1))),
      ("https://skadnetwork-testing.singular.net/api/v1/conversion_value", .endpoint(.conversionValue(.v1))),
      ("https://s2s.singular.net/api/v1/launch", .endpoint(.launch)),
      ("https://s2s.singular.net/api/v1/evt", .endpoint(.event(.v1))),
      ("https://s2s.singular.net/api/v2/evt", .endpoint(.event(.v2))),
      ("https://s2s.singular.net/api/v2/launch", .otherPath),
      ("https://s2s.singular.net/x/api/v1/evt", .otherPath),
      ("https://s2s.singular.net/api/v1/conversion_value", .otherPath),
      ("http://localhost:8787/api/v1/launch", .endpoint(.launch)),
      ("http://127.0.0.1/api/v1/evt", .endpoint(.event(.v1))),
      ("http://[::1]:1/testing/api/v1/conversion_value", .endpoint(.conversionValue(.v1))),
      ("http://127.0.0.1/journal", .otherPath),
      ("https://proxy.example:9000/s/api/v1/launch", .endpoint(.launch)),
      ("https://proxy.example/api/v2/conversion_value", .otherPath),
      ("https://both.example:8443/api/v2/conversion_value", .endpoint(.conversionValue(.v2))),
      ("https://both.example/api/v2/conversion_value", .otherHost), ("https://127.evil.example/api/v1/evt", .otherHost),
      ("/api/v1/evt", .endpoint(.event(.v1))), ("https://s2s.singular.net.evil.example/api/v1/evt", .otherHost),
    ])
  func destinations(_ url: String, _ destination: TrafficHosts.Destination) {
    #expect(Self.hosts.destination(of: HTTPTarget(url)) == destination)
  }
}
