import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem

/// The result of checking captures. Equal findings of a device form a group; groups are in the order of devices, then
/// of rules.
///
/// Little is stored for each group, since a hundred thousand devices may have the same mistake. The request of a group
/// is read back when it is shown.
package struct TrafficReport {
  /// Findings with the same rule, device and message.
  package struct Group: Sendable {
    /// The first finding.
    package let finding: TrafficFinding
    /// The number of findings.
    package let count: Int
  }

  /// The parts of a request that reports show.
  package struct Shown: Sendable {
    /// The URL without secrets.
    package var url: String?
    /// The app in the request.
    package var app = TrafficApp()
  }

  /// A group in the form in which it is stored.
  private struct Entry {
    var message: String
    /// The first parameter that it is about.
    var parameter: String?
    var at: Instant?
    let rule: TrafficRule
    /// The index of the first request.
    let request: UInt32
    /// An index into ``devices``, or into ``otherDevices`` after adding ``other``.
    var device: UInt32
    var count: UInt32 = 1
  }

  /// A request for which the end of the capture leaves undecided whether it breaks a rule.
  package struct Open: Sendable {
    /// The possible finding. Its message is the part of ``reason`` before the request.
    package let finding: TrafficFinding
    /// The endpoint and the event.
    package let name: String
    /// The parts of the request that reports show.
    package let shown: Shown

    /// A text such as "the capture ends 3 s after evt level (capture.har entry 4)".
    package var reason: String {
      "\(finding.message) \(name) (\(finding.location.file) entry \(finding.location.entry))"
    }
  }

  private struct Key: Hashable {
    let device: TrafficDevice?
    let rule: TrafficRule
    let message: String
  }

  /// The counts of the selected requests.
  package private(set) var counts = TrafficCounts()
  /// The other entries of the captures.
  package let tally: CaptureTally
  /// The devices of the selected requests, in the order of their first requests.
  package private(set) var devices: [TrafficDevice?] = []
  /// The findings, in final order after ``finish(_:)``.
  private var entries: [Entry] = []
  /// Devices of findings that are not in the current part or not selected.
  private var otherDevices: [TrafficDevice?] = []
  /// Rules that these captures cannot answer, or not for all requests.
  package private(set) var gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)] = []
  /// The requests that the end of the captures leaves undecided, in the order of the entries.
  package private(set) var open: [Open] = []
  private let traffic: OrderedTraffic
  /// The devices and groups of the current part.
  private var partDevices: [TrafficDevice?: UInt32] = [:]
  private var partGroups: [Key: Int] = [:]
  /// The distinct messages and names of parameters, as many groups share one.
  private var messages: Set<String> = []
  private static let mostMessages = 10_000
  /// The request of the last finding and its secrets, cached for consecutive findings.
  private var last: (location: CaptureLocation, request: UInt32, secrets: [String])?

  /// A report without requests.
  ///
  /// - Parameter traffic: the requests of the findings.
  package init(_ traffic: OrderedTraffic, tally: CaptureTally) {
    self.traffic = traffic
    self.tally = tally
  }

  /// Counts a selected request. All requests of a device must be in one part.
  ///
  /// - Parameters:
  ///   - device: the sender, by its own parameters.
  ///   - answer: the answer to the request.
  package mutating func add(_ kind: EndpointKind, of device: TrafficDevice?, _ answer: CapturedAnswer) {
    counts.add(kind)
    counts.add(answer)
    if partDevices[device] != nil { return }
    partDevices[device] = UInt32(devices.count)
    devices.append(device)
    if device != nil { counts.devices += 1 }
  }

  /// Adds a finding.
  ///
  /// - Parameter request: the request that revealed the finding, which may be a later one.
  /// - Throws: when the request at the finding's location cannot be read back.
  package mutating func add(_ finding: TrafficFinding, at request: CapturedRequest? = nil) throws(FileError) {
    if last?.location != finding.location {
      // Every finding is about a request of the traffic.
      guard let index = traffic.index(of: finding.location) else { return }
      let isOwn = request?.location == finding.location
      let own = isOwn ? request : try traffic.request(index)
      last = (finding.location, index, own?.secrets ?? [])
    }
    guard let last else { return }
    let message = shared(TrafficSecrets.text(finding.message, without: last.secrets))
    let key = Key(device: finding.device, rule: finding.rule, message: message)
    if let index = partGroups[key] {
      entries[index].count += 1
      return
    }
    partGroups[key] = entries.count
    var device = partDevices[finding.device]
    if device == nil {
      device = Self.other + UInt32(otherDevices.count)
      otherDevices.append(finding.device)
    }
    entries.append(
      Entry(
        message: message, parameter: finding.parameters.first.map { parameter($0, last.secrets) }, at: finding.at,
        rule: finding.rule, request: last.request, device: device ?? .max))
  }

  /// The name of a parameter without secrets. A documented name is none, even if a secret is a part of it.
  private mutating func parameter(_ name: String, _ secrets: [String]) -> String {
    let isDocumented = RequestParameter.named(name) != nil || QueryParameter.names.contains(name)
    return shared(isDocumented ? name : TrafficSecrets.text(name, without: secrets))
  }

  /// A text that shares its memory with equal ones.
  private mutating func shared(_ text: String) -> String {
    messages.count < Self.mostMessages ? messages.insert(text).memberAfterInsert : text
  }

  /// The first index of the other devices.
  private static let other: UInt32 = 1 << 31

  /// Ends a part; its devices must not occur again.
  package mutating func endPart() {
    partDevices.removeAll(keepingCapacity: true)
    partGroups.removeAll(keepingCapacity: true)
  }

  /// Adds a possible finding that the end of the captures leaves undecided.
  ///
  /// - Throws: when its request cannot be read back.
  package mutating func add(open finding: TrafficFinding) throws(FileError) {
    // Every finding is about a request of the traffic.
    guard let index = traffic.index(of: finding.location) else { return }
    let request = try traffic.request(index)
    open.append(Open(finding: finding, name: request.withoutSecrets(request.name), shown: shown(request)))
  }

  /// Puts the findings in their final order.
  package mutating func finish(_ gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)]) {
    self.gaps = gaps
    endPart()
    (messages, last) = ([], nil)
    if !otherDevices.isEmpty {
      let known = Dictionary(devices.enumerated().map { ($1, UInt32($0)) }) { first, _ in first }
      for index in entries.indices where entries[index].device >= Self.other {
        let device = otherDevices[Int(entries[index].device - Self.other)]
        entries[index].device = known[device] ?? entries[index].device
      }
    }
    let rules = Dictionary(uniqueKeysWithValues: TrafficRule.allCases.enumerated().map { ($1, UInt32($0)) })
    var keys = entries.indices.map { index in
      // Devices that were not selected come last.
      (min(entries[index].device, Self.other), rules[entries[index].rule] ?? .max, UInt32(index))
    }
    keys.sort { $0 < $1 }
    entries = keys.map { entries[Int($0.2)] }
  }

  /// The groups, in final order after ``finish(_:)``.
  package var groups: some RandomAccessCollection<Group> { entries.lazy.map(group) }

  private func group(_ entry: Entry) -> Group {
    let index = Int(entry.device)
    let device = entry.device < Self.other ? devices[index] : otherDevices[index - Int(Self.other)]
    return Group(
      finding: TrafficFinding(
        entry.rule, entry.message, parameters: entry.parameter.map { [$0] } ?? [],
        location: traffic.location(entry.request), at: entry.at, device: device),
      count: Int(entry.count))
  }

  /// Visits the groups in order, each with the shown parts of its first request.
  ///
  /// - Throws: an error of the visitor, or why a request cannot be read back.
  package func forEachGroup<Failure: Error>(
    _ failed: (FileError) -> Failure, _ visit: (Group, Shown) throws(Failure) -> Void
  ) throws(Failure) {
    var last: (request: UInt32, shown: Shown)?
    for entry in entries {
      if last?.request != entry.request {
        do throws(FileError) { last = (entry.request, shown(try traffic.request(entry.request))) } catch {
          throw failed(error)
        }
      }
      try visit(group(entry), last?.shown ?? Shown())
    }
  }

  private func shown(_ request: CapturedRequest) -> Shown {
    let secrets = request.secrets
    return Shown(
      url: TrafficSecrets.text(request.redactedURL, without: secrets), app: TrafficApp(request, without: secrets))
  }

  /// The rules that these captures cannot answer at all, or not where a hidden request may be what they miss; and why.
  package var unevaluated: [(rule: TrafficRule, reason: String)] {
    gaps.compactMap { rule, gap in
      switch gap {
      case .all(let reason): (rule, reason)
      case .hidden(let reason): (rule, "for a part, since \(reason)")
      case .part: nil
      }
    }
  }

  /// The number of findings of a level.
  package func count(_ level: TrafficRule.Level) -> Int {
    entries.reduce(0) { $0 + ($1.rule.level == level ? Int($1.count) : 0) }
  }

  /// Whether there is a finding of this level or a more severe one.
  package func fails(on level: TrafficRule.Level) -> Bool { entries.contains { $0.rule.level.isAtLeast(level) } }
}

extension TrafficRule.Level {
  /// Whether this level equals the other or is more severe.
  package func isAtLeast(_ other: TrafficRule.Level) -> Bool {
    let order = Self.allCases
    return (order.firstIndex(of: self) ?? 0) <= (order.firstIndex(of: other) ?? 0)
  }
}

/// The number of requests of each kind.
package struct TrafficCounts: Sendable, Equatable {
  /// Sessions reported by the app's server.
  package var launches = 0
  /// Events reported by the app's server, of either version.
  package var events = 0
  /// Requests of the snippet.
  package var conversionValues = 0
  /// The number of devices; requests without an identifier have none.
  package var devices = 0
  /// The numbers of answers with a status of 400 to 499, and of 500 or more.
  package private(set) var clientErrors = 0, serverErrors = 0

  package init() {}

  /// Counts the answer to a request.
  package mutating func add(_ answer: CapturedAnswer) {
    switch answer.status ?? 0 {
    case 400...499: clientErrors += 1
    case 500...: serverErrors += 1
    default: break
    }
  }

  /// The number of all requests.
  package var total: Int { launches + events + conversionValues }

  package mutating func add(_ kind: EndpointKind) {
    switch kind {
    case .launch: launches += 1
    case .event: events += 1
    case .conversionValue: conversionValues += 1
    }
  }
}

/// The app in a request, for the columns of Singular's SDK audit.
package struct TrafficApp: Sendable, Equatable {
  /// `n` of a launch, which is the app's name.
  package var name = ""
  /// `i`.
  package var bundle = ""
  /// `p`.
  package var platform = ""
  /// `app_v`.
  package var version = ""

  init() {}

  /// - Parameter secrets: what no value may contain.
  init(_ request: CapturedRequest, without secrets: [String]) {
    guard let sent = request.sent else { return }
    func value(_ name: String) -> String { sent[name].map { TrafficSecrets.text($0, without: secrets) } ?? "" }
    if EndpointKind(path: request.request.path) == .launch { name = value("n") }
    bundle = value("i")
    platform = value("p")
    version = value("app_v")
  }
}

extension CapturedRequest {
  /// The parameters; nil when they cannot be decoded.
  var sent: SentParameters? { SentParameters(query: request.query, form: request.hasForm ? request.body : []) }

  /// The endpoint and the event, for messages.
  var name: String {
    guard let kind = EndpointKind(path: request.path) else { return request.path }
    if kind == .launch { return kind.name }
    return "\(kind.name) \(sent?["n"] ?? "")"
  }

  /// The device that sent the request, or that it reports; nil without an identifier.
  package var device: TrafficDevice? { sent.flatMap(TrafficDevice.init) }
}

/// The report as CSV with the columns of Singular's SDK audit, followed by ours, so that both files can be combined.
///
/// Source: Singular's article 4410128885787 ("SDK Audit"): App Name to Error Description.
extension TrafficReport {
  private static let columns = [
    "App Name", "App Bundle", "Platform", "App Version", "Validation Name", "Type", "Error Description", "Device",
    "Rule Basis", "Remedy", "Article", "File", "Entry", "Line", "Time", "Count", "URL",
  ]

  /// The header line, in the form of RFC 4180 but with a line feed.
  package static var csvHead: String { csvLine(columns) }

  fileprivate static func csvLine(_ fields: [String]) -> String {
    fields.map(\.csvField).joined(separator: ",") + "\n"
  }
}

extension TrafficReport.Group {
  /// The line of a group of equal findings.
  package func csvLine(_ shown: TrafficReport.Shown) -> String {
    finding.csvLine(shown, type: finding.rule.level.auditName, finding.message, count: count)
  }
}

extension TrafficReport.Open {
  /// The line of an undecided request.
  package var csvLine: String { finding.csvLine(shown, type: "Not evaluated", reason, count: 1) }
}

extension TrafficFinding {
  fileprivate func csvLine(
    _ shown: TrafficReport.Shown, type: String, _ description: String, count: Int
  ) -> String {
    let app = shown.app
    return TrafficReport.csvLine([
      app.name, app.bundle, app.platform, app.version, rule.rawValue, type, description,
      device.map { "\($0.kind.rawValue) \($0.id)" } ?? "", rule.basis.rawValue, rule.remedy, rule.article,
      location.file, String(location.entry), String(location.line), at?.description ?? "", String(count),
      shown.url ?? "",
    ])
  }
}

extension TrafficRule.Level {
  /// The name of the level in the audit.
  fileprivate var auditName: String {
    switch self {
    case .error: "Error"
    case .warning: "Warning"
    case .note: "Info"
    }
  }
}
