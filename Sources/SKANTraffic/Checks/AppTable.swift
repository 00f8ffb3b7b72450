import SKANBase
import SKANModel

/// The facts about each app in a capture, and about all of them.
struct AppTable {
  private var apps: [AppFacts] = []
  private var indexes: [String: Int] = [:]

  var count: Int { apps.count }

  subscript(index: Int) -> AppFacts {
    get { apps[index] }
    _modify { yield &apps[index] }
  }

  /// The facts about an app; empty for an unknown one.
  subscript(name: String) -> AppFacts { indexes[name].map { apps[$0] } ?? AppFacts() }

  /// - Parameter name: the bundle identifier in lower case.
  mutating func index(of name: String) -> Int {
    if let index = indexes[name] { return index }
    indexes[name] = apps.count
    apps.append(AppFacts())
    return apps.count - 1
  }

  /// The time of the latest request, in Unix seconds.
  var lastSeconds: Int64? { apps.compactMap(\.lastSeconds).max() }

  /// Whether an app has enough devices with an address to compare them.
  var hasSeveralDevices: Bool { apps.contains { $0.addressedDevices >= AppFacts.comparedDevices } }

  /// The findings that only the end reveals.
  func finish() -> [TrafficFinding] { apps.compactMap(\.commonAddress) }
}

/// The facts about one app, over all its devices.
struct AppFacts {
  /// The number of devices from which on equal addresses are not a coincidence.
  static let comparedDevices = 3

  /// The bundle identifier as the first request spells it.
  private var spelling: String?
  /// The hash of the first key; keys themselves are not kept.
  private var key: UInt64?
  private(set) var conversions = 0
  private(set) var forwarded = 0
  /// Whether there were events that cannot be compared with other requests of their device.
  private(set) var hasUnlinkedEvents = false
  private(set) var lastSeconds: Int64?
  /// The number of devices with a known address.
  private(set) var addressedDevices = 0
  private var addressed: Set<TrafficDevice> = []
  private var address: (text: String, finding: TrafficFinding)?
  private var hasOneAddress = true

  /// Records the facts in a request; requests come in order of time.
  mutating func learn(_ request: CheckedRequest) {
    if request.kind.isReport { forwarded += 1 } else { conversions += 1 }
    if request.device?.kind == .sdid { hasUnlinkedEvents = true }
    if let seconds = request.seconds { lastSeconds = max(lastSeconds ?? seconds, seconds) }
    spelling = spelling ?? request.sent["i"]
    key = key ?? request.keyHash
    note(address: request)
  }

  /// The findings from comparing devices and endpoints.
  func findings(_ request: CheckedRequest) -> [TrafficFinding] {
    var findings: [TrafficFinding] = []
    if let text = request.sent["i"], let spelling, !spelling.isLiterally(text) {
      findings.append(request.finding(.bundleCase, "i is \(text) here and \(spelling) before.", about: ["i"]))
    }
    if let hash = request.keyHash, let key, key != hash {
      findings.append(
        request.finding(.keyDiffers, "a is another key than in the first request of the app.", about: ["a"]))
    }
    return findings
  }

  private mutating func note(address request: CheckedRequest) {
    // After a second address, only the number of devices matters.
    guard hasOneAddress || addressedDevices < Self.comparedDevices, let text = request.sent["ip"],
      InternetAddress(text)?.isPublic ?? false
    else { return }
    if let address, address.text != text { hasOneAddress = false }
    if address == nil { address = (text, request.finding(.sameAddress, "", about: ["ip"])) }
    guard let device = request.device, addressed.count < 1_000, addressed.insert(device).inserted else { return }
    addressedDevices += 1
  }

  /// The finding that all devices have the same address.
  var commonAddress: TrafficFinding? {
    guard hasOneAddress, addressedDevices >= Self.comparedDevices, let address else { return nil }
    var finding = address.finding
    finding.message = "ip is \(address.text) for all \(addressedDevices) devices."
    return finding.missing(.report, from: nil, to: nil)
  }
}

extension CheckedRequest {
  /// The hash of the key; nil without one, and for a redacted one.
  fileprivate var keyHash: UInt64? { sent["a"].flatMap { $0.isEmpty || $0.isRedacted ? nil : fnv1a($0) } }
}

extension String {
  /// Whether the text replaces a key that was redacted.
  var isRedacted: Bool {
    let text = uppercased()
    return text.contains("REDACTED") || text.contains("*")
  }
}
