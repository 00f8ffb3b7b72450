import SKANModel
import SKANBase

/// The facts remembered about each app in a capture, and about all of them.
struct AppTable {
  private var apps: [AppFacts] = []
  private var indexes: [String: Int] = [:]

  subscript(index: Int) -> AppFacts {
    get { apps[index] }
    _modify { yield &apps[index] }
  }

  /// The facts known about an app; none for an unknown one.
  subscript(name: String) -> AppFacts { indexes[name].map { apps[$0] } ?? AppFacts() }

  /// - Parameter name: the identifier in small letters.
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

  /// What only the end shows.
  func finish() -> [TrafficFinding] { apps.compactMap(\.commonAddress) }
}

/// The facts remembered about one app over its devices.
struct AppFacts {
  /// How many devices with the same address are more than chance.
  static let comparedDevices = 3

  /// The identifier as the first request wrote it.
  private var spelling: String?
  /// The hash of the first key, so that no key is kept.
  private var key: UInt64?
  private(set) var conversions = 0
  private(set) var forwarded = 0
  /// Whether events came that cannot be laid beside the other requests of their device.
  private(set) var hasUnlinkedEvents = false
  private(set) var lastSeconds: Int64?
  /// Devices of which an address is known.
  private(set) var addressedDevices = 0
  private var addressed: Set<TrafficDevice> = []
  private var address: (text: String, finding: TrafficFinding)?
  private var hasOneAddress = true

  /// Takes what a request says of the app; requests come in order of time.
  mutating func learn(_ request: CheckedRequest) {
    if request.kind.isReport { forwarded += 1 } else { conversions += 1 }
    if request.device?.kind == .sdid { hasUnlinkedEvents = true }
    if let seconds = request.seconds { lastSeconds = max(lastSeconds ?? seconds, seconds) }
    spelling = spelling ?? request.sent["i"]
    key = key ?? request.keyHash
    note(address: request)
  }

  /// The findings between devices and endpoints.
  func findings(_ request: CheckedRequest) -> [TrafficFinding] {
    var findings: [TrafficFinding] = []
    if let text = request.sent["i"], let spelling, !spelling.isLiterally(text) {
      findings.append(request.finding(.bundleCase, "i is \(text) here and \(spelling) before."))
    }
    if let hash = request.keyHash, let key, key != hash {
      findings.append(request.finding(.keyDiffers, "a is another key than in the first request of the app."))
    }
    return findings
  }

  private mutating func note(address request: CheckedRequest) {
    // After a second address it only matters whether there are devices enough to have compared them.
    guard hasOneAddress || addressedDevices < Self.comparedDevices, let text = request.sent["ip"],
      InternetAddress(text)?.isPublic ?? false
    else { return }
    if let address, address.text != text { hasOneAddress = false }
    if address == nil { address = (text, request.finding(.sameAddress, "")) }
    guard let device = request.device, addressed.count < 1_000, addressed.insert(device).inserted else { return }
    addressedDevices += 1
  }

  /// The finding that all devices have one address.
  var commonAddress: TrafficFinding? {
    guard hasOneAddress, addressedDevices >= Self.comparedDevices, let address else { return nil }
    var finding = address.finding
    finding.message = "ip is \(address.text) for all \(addressedDevices) devices."
    return finding
  }
}

extension CheckedRequest {
  /// The hash of its key; nil without one, and for one that was taken out.
  fileprivate var keyHash: UInt64? { sent["a"].flatMap { $0.isEmpty || $0.isRedacted ? nil : fnv1a($0) } }
}

extension String {
  /// Whether it stands for a key that was taken out of a capture.
  var isRedacted: Bool {
    let text = uppercased()
    return text.contains("REDACTED") || text.contains("*")
  }
}
