import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANTraffic

/// What must not change the findings of a capture, or changes them in a known way.
@Suite("Captures changed without a change of what they show")
struct TrafficMetamorphicTests {
  /// Lives of several devices, each with a side of the pair of some rule.
  private struct Traffic {
    var devices: [[CapturedRequest]] = []

    init(_ random: inout SplitMix64) throws {
      for number in 1...3 {
        var life = try PlantedLife()
        if let side = RulePair.all.randomElement(using: &random)?.sides.randomElement(using: &random) {
          side.plant(&life)
        }
        for name in ["idfv", "ip"] {
          life.set(name, life.all) { $0.map { $0.replacing(/[0-9A-F]{2}$/, with: "8\(number)") } }
        }
        // No two at one time, so that the order of devices does not decide.
        for index in life.requests.indices {
          let span = TimeSpan(microseconds: Int64(index * 10 + number))
          life.requests[index].at = life.requests[index].at?.advanced(by: span)
        }
        devices.append(life.requests)
      }
    }

    var requests: [CapturedRequest] { devices.flatMap(\.self) }

    /// Changes the value of each parameter.
    func changing(_ change: (_ name: Substring, _ value: Substring) -> String) -> [CapturedRequest] {
      requests.map { request in
        var request = request
        request.request.target.query = (request.request.query ?? "").split(separator: "&").map { item in
          guard let equals = item.firstIndex(of: "=") else { return String(item) }
          return "\(item[...equals])\(change(item[..<equals], item[item.index(after: equals)...]))"
        }.joined(separator: "&")
        return request
      }
    }
  }

  @Test("Devices in another order, and one capture in several files", arguments: Rounds.of(2))
  func order(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let traffic = try Traffic(&random)
    let whole = try Checked(files: [traffic.requests])
    let shuffled = try Checked(files: [traffic.devices.shuffled(using: &random).flatMap(\.self)])
    #expect(shuffled.texts == whole.texts)
    let cut = Int.random(in: 0...traffic.requests.count, using: &random)
    let parts = [Array(traffic.requests[cut...]), Array(traffic.requests[..<cut])]
    var split = try Checked(files: parts)
    // The first of what cannot be read stands elsewhere.
    #expect(split.summary.hidden.isEmpty == whole.summary.hidden.isEmpty)
    split.summary.hidden = whole.summary.hidden
    #expect(split.texts == whole.texts && split.summary == whole.summary)
    #expect(try Checked(files: traffic.devices).texts == whole.texts)
  }

  @Test("A device of another app adds what it has itself", arguments: Rounds.of(2))
  func otherDevice(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 1000)
    let traffic = try Traffic(&random)
    var other = try PlantedLife()
    other.set("i", other.all, to: "com.example.other")
    other.set("lc", [15], to: "en-US")
    let (one, two) = (try Checked(files: [traffic.requests]), try Checked(files: [other.requests]))
    #expect(two.rules == ["locale-form"])
    #expect(try Checked(files: [traffic.requests + other.requests]).texts == (one.texts + two.texts).sorted())
  }

  @Test("All times later by some seconds", arguments: Rounds.of(2), [1, 10_000_000])
  func times(seed: Int, seconds: Int64) throws {
    var random = SplitMix64(seed: UInt64(seed) + 2000)
    let traffic = try Traffic(&random)
    var moved = traffic.changing { name, value in
      guard let number = Int64(value), number > 1_000_000_000, !name.contains("transaction") else { return "\(value)" }
      return "\(number + (number > 1_000_000_000_000 ? seconds * 1000 : seconds))"
    }
    for index in moved.indices { moved[index].at = moved[index].at?.advanced(by: TimeSpan(seconds: seconds)) }
    let texts = { (requests: [CapturedRequest]) in
      try Checked(files: [requests]).texts.map { text in
        text.replacing(/\d{10,}/, with: "time").replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "time")
      }
    }
    #expect(try texts(moved).sorted() == texts(traffic.requests).sorted())
  }

  @Test("Other names for devices, apps, events and transactions", arguments: Rounds.of(2))
  func names(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 3000)
    let traffic = try Traffic(&random)
    let names: [(String, String)] = [
      ("com.example.", "org.ejemplo."), ("-84AC-", "-95BD-"), ("evel", "ivel"), ("10000000", "20000000"),
    ]
    func renamed(_ text: String) -> String {
      names.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
    let other = traffic.changing { name, value in
      ["i", "idfv", "n", "purchase_transaction_id"].contains(name) ? renamed(String(value)) : "\(value)"
    }
    #expect(
      try Checked(files: [other]).texts.sorted() == Checked(files: [traffic.requests]).texts.map(renamed).sorted())
  }
}
