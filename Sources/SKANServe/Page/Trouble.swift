import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANTraffic

/// A fault, a delay or both for the next answer to a phone, as the live page asks for it.
package struct Trouble {
  /// Identifies it while it is pending.
  let id: Int
  let fault: (name: String, fault: Fault)?
  /// In seconds.
  let delay: Double
  /// The phone; nil for the next that asks.
  let phone: TrafficDevice?
}

extension Trouble: JSONObjectWritable {
  package static let fields = JSONFields<Trouble> {
    JSONField("delay", "the delay of the answer in seconds", as: .number) { $0.delay }
    JSONField("fault", "the name of the fault, as for the header X-SKAN-Fault") { $0.fault?.name }
    JSONField("id", "the identifier by which it is withdrawn") { $0.id }
    JSONField("phone", "the phone whose next answer is affected; null for the next phone that asks") { $0.phone }
  }

  /// The form of a body that asks for trouble.
  static let askedForm = JSONForm.object(
    [("delay", .number), ("fault", .text.orNull), ("phone", TrafficDevice.jsonForm.orNull)], required: [], others: nil)
}

extension TrafficDevice {
  private static let keys = JSONKeys(fields.names)

  /// Reads what ``fields`` wrote; nil after a problem, which is added to `outer`.
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a phone", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard let app = reader.require("app", reader.string("app")), let id = reader.require("id", reader.string("id")),
      let kind = reader.require("kind", reader.choice("kind") as Kind?)
    else { return nil }
    self.init(app: app, kind: kind, id: id)
  }
}

/// The trouble that is pending, in the order in which it was asked for.
final class Troubles {
  /// The most that is pending at a time.
  static let most = 100
  /// The longest delay in seconds, as that of `--latency`.
  static let longestDelay = HTTPLimits().delaySeconds

  private(set) var pending: [Trouble] = []
  /// Increases with each change of ``pending``.
  private(set) var revision = 0
  private var lastID = 0

  private static let keys: JSONKeys = ["delay", "fault", "phone"]

  /// Takes the trouble for the next answer to a phone; nil where there is none.
  func take(for query: SentParameters) -> Trouble? {
    if pending.isEmpty { return nil }
    let phone = TrafficDevice(query)
    guard let index = pending.firstIndex(where: { $0.phone == nil || $0.phone == phone }) else { return nil }
    revision += 1
    return pending.remove(at: index)
  }

  /// Adds the trouble that a body asks for: `{"fault":"illegal-values","delay":0.5,"phone":{…}}`, each key optional.
  ///
  /// - Throws: what is wrong with the body, in a sentence.
  func add(_ body: [UInt8]) throws(PageProblem) {
    guard pending.count < Self.most else {
      throw PageProblem("\(Self.most) are pending already: take some back, or let phones ask")
    }
    let node: JSONNode
    do throws(SourceProblems) { node = try JSONReader.readSource(body) } catch { throw PageProblem(error) }
    var reader = JSONObjectReader(node, what: "trouble", known: Self.keys)
    let name = reader.isNull("fault") ? nil : reader.string("fault")
    let delay = reader.number("delay") ?? 0
    var phone: TrafficDevice?
    if reader.has("phone"), !reader.isNull("phone") {
      phone = reader.node("phone").flatMap { TrafficDevice($0, in: &reader) }
    }
    if !reader.problems.isEmpty { throw PageProblem(SourceProblems(reader.problems)) }
    let fault = name.flatMap(Fault.init)
    if let name, fault == nil {
      let names = Fault.named.map(\.name)
      let near = nearestName(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
      throw PageProblem(
        "no fault \(JSONWriter.quoted(name))\(near.isEmpty ? "; known: \(names.joined(separator: ", ")), status-NNN" : near)"
      )
    }
    guard (0...Self.longestDelay).contains(delay) else {
      throw PageProblem("\"delay\" must be 0 to \(Int(Self.longestDelay)) seconds")
    }
    guard fault != nil || delay > 0 else {
      throw PageProblem("it asks for nothing: give a \"fault\", a \"delay\" above 0, or both")
    }
    lastID += 1
    revision += 1
    pending.append(
      Trouble(id: lastID, fault: fault.flatMap { fault in name.map { ($0, fault) } }, delay: delay, phone: phone))
  }

  /// Takes trouble back; false if it is not pending.
  func remove(_ id: Int) -> Bool {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
    pending.remove(at: index)
    revision += 1
    return true
  }
}
