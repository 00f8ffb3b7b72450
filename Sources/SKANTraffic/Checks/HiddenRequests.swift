import SKANBase
import SKANDevice

/// Requests that are in the traffic while their parameters are unknown: a POST without its form, an entry that cannot be
/// read, the rest of a file that was cut.
///
/// Each may be the very request that a rule misses. A rule that concludes from something missing gives its finding an
/// ``Absence``, and the finding is dropped if a hidden request may be what is missing.
///
/// The memory is limited: requests of one kind that follow each other within a minute share a period, and beyond
/// ``limit`` periods the last one is extended.
package struct HiddenRequests: Sendable, Equatable {
  /// What a request may be or bring.
  package struct Kinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let launch = Kinds(rawValue: 1)
    static let event = Kinds(rawValue: 2)
    static let conversion = Kinds(rawValue: 4)
    /// An answer with a value for the phone.
    static let value = Kinds(rawValue: 8)
    static let report: Kinds = [.launch, .event]
    static let request: Kinds = [.report, .conversion]
    static let all: Kinds = [.request, .value]

    init(_ kind: EndpointKind) {
      switch kind {
      case .conversionValue: self = .conversion
      case .launch: self = .launch
      case .event: self = .event
      }
    }
  }

  /// Why a request's parameters are unknown.
  package enum Cause: Sendable, Equatable {
    /// The capture lacks the form of a POST.
    case withoutForm(EndpointKind)
    /// The body is of a form that the endpoint does not read, or the parameters cannot be decoded.
    case unreadable(EndpointKind)
    /// An entry of a capture cannot be read.
    case entry
    /// A file cannot be read to its end.
    case file
    /// The TLS of a host was not decrypted.
    case tunnel(host: String)
  }

  fileprivate struct Period: Equatable {
    var kinds: Kinds
    /// Unix seconds; the first and last numbers of the type for an unknown time.
    var from: Int64
    var to: Int64
  }

  /// Hidden requests with the same cause.
  fileprivate struct Group: Equatable {
    let cause: Cause
    var kinds: Kinds
    var count = 0
    let first: CaptureLocation
  }

  /// The most periods.
  private static let limit = 1_024
  /// The most hosts that are named.
  private static let mostGroups = 16

  private var periods: [Period] = []
  private var groups: [Group] = []

  package init() {}

  /// Whether there is none.
  package var isEmpty: Bool { groups.isEmpty }

  /// Adds a request whose endpoint, time and answer are known.
  mutating func add(_ captured: CapturedRequest, _ kind: EndpointKind, _ cause: Cause) {
    var kinds = Kinds(kind)
    if captured.mayGiveValue(kind) { kinds.insert(.value) }
    add(kinds, cause, at: captured.at?.wholeSeconds, captured.location)
  }

  /// - Parameter seconds: Unix seconds; nil where the time is unknown.
  mutating func add(_ kinds: Kinds, _ cause: Cause, at seconds: Int64?, _ location: CaptureLocation) {
    if kinds.isEmpty { return }
    if let index = groups.firstIndex(where: { $0.cause == cause }) {
      groups[index].count += 1
      groups[index].kinds.formUnion(kinds)
    } else if groups.count < Self.mostGroups {
      groups.append(Group(cause: cause, kinds: kinds, count: 1, first: location))
    }
    let (from, to) = (seconds ?? .min, seconds ?? .max)
    if let index = periods.lastIndex(where: { $0.kinds == kinds }),
      periods.count >= Self.limit || periods[index].isNear(from, to)
    {
      periods[index].from = min(periods[index].from, from)
      periods[index].to = max(periods[index].to, to)
    } else {
      periods.append(Period(kinds: kinds, from: from, to: to))
    }
  }

  /// Whether a hidden request may be one that a rule misses.
  func mayBe(_ absence: Absence) -> Bool {
    periods.contains {
      !$0.kinds.isDisjoint(with: absence.kinds) && $0.from <= absence.to && $0.to >= absence.from
    }
  }

  /// Whether a finding is none because a hidden request may be what it misses.
  func excuses(_ finding: TrafficFinding) -> Bool { finding.absence.map(mayBe) ?? false }

  /// A text such as "1 launch without its form, entry 2 of capture.har"; nil without a request of these kinds.
  func reason(for kinds: Kinds) -> String? {
    let known = groups.filter { !$0.kinds.isDisjoint(with: kinds) }
    return known.isEmpty ? nil : known.map(\.text).joined(separator: "; ")
  }

  /// The location of the first request of these kinds.
  func location(for kinds: Kinds) -> CaptureLocation? {
    groups.first { !$0.kinds.isDisjoint(with: kinds) }?.first
  }
}

extension HiddenRequests.Period {
  /// Whether a time is in the period or within a minute of it; never for an unknown time beside a known one.
  fileprivate func isNear(_ from: Int64, _ to: Int64) -> Bool {
    if from == .min || self.from == .min { return from == self.from }
    return from <= self.to + DeviceRules.patience && to >= self.from - DeviceRules.patience
  }
}

extension HiddenRequests.Group {
  fileprivate var text: String {
    let isOne = count == 1
    let place = "\(isOne ? "" : "the first ")entry \(first.entry) of \(first.file)"
    return switch cause {
    case .withoutForm(let kind): "\(count) \(kind.name) without \(isOne ? "its form" : "their forms"), \(place)"
    case .unreadable(let kind): "\(count) \(kind.name) with unreadable parameters, \(place)"
    case .entry: "\(count) unreadable \(isOne ? "entry" : "entries"), \(place)"
    case .file: "\(count.counted("file")) not read to the end\(isOne ? "" : ", the first"): \(first.file)"
    case .tunnel(let host): "TLS of \(host) that was not decrypted"
    }
  }
}

extension CapturedRequest {
  /// Whether the answer may have given the phone a value.
  fileprivate func mayGiveValue(_ kind: EndpointKind) -> Bool {
    guard kind.isReport else { return true }
    return switch reply {
    case nil, .ok(_?)?: true
    case .ok?, .refused?, .failed?: false
    }
  }
}

/// What a finding concludes to be missing: requests of some kinds in a span of time.
struct Absence: Sendable, Equatable {
  /// The seconds around a request in which a request without parameters may belong to it.
  static let reach: Int64 = 3600

  let kinds: HiddenRequests.Kinds
  /// Unix seconds.
  let from: Int64
  let to: Int64

  /// The earliest time of a request that belongs to one at this time.
  static func start(_ seconds: Int64) -> Int64 { seconds < .min + reach ? .min : seconds - reach }

  /// The latest time of a request that belongs to one at this time.
  static func end(_ seconds: Int64) -> Int64 { seconds > .max - reach ? .max : seconds + reach }
}

extension TrafficFinding {
  /// The finding, if no hidden request may be what is missing.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of requests, any of which would change the finding.
  ///   - from: the earliest time of such a request, in Unix seconds; nil for any.
  ///   - to: the latest time; nil for any.
  func missing(_ kinds: HiddenRequests.Kinds, from: Int64?, to: Int64?) -> TrafficFinding {
    var finding = self
    finding.absence = Absence(kinds: kinds, from: from ?? .min, to: to ?? .max)
    return finding
  }

  /// The finding, if no hidden request at about these times may be what is missing.
  func missing(_ kinds: HiddenRequests.Kinds, about from: Int64?, _ to: Int64?) -> TrafficFinding {
    missing(kinds, from: from.map(Absence.start), to: to.map(Absence.end))
  }
}

extension TrafficRule {
  /// The requests from whose absence the rule concludes.
  var concludesFromMissing: HiddenRequests.Kinds {
    switch self {
    case .eventBeforeSession: .launch
    case .eventNotUpdated, .sessionNotUpdated: .conversion
    case .eventNotForwarded, .sameAddress, .errorTakenAsDelivered, .failureNotRetried: .report
    case .reportedBeforeUpdated, .eventNameCase, .idfvDiffers, .firstCallChanged: .request
    case .revenueTwice, .revenueMismatch, .revenueShrank: .event
    case .valueNeverAnswered, .previousNeverCurrent, .answerNotShown, .metadataStale: .value
    default: []
    }
  }
}

extension HiddenRequests.Kinds {
  /// The requests that an unreadable text of an entry may be, by the names of endpoints in it.
  init(in text: UnsafeBufferPointer<UInt8>) {
    self = []
    for kind in EndpointKind.allCases where unsafe text.has("/\(kind.name)") {
      formUnion([Self(kind), .value])
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether an ASCII text is in the bytes.
  fileprivate func has(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard let first = text.first, count >= text.count else { return false }
    for start in 0...(count - text.count) where unsafe self[start] == first {
      if unsafe self[start..<start + text.count].elementsEqual(text) { return true }
    }
    return false
  }
}
