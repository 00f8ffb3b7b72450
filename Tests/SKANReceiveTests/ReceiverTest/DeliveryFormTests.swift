import SKANBase
import SKANDevice
import SKANModel
import SKANSigning
import Testing

@testable import SKANReceive

/// What the deliveries of a receiver's test differ in.
@Suite("The form of each delivery")
struct DeliveryFormTests {
  private static func plan(mapped: [Int64] = []) throws -> ReceiverPlan {
    var model = ConversionModel()
    model.fine = mapped.map { ConversionModel.FineMapping(value: $0, mapping: ValueMapping()) }
    return try ReceiverPlan(app: .sample, seed: 1, model: mapped.isEmpty ? nil : model) { "\(1000 + $0.count)" }
  }

  private static func body(_ id: String) throws -> [UInt8] {
    let delivery = try #require(plan().deliveries.first { $0.id == id })
    guard case .whole(_, _, _, let body) = delivery.sending else { return [] }
    return body
  }

  @Test(
    "A delivery has the field that its row is about, and the standard one another",
    arguments: [
      ("v4-tier-2", .sourceIdentifier, "239", "5239"), ("v4-tier-2", .conversionValue, "33", "12"),
      ("v4-tier-2", .sourceAppID, nil, "525463029"), ("v4-tier-1", .coarseConversionValue, "high", nil),
      ("v4-tier-1", .conversionValue, nil, "12"), ("v4-tier-0", .sourceIdentifier, "39", "5239"),
      ("v4-tier-0", .coarseConversionValue, nil, nil), ("fine-value-0", .conversionValue, "0", "12"),
      ("fine-value-unmapped", .conversionValue, "62", "12"), ("redownload", .redownload, "true", "false"),
      ("web-ad", .sourceDomain, "example.com", nil), ("web-ad", .sourceAppID, nil, "525463029"),
      ("view-through", .fidelityType, "0", "1"), ("v4.0-not-won", .didWin, "false", "true"),
      ("country-code", .countryCode, "US", nil), ("late-2", .sequenceIndex, "2", "0"),
      ("in-order-1", .coarseConversionValue, "medium", nil), ("in-order-2", .coarseConversionValue, "low", nil),
      ("in-order-1", .sourceIdentifier, "39", "5239"), ("in-order-0", .conversionValue, "33", "12"),
      ("forged-value-before", .conversionValue, "33", "12"), ("genuine-value-after", .conversionValue, "12", "12"),
    ] as [(String, PostbackField, String?, String?)])
  func fields(id: String, field: PostbackField, value: String?, standard: String?) throws {
    let text = { (id: String) in try PostbackDocument(Self.body(id)).postback?.text(of: field) }
    #expect(try text(id) == value)
    if field != .sourceAppID { #expect(try text("v4-tier-3") == standard) }
    #expect(try text("v4-tier-3") != value || value == standard)
  }

  @Test(
    "So it is with the claims and members of AdAttributionKit",
    arguments: [
      ("aak-no-country", "country-code", nil, "US"), ("aak-no-value", "conversion-value", nil, "12"),
      ("aak-tier-2", "source-identifier", "239", "5239"), ("aak-tier-2", "conversion-value", "12", "12"),
      ("aak-tier-1", "coarse-conversion-value", "high", nil), ("aak-tier-1", "source-identifier", "39", "5239"),
      ("aak-second-window", "postback-sequence-index", "1", "0"),
      ("aak-second-window", "coarse-conversion-value", "low", nil),
      ("aak-view-through", "ad-interaction-type", "view", "click"),
      ("aak-redownload", "conversion-type", "redownload", "download"),
      ("aak-re-engagement", "conversion-type", "re-engagement", "download"),
      ("aak-not-won", "did-win", "false", "true"),
    ] as [(String, String, String?, String?)])
  func claims(id: String, name: String, value: String?, standard: String?) throws {
    var plan = try Self.plan()
    try plan.addAdAttributionKit { _ in [UInt8](repeating: 7, count: 64) }
    func text(_ id: String) throws -> String? {
      let delivery = try #require(plan.deliveries.first { $0.id == id })
      guard case .whole(_, _, _, let body) = delivery.sending else { return nil }
      let document = try JSONReader.read(body).value
      let payload = document["jws-string"]?.text?.split(separator: ".")[1].utf8 ?? "".utf8[...]
      let claims = try JSONReader.read(Base64URL.decode(payload) ?? []).value
      let found = claims[name] ?? document[name]
      return found.map { $0.text ?? JSONWriter.text($0) }
    }
    #expect(try text(id) == value && text("aak-tier-3") == standard)
  }

  @Test("The truncated body is half of a postback") func truncatedBody() throws {
    let (half, whole) = (try Self.body("truncated"), try Self.body("v4-tier-3"))
    #expect((2 * half.count - whole.count).magnitude <= 1)
  }

  @Test(
    "Of the values that a model lacks the largest below 63; of those that it has the least and the largest",
    arguments: [
      ([], 12, 33, 62), ([62], 62, 62, 61), (Array(1...61), 1, 61, 62), (Array(2...62), 2, 62, 1),
      (Array(1...62), 1, 62, 62), ([0, 63, 5], 5, 63, 62),
    ] as [([Int64], Int64, Int64, Int64)])
  func values(mapped: [Int64], first: Int64, second: Int64, unmapped: Int64) throws {
    let values = try Self.plan(mapped: mapped).values
    #expect(values.first == first && values.second == second && values.unmapped == unmapped)
  }
}
