import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import Testing

@testable import SKANTraffic

/// A mistake in the app, on its server or in an answer, planted into the clean life.
struct PlantedMistake: Sendable, CustomTestStringConvertible {
  var what: String
  var rule: TrafficRule
  var plant: @Sendable (inout PlantedLife) -> Void

  init(_ what: String, _ rule: TrafficRule, _ plant: @escaping @Sendable (inout PlantedLife) -> Void) {
    self.what = what
    self.rule = rule
    self.plant = plant
  }

  var testDescription: String { what }
}

@Suite("A mistake planted into the clean life")
struct PlantedMistakeTests {
  @Test("It is found, and nothing else", arguments: ofSender + ofParameters + ofRevenue + ofPhone)
  func found(mistake: PlantedMistake) throws {
    var life = try PlantedLife()
    mistake.plant(&life)
    let checked = try Checked(life.requests)
    #expect(checked.rules == [mistake.rule.id], "\(checked.text)")
  }

  static let ofSender: [PlantedMistake] = [
    .init("The sender looks at the status alone", .errorTakenAsDelivered) {
      $0.answer(5, #"{"status":"error","reason":"try later"}"#)
    },
    .init("The body is a page", .errorTakenAsDelivered) { $0.answer(19, "<html>") },
    .init("503, and no retry", .failureNotRetried) { $0.answer(19, "", status: 503) },
    .init("No answer, and no retry", .failureNotRetried) { $0.requests[18].answer = .failure("timed out") },
    .init("install is true with every session", .installRepeated) { $0.set("install", $0.launches, to: "true") },
    .init("The queue is not in order", .timeWentBack) { life in
      let earlier = life.value("utime", 9)
      life.set("utime", [13], to: earlier)
    },
    .init("utime in milliseconds", .timeUnit) { $0.set("utime", $0.forwarded) { $0.map { "\($0)000" } } },
    .init("The server's clock is an hour ahead", .timeAhead) { life in
      life.set("utime", life.forwarded) { $0.flatMap { Int64($0) }.map { "\($0 + 3600)" } }
    },
    .init("The server capitalises names", .eventNameCase) { $0.set("n", $0.events) { $0?.capitalized } },
    .init("The session is named as in the app", .sessionNameMisplaced) { $0.set("n", $0.launches, to: "__SESSION__") },
    .init("The server forgets an event", .eventNotForwarded) { $0.requests.remove(at: 18) },
    .init("A session is reported before its update", .reportedBeforeUpdated) { life in
      life.report(15, before: 14)
    },
    .init("The report of the first launch is that of the first session, too", .reportedBeforeUpdated) { life in
      life.requests.remove(at: 2)
      life.requests[0].at = Instant(unixSeconds: Int64(1_767_229_198))
      life.set("utime", [1], to: "1767229198")
    },
    .init("The server picks what it takes for needed", .metadataIncomplete) {
      $0.set("prev_fine_value", $0.forwarded, to: nil)
    },
    .init("The metadata of the guides' sample", .metadataStale) { life in
      for entry in life.forwarded where life.conversions.contains(entry - 1) { life.makeStale(entry) }
    },
  ]

  static let ofParameters: [PlantedMistake] = [
    .init("An unknown status of consent", .parameterForm) {
      $0.set("att_authorization_status", $0.forwarded, to: "authorized")
    },
    .init("An object as JavaScript prints it", .jsonDamaged) { $0.set("e", [7], to: "[object Object]") },
    .init("A table as Python prints it", .jsonDamaged) {
      $0.set("skan_total_revenue_by_currency", [13], to: "{'USD': 9.99}")
    },
    .init("A table encoded twice, in the app", .jsonDamaged) {
      $0.set("p0_total_iap_revenue", [12], to: #""{\"USD\":9.99}""#)
    },
    .init("No identifier, and zeros for it", .idfaZeros) {
      $0.set("idfa", $0.all, to: "00000000-0000-0000-0000-000000000000")
      $0.set("idfa", $0.conversions, to: nil)
    },
    .init("The address of the server", .serverAddress) {
      $0.set("ip", $0.forwarded, to: nil)
      $0.set("use_ip", $0.forwarded, to: "true")
      $0.set("country", $0.forwarded, to: "US")
    },
    .init("The address behind the proxy", .privateAddress) { $0.set("ip", $0.forwarded, to: "192.168.1.7") },
  ]

  static let ofRevenue: [PlantedMistake] = [
    .init("Ad revenue without its flag", .adRevenueIncomplete) { $0.set("is_revenue_event", [23], to: nil) },
    .init("Revenue added twice", .revenueTwice) {
      for name in ["skan_total_revenue_by_currency", "p0_total_iap_revenue"] {
        $0.add(9.99, "USD", to: name, Array(6...40))
      }
    },
    .init("An amount in cents", .revenueMismatch) { $0.set("amt", [29], to: "99") },
    .init("Revenue before register", .totalNotSum) {
      $0.add(1, "USD", to: "skan_total_revenue_by_currency", $0.all)
    },
  ]

  static let ofPhone: [PlantedMistake] = [
    .init("A value of P1 on the first day", .windowTooEarly) { $0.set("p1_coarse", [12], to: "1") },
    .init("An answer that the app ignores", .answerNotShown) {
      $0.answer(14, #"{"conversion_value":13,"skan_updated_coarse_value":2,"status":"ok"}"#)
    },
    .init("A value in the answer of evt that the app ignores", .answerNotShown) {
      $0.answer(5, #"{"status":"ok","conversion_value":20}"#)
    },
    .init("An update within the answer of another", .staleRequest) { life in
      life.requests[1].answeredAt = life.requests[3].at
      for name in [
        "skan_current_conversion_value", "skan_last_call_to_skadnetwork_timestamp", "prev_fine_value", "p0_coarse",
      ] {
        let before = life.value(name, 2)
        life.set(name, [4], to: before)
      }
    },
    .init("An answer with a text for a number", .answerUnusable) {
      $0.answer(36, #"{"conversion_value":"12","status":"ok"}"#)
    },
    .init("An answer whose lock is null", .answerUnusable) {
      $0.answer(30, #"{"status":"ok","skan_updated_lock_window_value":null}"#)
    },
  ]
}

/// The clean life with changes; its entries are counted from 1, as in the file.
struct PlantedLife {
  var requests: [CapturedRequest]

  private static let clean = Result { try Captured(fixture: "clean-life.ndjson").requests }

  init() throws { requests = try Self.clean.get() }

  /// The entries of one of the endpoints.
  func entries(_ path: String) -> [Int] {
    requests.indices.filter { requests[$0].request.path.hasSuffix(path) }.map { $0 + 1 }
  }

  var conversions: [Int] { entries("/conversion_value") }
  var launches: [Int] { entries("/launch") }
  var events: [Int] { entries("/evt") }
  var forwarded: [Int] { (launches + events).sorted() }
  var all: [Int] { Array(1...requests.count) }

  /// The decoded value of a parameter.
  func value(_ name: String, _ entry: Int) -> String? {
    items(entry).first { $0.name == name }?.value?.removingPercentEncoding
  }

  /// Changes a parameter; nil takes it away.
  mutating func set(_ name: String, _ entries: [Int], _ change: (String?) -> String?) {
    for entry in entries {
      var items = items(entry)
      let new = change(items.first { $0.name == name }?.value?.removingPercentEncoding)
      items.removeAll { $0.name == name }
      if let new {
        let text = [QueryItem(name, new)].percentEncoded.dropFirst(name.count + 1).replacing("+", with: "%2B")
        items.append((name, String(text)))
      }
      setQuery(items, entry)
    }
  }

  mutating func set(_ name: String, _ entries: [Int], to value: String?) { set(name, entries) { _ in value } }

  /// Sets the bytes of a value as they are sent.
  mutating func setRaw(_ name: String, _ entry: Int, to raw: String) {
    setQuery(items(entry).map { $0.name == name ? (name, raw) : $0 }, entry)
  }

  /// Adds to a sum of a table where it is.
  mutating func add(_ amount: Double, _ currency: String, to name: String, _ entries: [Int]) {
    set(name, entries) { text in
      var table = RevenueTable()
      if let text, case .object(let members)? = (try? JSONReader.read(Array(text.utf8)))?.value {
        for member in members {
          switch member.value {
          case .double(let sum): table[member.key] = sum
          case .integer(let sum): table[member.key] = Double(sum)
          default: break
          }
        }
      }
      table[currency] = (table[currency] ?? 0) + amount
      return table.requestText
    }
  }

  /// Gives a report the metadata of the request before it, which is that from before the answer.
  mutating func makeStale(_ entry: Int) {
    for key in RequestParameter.skan4Metadata { set(key, [entry], to: value(key, entry - 1)) }
  }

  /// Moves a report before the request for the value of the same, by two seconds.
  mutating func report(_ entry: Int, before ask: Int) {
    makeStale(entry)
    let seconds = (requests[ask - 1].at?.wholeSeconds ?? 0) - 2
    requests[entry - 1].at = Instant(unixSeconds: seconds)
    set("utime", [entry], to: "\(seconds)")
    requests.swapAt(entry - 1, ask - 1)
  }

  /// Gives an entry another answer.
  mutating func answer(_ entry: Int, _ body: String, status: Int = 200) {
    requests[entry - 1].answer = .response(status: status, body: Array(body.utf8))
  }

  /// Moves an entry to another time after the first call.
  mutating func move(_ entry: Int, toHour hour: Int64) {
    requests[entry - 1].at = Instant(unixSeconds: 1_767_225_600 + hour * 3600)
  }

  private func items(_ entry: Int) -> [(name: String, value: String?)] {
    (requests[entry - 1].request.query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : nil)
    }
  }

  private mutating func setQuery(_ items: [(name: String, value: String?)], _ entry: Int) {
    requests[entry - 1].request.target.query =
      items.map { name, value in value.map { "\(name)=\($0)" } ?? name }.joined(separator: "&")
  }
}
