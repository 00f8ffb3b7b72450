import Foundation
import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

@testable import SKANTraffic

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
      let new = change(value(name, entry))
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
    for key in ForwardedParameter.skan4Metadata { set(key, [entry], to: value(key, entry - 1)) }
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
