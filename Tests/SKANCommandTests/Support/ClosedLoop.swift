import Foundation
import SKANBase
import SKANHTTP
import Synchronization
import TestSupport
import skan_http

/// One of many phones of a list, and what a receiver must make of its postbacks, worked out from what the list says and
/// `fixtures/models/mixed.json`, without the program.
struct LoopPhone {
  private let number: Int

  init(_ number: Int) { self.number = number }

  var name: String { "p\(number)" }
  private var isOrganic: Bool { number % 20 == 19 }
  private var isOld: Bool { number % 8 == 6 }
  /// Whether the ad is of AdAttributionKit, as of every second phone.
  private var isKit: Bool { number % 2 == 1 }
  private var hasWon: Bool { number % 10 != 8 }
  private var isRedownload: Bool { number % 7 == 3 }
  private var tier: Int { number / 3 % 4 }
  private var network: String { number % 2 == 0 ? "a.example" : "b.example" }
  /// Days after the first with a session, and whether something is bought then.
  private var laterDays: [(day: Int, buys: Bool)] {
    (number % 3 == 0 ? [(3, number % 6 == 0)] : []) + (number % 5 == 0 ? [(10, number % 10 == 0)] : [])
  }

  /// What happens on the first day: the event with its revenue, and the values that the model has for it.
  private var firstDay: (event: String?, revenue: Int?, fine: Int, coarse: String) {
    switch number % 5 {
    case 0: (nil, nil, 1, "low")
    case 1: ("tutorial_done", nil, 10, "low")
    case 2: ("purchase", 3, 12, "medium")
    case 3: ("purchase", 10, 20, "medium")
    default: ("purchase", 30, 40, "high")
    }
  }

  /// Its steps, the last of which lists its postbacks.
  var steps: [String] {
    let source = isOld ? #""campaign":42"# : #""source_identifier":"5239""#
    let kind =
      isKit
      ? #""framework":"adattributionkit","conversion":"\#(isRedownload ? "redownload" : "download")""#
      : #""version":"\#(isOld ? "3.0" : "4.0")","redownload":\#(isRedownload)"#
    let ad =
      isOrganic
      ? "false"
      : #"{\#(kind),"network":"\#(network)","app_id":1234567890,\#(source),"tier":\#(tier),"won":\#(hasWon)}"#
    func step(_ text: String) -> String { "{\"device\":\"\(name)\",\(text)}" }
    var steps = [
      step(#""op":"device","ios":"17.4","ad":\#(ad)"#), step(#""op":"register","at":"2026-01-01T00:00:00Z""#),
      step(#""op":"session","after":"1m""#),
    ]
    func buy(_ amount: Int) { steps.append(step(#""op":"revenue","amount":\#(amount),"currency":"USD""#)) }
    if let amount = firstDay.revenue { buy(amount) }
    if let event = firstDay.event { steps.append(step(#""op":"event","name":"\#(event)","after":"1m""#)) }
    for (day, buys) in laterDays {
      steps.append(step(#""op":"session","at":"+\#(day)d""#))
      if buys {
        buy(25)
        steps.append(step(#""op":"event","name":"purchase","after":"1m""#))
      }
    }
    return steps + [step(#""op":"postbacks","at":"+45d""#)]
  }

  /// The postbacks that leave it.
  var postbacks: [Postback] {
    if isOrganic { return [] }
    var first = Postback(network: network, window: 0, hasWon: hasWon, isRedownload: isRedownload)
    first.campaign = isOld ? "42" : ["39", "39", isKit ? "5239" : "239", "5239"][tier]
    if hasWon, tier >= 2 { first.fine = firstDay.fine }
    // What is mirrored into AdAttributionKit has no coarse value.
    if hasWon, tier == 1, !isOld, !isKit { first.coarse = firstDay.coarse }
    if isOld || !hasWon || tier == 0 { return [first] }
    return [first]
      + laterDays.map { day, buys in
        var later = Postback(network: network, window: day < 7 ? 1 : 2, hasWon: true, isRedownload: isRedownload)
        if !isKit { later.coarse = buys ? "high" : "low" }
        return later
      }
  }

  /// A postback as a report counts it.
  struct Postback: Hashable {
    let network: String
    var campaign = "39"
    let window: Int
    let hasWon: Bool
    let isRedownload: Bool
    var fine: Int?
    var coarse: String?

    /// The revenue that its value stands for, in cents; no upper end for a range without one.
    var revenue: (min: Int, below: Int?)? {
      switch (fine, coarse) {
      case (12?, _): (1, 500)
      case (20?, _): (500, 2000)
      case (40?, _), (_, "high"?): (2000, nil)
      case (_, "medium"?): (1, 2000)
      default: nil
      }
    }

    /// The event that its value stands for.
    var event: String? {
      switch (fine, coarse) {
      case (1?, _), (_, "low"?): "__SESSION__"
      case (10?, _): "tutorial_done"
      case (.some, _): "purchase"
      default: nil
      }
    }
  }
}

/// The JWS of a simulated postback, taken apart without the program.
struct LoopJWS {
  /// Header and payload as they stand, in base64url.
  let header: String
  let payload: String

  /// Nil for a postback of SKAdNetwork.
  init?(body: String) {
    guard let jws = body.firstMatch(of: /"jws-string":"([^"]*)"/)?.1 else { return nil }
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    (header, payload) = (parts[0], parts[1])
  }

  /// The claims.
  var claims: String { String(decoding: Base64URL.decode(payload.utf8) ?? [], as: UTF8.self) }
}

/// What arrives of one postback at a receiver, one body after the other: the genuine one, perhaps twice and perhaps late,
/// and forgeries before and after it.
struct LoopDelivery: Sendable {
  struct Body: Sendable {
    let path: String
    let text: String
    /// How the server spoils its first answer; nil for an answer that arrives.
    var fault: String?
  }

  private(set) var bodies: [Body] = []
  /// Those whose answer gets lost: they are sent again, and are duplicates unless the server was killed before.
  private(set) var lost = 0
  private(set) var duplicates = 0
  private(set) var conflicts = 0
  private(set) var invalid = 0
  private(set) var notChecked = 0

  /// - Parameters:
  ///   - number: decides what goes wrong.
  ///   - genuine: the postback as it left the phone, signed.
  init(_ number: Int, _ genuine: String) {
    let altered: String
    let unchecked: String
    let path: String
    if let jws = LoopJWS(body: genuine) {
      let claims = jws.claims.replacing("1234567890", with: "1234567892")
      altered = genuine.replacing(jws.payload, with: Base64URL.encode(claims.utf8))
      unchecked = genuine.replacing(
        jws.header, with: Base64URL.encode(#"{"alg":"ES256","kid":"unknown/1"}"#.utf8))
      path = "/.well-known/appattribution/report-attribution/"
    } else {
      altered = genuine.replacing("\"app-id\":1234567890", with: "\"app-id\":1234567892")
      unchecked = genuine.replacing(/"attribution-signature":"[^"]*",/, with: "")
        .replacing("\"transaction-id\":\"", with: "\"transaction-id\":\"0")
      path = "/.well-known/skadnetwork/report-attribution/"
    }
    if number % 13 == 4 {
      // An altered field, before the genuine one.
      bodies.append(Body(path: path, text: altered))
      invalid += 1
    }
    if number % 17 == 5 {
      bodies.append(Body(path: "/postbacks", text: unchecked))
      notChecked += 1
    }
    // One that is kept, and whose sender does not learn it, comes again.
    let isLost = number % 9 == 2
    bodies.append(Body(path: path, text: genuine, fault: isLost ? "status-503" : nil))
    if isLost { lost += 1 }
    if number % 5 == 0 {
      // The network forwards it, too, with keys of its own.
      bodies.append(
        Body(path: "/postbacks", text: "\(genuine.dropLast()),\"ip\":\"203.0.113.9\",\"timestamp\":\"1767500000\"}"))
      duplicates += 1
    }
    if number % 11 == 0 {
      // A genuine one with a forged value, which is not signed.
      let forged = genuine.replacing(/,"(coarse-)?conversion-value":("[a-z]+"|[0-9]+)/, with: "")
      bodies.append(Body(path: path, text: "\(forged.dropLast()),\"conversion-value\":63}"))
      conflicts += 1
    }
  }

  /// POSTs a body.
  ///
  /// - Returns: whether the answer is 200.
  static func post(_ body: Body, to address: String, fault: String?) -> Bool {
    var fields = [HTTPField("Content-Type", "application/json")]
    if let fault { fields.append(HTTPField("X-SKAN-Fault", fault)) }
    let request = HTTPRequest.post(address + body.path, headers: HTTPFields(fields), body: Array(body.text.utf8))
    guard case .success(let exchange) = HTTPTransport().send(request, within: HTTPAnswerLimits(seconds: 5)) else {
      return false
    }
    return exchange.response.status == 200
  }
}

/// The report of a closed loop, as the program prints it and as the phones imply it.
struct LoopReport {
  /// By network, campaign and window, each figure with its name.
  let groups: [String: [String: Int]]
  /// Duplicates, conflicts, invalid ones, and those that were not checked.
  let beside: [Int]

  init(_ text: String) throws {
    let report = try JSONReader.read(Array(text.utf8)).value
    groups = Dictionary(
      uniqueKeysWithValues: (report["simulated"]?["groups"]?.items ?? []).map { group in
        let names = ["network", "campaign", "window"].map { group["group"]?[$0]?.text ?? "" }
        return (names.joined(separator: " "), Self.figures(of: group))
      })
    beside = [
      ("simulated", "duplicates"), ("simulated", "conflicts"), ("unverified", "invalid"), ("unverified", "not_checked"),
    ]
    .map { report[$0.0]?["total"]?[$0.1]?.whole ?? 0 }
  }

  private static func figures(of group: JSON) -> [String: Int] {
    var figures: [String: Int] = [:]
    for name in [
      "postbacks", "installs", "redownloads", "not_won", "without_value", "decoded", "undecoded", "without_model",
    ] {
      figures[name] = group[name]?.whole
    }
    for value in group["fine_values"]?.items ?? [] {
      figures["fine \(value["value"]?.whole ?? -1)"] = value["postbacks"]?.whole
    }
    for window in 0...2 {
      for value in ["low", "medium", "high"] {
        let count = group["coarse_values"]?["p\(window)"]?[value]?.whole ?? 0
        if count > 0 { figures["coarse \(value)"] = count }
      }
    }
    for event in group["events"]?.items ?? [] { figures[event["event"]?.text ?? ""] = event["postbacks"]?.whole }
    for sum in group["revenue"]?.items ?? [] {
      figures["cents"] = sum["min"]?.cents
      figures["cents below"] = sum["below"]?.cents ?? 0
      figures["open-ended"] = sum["open_ended"]?.whole
    }
    return figures
  }

  /// What these postbacks come to.
  static func groups(of postbacks: [LoopPhone.Postback]) -> [String: [String: Int]] {
    var groups: [String: [String: Int]] = [:]
    for postback in postbacks {
      let name = "\(postback.network) \(postback.campaign) \(postback.window)"
      var figures =
        groups[name] ?? [
          "postbacks": 0, "installs": 0, "redownloads": 0, "not_won": 0, "without_value": 0, "decoded": 0,
          "undecoded": 0,
          "without_model": 0,
        ]
      func add(_ figure: String, _ count: Int = 1) { figures[figure, default: 0] += count }
      add("postbacks")
      let hasValue = postback.fine != nil || postback.coarse != nil
      if !postback.hasWon { add("not_won") } else if !hasValue { add("without_value") }
      if postback.window == 0, postback.hasWon { add(postback.isRedownload ? "redownloads" : "installs") }
      if let value = postback.fine { add("fine \(value)") }
      if let value = postback.coarse { add("coarse \(value)") }
      if hasValue { add("decoded") }
      if let event = postback.event { add(event) }
      if let (min, below) = postback.revenue {
        add("cents", min)
        add("cents below", below ?? 0)
        add("open-ended", below == nil ? 1 : 0)
      }
      groups[name] = figures
    }
    return groups
  }
}

extension JSON {
  fileprivate var items: [JSON]? { if case .array(let items) = self { items } else { nil } }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var whole: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

  fileprivate var cents: Int? {
    switch self {
    case .integer(let number): Int(number) * 100
    case .double(let number): Int((number * 100).rounded())
    default: nil
    }
  }
}

/// Delivers postbacks from several threads, each body again until it is answered with 200, to a server that may be killed.
final class Courier: Sendable {
  private struct State {
    var address: String
    var waiting: [LoopDelivery]
    var delivered = 0
    var repeated = 0
  }

  private static let threads = 4
  private let state: Mutex<State>

  init(_ deliveries: [LoopDelivery], address: String) {
    state = Mutex(State(address: address, waiting: deliveries.reversed()))
  }

  /// Where the server is now.
  var address: String {
    get { state.withLock { $0.address } }
    set { state.withLock { $0.address = newValue } }
  }

  /// How many attempts had no answer of 200, those apart whose answer was spoiled on purpose.
  var repeated: Int { state.withLock { $0.repeated } }

  func start() {
    for _ in 0..<Self.threads { Thread.detachNewThread { [self] in deliver() } }
  }

  private func deliver() {
    while let delivery = state.withLock({ $0.waiting.popLast() }) {
      // In their order: what comes first of equals counts.
      for body in delivery.bodies {
        var fault = body.fault
        while !LoopDelivery.post(body, to: address, fault: fault) {
          // After a kill, it is not known whether the fault has happened.
          if fault == nil { state.withLock { $0.repeated += 1 } } else { fault = nil }
          Thread.sleep(forTimeInterval: 0.02)
        }
        state.withLock { $0.delivered += 1 }
      }
    }
  }

  /// Waits until this many bodies are delivered, though not forever.
  func wait(for count: Int) {
    TestTime.wait { state.withLock({ $0.delivered }) >= count }
  }
}
