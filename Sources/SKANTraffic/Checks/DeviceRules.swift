import SKANDevice
import SKANModel

/// The facts about one device, and the rules about several of its requests.
///
/// Its size is limited: at most ``limit`` requests of each kind are remembered.
struct DeviceRules {
  /// The most requests of a kind that are remembered.
  static let limit = 64
  /// The seconds after which an expected request counts as missing; more than five attempts take.
  static let patience: Int64 = 60

  let device: TrafficDevice
  /// A finding at the first request, for findings about all requests.
  private let first: TrafficFinding
  /// The number of conversion_value requests.
  private(set) var conversions = 0
  private(set) var hasForwards = false
  /// The sender of the conversion_value requests; nil while it is unknown.
  private(set) var client: ConversionClient?
  /// The findings that are only right if the client is the snippet, while the client is unknown.
  private var ofSnippet: [TrafficFinding] = []
  /// The first and the last call in the latest conversion_value request.
  private var asked: (first: Int64?, last: Int64?)?
  /// The time of the latest request, in Unix seconds.
  private var last: Int64?
  private var delivery = DeliveryRules()
  private var order = OrderRules()
  private var install = InstallFacts()
  /// Possible findings that earlier installs left undecided.
  private var open: [TrafficFinding] = []

  /// - Parameter client: the sender of the conversion_value requests; nil to tell it from the second of them.
  init(_ device: TrafficDevice, first request: CheckedRequest, client: ConversionClient?) {
    self.device = device
    self.client = client
    first = request.finding(.idfvDiffers, "")
  }

  /// A finding at the device's first request.
  ///
  /// - Parameters:
  ///   - parameters: the names of the parameters that it is about.
  ///   - kinds: the requests during the device's life from whose absence it concludes.
  func finding(
    _ rule: TrafficRule, _ message: String, about parameters: [String], missing kinds: HiddenRequests.Kinds
  ) -> TrafficFinding {
    var finding = first
    (finding.rule, finding.message, finding.parameters) = (rule, message, parameters)
    return finding.missing(kinds, about: first.at?.wholeSeconds, last)
  }

  /// Whether both the snippet and the app's server sent requests.
  var hasBothSides: Bool { conversions > 0 && hasForwards }

  /// Checks a request, and adds findings.
  ///
  /// - Parameter hidden: the requests of the traffic whose parameters are unknown.
  mutating func check(
    _ request: CheckedRequest, of app: AppFacts, beside hidden: HiddenRequests, in context: TrafficContext,
    into findings: inout [TrafficFinding]
  ) {
    if let seconds = request.seconds { last = max(last ?? seconds, seconds) }
    if request.kind.isReport {
      hasForwards = true
    } else {
      conversions += 1
      if learnsClient(request) {
        findings += ofSnippet
        ofSnippet = []
      }
    }
    if request.kind.isReport, delivery.isRepeated(request, into: &findings) {
      if delivery.mayBeNew { install.acceptReport(request) }
      return
    }
    switch install.relation(to: request, beside: hidden) {
    case .same: break
    case .changed(let before):
      findings.append(
        request.finding(
          .firstCallChanged, "the first call is \(request.first), it was \(before).", about: [.firstCall]))
    case .other:
      // Expected requests belong to the previous install.
      install.finish(app, end: nil, into: &findings, open: &open)
      install = InstallFacts()
      order.beginInstall()
    case .earlier: return
    }
    order.check(request, isFresh: install.isFresh, into: &findings)
    let before = findings.count
    install.check(request, of: app, in: context, into: &findings)
    if client != .snippet, !request.kind.isReport { setAside(&findings, from: before) }
  }

  /// Tells the client from a request: the snippet sends previous values, and moves the last call with each answer.
  ///
  /// - Returns: whether the client was unknown, and is the snippet.
  private mutating func learnsClient(_ request: CheckedRequest) -> Bool {
    let kept = request.kept
    defer { asked = (kept.firstCall, kept.lastCall) }
    guard client == nil, let asked else { return false }
    let hasPrevious =
      kept.previousFineValue != nil || ConversionWindow.allCases.contains { kept.previousCoarseValue[$0] != nil }
    let hasMoved = kept.firstCall == asked.first && kept.lastCall != asked.last
    if hasPrevious || hasMoved { client = .snippet }
    return client != nil
  }

  /// Removes the findings that are only right if the client is the snippet. They are kept while the client is unknown.
  private mutating func setAside(_ findings: inout [TrafficFinding], from start: Int) {
    for index in findings.indices[start...].reversed() where findings[index].isOfSnippet {
      let finding = findings.remove(at: index)
      if client == nil, ofSnippet.count < Self.limit { ofSnippet.append(finding) }
    }
  }

  /// Adds the findings that only the end reveals.
  ///
  /// - Parameters:
  ///   - end: the time of the capture's last request, in Unix seconds.
  ///   - open: receives possible findings that the end leaves undecided.
  mutating func finish(
    _ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding], open: inout [TrafficFinding]
  ) {
    open += self.open
    delivery.finish(end: end, into: &findings, open: &open)
    order.finish(into: &findings)
    install.finish(app, end: end, into: &findings, open: &open)
  }
}

extension TrafficFinding {
  /// Whether it is only right if the snippet sent the request.
  ///
  /// A server sends `p1_coarse` and `p2_coarse` with every request, whether or not an answer gave them, and need not
  /// send the other coarse values.
  fileprivate var isOfSnippet: Bool {
    switch rule {
    case .windowTooEarly: true
    case .valueNeverAnswered, .answerNotShown, .staleRequest: parameters.allSatisfy(Self.coarseNames.contains)
    default: false
    }
  }

  private static let coarseNames = Set(ConversionWindow.allCases.map { StoreEntry.coarseValue($0).name })
}

extension CheckedRequest {
  /// The first call in messages.
  fileprivate var first: String { kept.firstCall.map(String.init) ?? "missing" }
}

/// The facts about one install of the app on a device; a new first call begins another install.
struct InstallFacts {
  private var newest: KeptState?
  /// The time of the newest state, in Unix seconds.
  private var newestSeconds: Int64?
  private var conversions = StateRules()
  private var forwards = StateRules()
  private var answers = AnswerRules()
  private var pairs = PairRules()
  private var metadata = MetadataRules()
  private var revenue = RevenueRules()

  /// How a request belongs to the install.
  enum Relation {
    case same
    /// The request belongs to this install, as its kept state shows, but has a different first call; with the previous
    /// one.
    case changed(from: Int64)
    /// The request belongs to a later install.
    case other
    /// The request belongs to an earlier install, and is late.
    case earlier
  }

  /// Whether the requests begin right after the registration.
  private(set) var isFresh = false

  /// - Parameter hidden: the requests whose parameters are unknown. Behind one, equal values do not show one install.
  func relation(to request: CheckedRequest, beside hidden: HiddenRequests) -> Relation {
    let kept = request.kept
    guard let newest, let before = newest.firstCall, let now = kept.firstCall, now != before else { return .same }
    let between = Absence(kinds: .request, from: newestSeconds ?? .min, to: request.seconds ?? .max)
    if kept.carriesOver(newest), !hidden.mayBe(between) { return .changed(from: before) }
    return now < before ? .earlier : .other
  }

  /// Takes a report that may be a new one or a repetition: it is not missed.
  mutating func acceptReport(_ request: CheckedRequest) { pairs.acceptReport(request) }

  mutating func check(
    _ request: CheckedRequest, of app: AppFacts, in context: TrafficContext, into findings: inout [TrafficFinding]
  ) {
    if newest == nil { isFresh = request.kept.firstCall != nil && request.kept.isFresh }
    metadata.check(request, conversion: conversions.last, forwarded: forwards.last, into: &findings)
    pairs.check(request, firstCall: newest?.firstCall, of: app, into: &findings)
    if request.isEvent {
      revenue.check(
        request, before: forwards.last, since: forwards.lastSeconds, isFresh: isFresh, into: &findings)
    }
    answers.check(request, completion: context.completion, into: &findings)
    let refunds = revenue.hasRefund
    if !request.kind.isReport {
      conversions.check(request, hasRefund: refunds, into: &findings)
    } else if !request.metadata.isEmpty {
      forwards.check(request, hasRefund: refunds, into: &findings)
    }
    if request.kept.firstCall != nil { (newest, newestSeconds) = (request.kept, request.seconds) }
  }

  /// - Parameters:
  ///   - end: the time of the capture's last request, in Unix seconds; nil where another install follows.
  ///   - open: receives possible findings that the end leaves undecided.
  mutating func finish(
    _ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding], open: inout [TrafficFinding]
  ) {
    pairs.finish(app, end: end, into: &findings, open: &open)
    metadata.finish(into: &findings, open: &open)
    answers.finish(open: &open)
  }
}

extension KeptState {
  /// Whether something in this state can only come from the other one.
  fileprivate func carriesOver(_ other: KeptState) -> Bool {
    if let lastCall, lastCall == other.lastCall { return true }
    if previousFineValue != nil, previousFineValue == other.previousFineValue, fineValue == other.fineValue {
      return true
    }
    for (now, before) in [(iapRevenue, other.iapRevenue), (adRevenue, other.adRevenue)] {
      guard let now, let before, !before.sums.isEmpty else { continue }
      if before.sums.allSatisfy({ (now[$0.currency] ?? -.infinity) >= $0.amount }) { return true }
    }
    return false
  }
}
