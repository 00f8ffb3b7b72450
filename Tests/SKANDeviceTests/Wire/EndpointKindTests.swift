import SKANDevice
import Testing

@Suite("The kinds of requests that Singular's endpoints take")
struct EndpointKindTests {
  @Test(
    "A path, also behind a proxy's prefix",
    arguments: [
      ("/api/v1/conversion_value", .conversionValue(.v1)), ("/x/api/v2/conversion_value", .conversionValue(.v2)),
      ("/testing/api/v1/conversion_value", .conversionValue(.v1)), ("/api/v1/launch", .launch),
      ("/api/v1/evt", .event(.v1)), ("/api/v2/evt", .event(.v2)), ("/api/v2/launch", nil), ("/api/v1/evt/", nil),
      ("/conversion_value", nil), ("", nil),
    ] as [(String, EndpointKind?)])
  func path(path: String, kind: EndpointKind?) { #expect(EndpointKind(path: path) == kind) }

  @Test func `Each is known by its own path`() {
    #expect(EndpointKind.allCases.count == 5)
    for kind in EndpointKind.allCases { #expect(EndpointKind(path: kind.path) == kind) }
    #expect(EndpointKind.event(.v2).address == "https://s2s.singular.net/api/v2/evt")
    #expect(EndpointKind.conversionValue(.v1).address == "https://sdk-api-v1.singular.net/api/v1/conversion_value")
  }
}
