import SKANBase
import SKANDevice
import Testing

@testable import SKANModel

@Suite("The file of worths")
struct WorthReadingTests {
  private static let worth: Worth = {
    let mean = Worth.Mean(devices: 3, mean: -2, worth: 5, interval: .init(low: 4, high: 6))
    let none = Worth.Mean(devices: 0, mean: nil, worth: nil, interval: nil)
    let numbers = [Int](repeating: 5, count: 20)
    let spread = Worth.Spread(
      deviation: 2, skewness: 0.25, topShare: nil,
      amounts: [.init(weight: 2, revenue: -1), .init(weight: 1, revenue: 9)])
    return Worth(
      currency: "USD", model: "m.json", modelHash: "0f", seed: 1, resamples: 20, shrinkBelow: 30, leastDevices: 100,
      column: "campaign",
      input: .init(devices: 3, from: "2026-05-01T00:00:00Z", to: nil, until: nil, smallGroups: 1),
      groups: [
        Worth.Group(
          name: nil,
          values: [
            .init(
              window: .p0, kind: .null, name: nil, tiers: [0], meaning: nil, revenue: [mean, mean, mean, mean],
              spread: spread, resampled: numbers),
            .init(
              window: .p1, kind: .coarse, name: "low", tiers: [1, 2, 3], meaning: "a",
              revenue: [mean, none, none, none],
              spread: nil, resampled: []),
          ],
          heldOut: [.init(kind: .fine, devices: 1, revenue: 2, told: 3, bias: 0.5, low: -0.5, high: nil)])
      ])
  }()

  @Test("It is read as it is written")
  func roundTrip() throws {
    let text = JSONWriter.text(Self.worth)
    #expect(try Worth(Array(text.utf8)) == Self.worth)
    #expect(Self.worth.groups[0].value(.null, nil, tier: 0) != nil && Self.worth.groups[0].value(.coarse, "low") == nil)
  }

  @Test(
    "A wrong file: the key is named",
    arguments: [
      ("\"format\":1", "\"format\":2", "this file has format 2"), ("\"seed\":1", "\"seed\":-1", "\"seed\" must be"),
      ("\"resamples\":20", "\"resamples\":19", "\"resamples\" must be a whole number from 20 to 10000"),
      ("\"resamples\":20", "\"resamples\":21", "there must be a worth of each of the 21 resamples, these are 20"),
      ("\"kind\":\"null\"", "\"kind\":\"none\"", "\"kind\" must be one of fine, coarse, null"),
      ("\"tiers\":[0]", "\"tiers\":[1]", "a group needs the worth of a null of tier 0"),
      ("\"group\":null", "\"group\":\"x\"", "the first of \"worth\" must be of all devices"),
      ("\"weight\":2", "\"weight\":0", "\"weight\" must be a whole number from 1"),
      ("\"devices\":3", "\"devices\":-3", "\"devices\" must be a whole number from 0"),
      ("\"currency\":\"USD\",", "", "a file of worths needs the key \"currency\""),
      ("\"by\":", "\"bye\":", "a file of worths has no key \"bye\""),
      ("-1", "1.5", "\"revenue_micros\" must be a whole number"),
      ("5,5,5]", "5,5,\"5\"]", "a worth must be a whole number"),
      ("5,5,5]", "5,5,-9223372036854775808]", "a worth must be a whole number"),
    ])
  func wrong(old: String, new: String, message: String) {
    let text = JSONWriter.text(Self.worth)
    #expect(text.contains(old))
    let error = #expect(throws: SourceProblems.self) { try Worth(Array(text.replacing(old, with: new).utf8)) }
    #expect(
      error?.problems.contains { $0.message.hasPrefix(message) } == true, "\(error?.problems.map(\.message) ?? [])")
  }
}
