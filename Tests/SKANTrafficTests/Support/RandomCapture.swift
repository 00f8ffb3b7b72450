import SKANBase
import SKANDevice
import SKANHTTP

@testable import SKANTraffic

/// A request of a random capture: what it says, in plain texts.
struct SlowRequest {
  var kind: EndpointKind
  /// Unix seconds.
  var sent: Int64
  /// Whether the capture has the time.
  var hasTime = true
  var isPost = false
  var items: [(name: String, value: String)] = []
  var answer = CapturedAnswer.notCaptured
  var entry = 0

  subscript(name: String) -> String? {
    get { items.first { $0.name == name }?.value }
    set {
      items.removeAll { $0.name == name }
      if let newValue { items.append((name, newValue)) }
    }
  }

  func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

  var isAsk: Bool { !kind.isReport }
  var name: String { self["n"] ?? "" }
  var isSession: Bool { kind == .launch || name == "__SESSION__" }
  /// Whether the capture has the answer, or that there was none.
  var isAnswered: Bool {
    switch answer {
    case .response, .failure: true
    case .notCaptured, .status, .unreadable: false
    }
  }
  /// Equal for what belongs together.
  var subject: String { isSession ? "__SESSION__" : name.lowercased() }
  var first: Int64? { number("skan_first_call_to_skadnetwork_timestamp") }
  var last: Int64? { number("skan_last_call_to_skadnetwork_timestamp") }
  var fine: Int64? { number("skan_current_conversion_value") }
  var hasMetadata: Bool { first != nil || last != nil || fine != nil }
  var stated: Int64? { number("utime") }
  /// The time by which it is compared.
  var time: Int64? { hasTime ? sent : stated }
  /// Whether its own time or transaction tells it from others.
  var isNamed: Bool { self["utime"] != nil || self["purchase_transaction_id"] != nil }

  /// What a repetition has in common with it.
  var identity: [String] {
    isNamed ? [kind.name] + ["n", "utime", "amt", "cur", "purchase_transaction_id"].map { self[$0] ?? "" } : content
  }

  var content: [String] { [kind.name] + items.map { "\($0.name)=\($0.value)" } }

  var captured: CapturedRequest {
    let text = items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let url = "https://\(kind.host)\(kind.path)"
    return CapturedRequest(
      isPost ? .post(url, body: Array(text.utf8)) : .get("\(url)?\(text)"),
      at: hasTime ? Instant(unixSeconds: sent) : nil, answer: answer,
      location: CaptureLocation(file: "a", entry: entry, line: entry))
  }
}

/// Random captures of some phones: repetitions, early reports, events before sessions, identifiers that belong together,
/// installs, and values that no phone has.
struct RandomCapture {
  private(set) var requests: [SlowRequest] = []
  private var random: SplitMix64
  private let hasTimes: Bool

  private static let start: Int64 = 1_767_225_600
  private static let firstCall = "skan_first_call_to_skadnetwork_timestamp"
  private static let lastCall = "skan_last_call_to_skadnetwork_timestamp"
  private static let names = ["__SESSION__", "level", "Level", "buy"]
  private static let gaps: [Int64] = [0, 0, 1, 2, 5, 30, 59, 60, 61, 61, 90, 600, 3600, 3600, 86_400, 172_800, 500_000]
  private static let answers: [CapturedAnswer] =
    [.notCaptured, .status(200), .status(500), .failure(""), .failure("reset"), .unreadable(200)]
    + [
      (200, #"{"status":"ok"}"#), (200, #"{"status":"ok"}"#), (200, #"{"status":"ok"}"#), (503, ""), (200, "{}"),
      (200, #"{"status":"error","reason":"no device ID supplied"}"#),
      (200, #"{"status":"error","reason":"try later"}"#),
    ].map { .response(status: $0.0, body: Array($0.1.utf8)) }

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(seed))
    hasTimes = Int.random(in: 0..<6, using: &random) > 0
    for number in 0..<Int.random(in: 1...3, using: &random) { add(phone: number) }
    if hasTimes {
      requests = requests.enumerated().sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }
        .map(\.element)
    }
    for index in requests.indices { requests[index].entry = index + 1 }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }
  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  /// What a phone keeps, and the time that it is.
  private struct Phone {
    let number: Int
    let isBySDID: Bool
    var now: Int64
    var first: Int64
    var last: Int64
    var fine = 0
  }

  private mutating func add(phone number: Int) {
    let start = Self.start + Int64(number * 17)
    var phone = Phone(number: number, isBySDID: chance(3), now: start, first: start, last: start)
    for _ in 0..<Int.random(in: 4...14, using: &random) {
      phone.now += pick(Self.gaps)
      let name = pick(Self.names)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        ask(name, &phone)
        phone.now += pick([0, 1, 2, 60, 61])
        if !chance(4) { report(name, phone) }
      case 4...5: report(name, phone)
      case 6:
        report(name, phone)
        phone.now += pick([0, 1, 59, 60, 61])
        ask(name, &phone)
      case 7...9: repeatReport(phone)
      case 10 where chance(2): (phone.first, phone.last, phone.fine) = (phone.now, phone.now, 0)
      default: ask(name, &phone)
      }
    }
  }

  private mutating func request(_ kind: EndpointKind, _ phone: Phone) -> SlowRequest {
    var request = SlowRequest(kind: kind, sent: phone.now, hasTime: hasTimes, answer: pick(Self.answers))
    request["a"] = chance(40) ? "other" : "k"
    request["i"] = chance(20) ? "com.example.app\(phone.number % 2)" : "com.example.App\(phone.number % 2)"
    let id = "SAME-\(phone.number)"
    if kind != .event(.v2) { request["idfv"] = chance(10) ? id.lowercased() : id }
    if phone.isBySDID, kind == .event(.v2) || kind == .launch && !chance(3) { request["sdid"] = "S\(phone.number)" }
    if kind == .launch { request["install"] = chance(3) ? "true" : "false" }
    if chance(8), !request.isAsk { return request }
    request[Self.firstCall] = "\(phone.first + (chance(12) ? 1 : 0))"
    request[Self.lastCall] = "\(phone.last + (chance(12) ? pick([-100_000, -1, 1, 600]) : 0))"
    request["skan_current_conversion_value"] = "\(phone.fine)"
    if chance(6) { request["p\(pick([0, 1, 2]))_coarse"] = pick(["0", "1"]) }
    if chance(10) {
      request["p\(pick([0, 1, 2]))_window_lock"] = "\(phone.first + pick([-1, 0, 1, 172_799, 172_800, 604_800]))"
    }
    return request
  }

  private mutating func ask(_ name: String, _ phone: inout Phone) {
    var request = request(.conversionValue(.v2), phone)
    request["n"] = name
    requests.append(request)
    if chance(3) { return }
    phone.last = phone.now + pick([0, 1])
    phone.fine = pick([0, 1, 2, 3])
  }

  private mutating func report(_ name: String, _ phone: Phone) {
    let event: EndpointKind = phone.isBySDID ? .event(.v2) : .event(.v1)
    var request = request(name == "__SESSION__" && !chance(15) ? .launch : event, phone)
    request["n"] = request.kind == .launch && !chance(10) ? "App" : name
    request.isPost = request.kind == .event(.v2) || chance(3)
    if !chance(4) { request["utime"] = "\(phone.now + (chance(8) ? pick([-30, 600, 601]) : 0))" }
    if name == "buy", request.kind != .launch {
      (request["amt"], request["cur"]) = ("1.5", "USD")
      if chance(2) { request["purchase_transaction_id"] = pick(["T1", "T2", "T3"]) }
    }
    requests.append(request)
  }

  /// Sends a report again: as it was, with newer values, with another amount, or in the other form.
  private mutating func repeatReport(_ phone: Phone) {
    let id = "SAME-\(phone.number)"
    let own = requests.filter { !$0.isAsk && ($0["idfv"]?.uppercased() == id || $0["sdid"] == "S\(phone.number)") }
    guard var request = chance(2) ? own.last : own.randomElement(using: &random) else { return }
    (request.sent, request.answer) = (phone.now, pick(Self.answers))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: request[Self.lastCall] = "\(phone.last)"
    case 1: request["ua"] = "x"
    case 2 where request["amt"] != nil: request["amt"] = "2.5"
    case 3: request["utime"] = request["utime"].map { _ in "\(phone.now)" }
    case 4 where request.kind != .event(.v2): request.isPost.toggle()
    default: break
    }
    requests.append(request)
  }
}
