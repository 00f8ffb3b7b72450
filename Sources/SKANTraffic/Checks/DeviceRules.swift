import SKANDevice
import SKANModel

/// The facts remembered about one device, and the rules that look at several of its requests.
///
/// Its size is bounded: of requests that wait for something there are at most ``limit`` of each sort.
struct DeviceRules {
  /// How many requests of a sort are remembered.
  static let limit = 64
  /// A request may follow this much later, in seconds, before it counts as missing: as long as five tries take, and more.
  static let patience: Int64 = 60

  let device: TrafficDevice
  /// At the first request, for findings about all of them.
  private let first: TrafficFinding
  private(set) var hasConversions = false
  private(set) var hasForwards = false
  private var delivery = DeliveryRules()
  private var order = OrderRules()
  private var install = InstallLife()
  /// What earlier installs left open.
  private var open: [TrafficFinding] = []

  init(_ device: TrafficDevice, first request: CheckedRequest) {
    self.device = device
    first = request.finding(.idfvDiffers, "")
  }

  /// A finding at its first request.
  func finding(_ rule: TrafficRule, _ message: String) -> TrafficFinding {
    var finding = first
    (finding.rule, finding.message) = (rule, message)
    return finding
  }

  /// Whether both endpoints were asked.
  var hasBothSides: Bool { hasConversions && hasForwards }

  /// Adds what a request shows.
  mutating func check(_ request: CheckedRequest, of app: AppFacts, into findings: inout [TrafficFinding]) {
    if request.kind.isReport { hasForwards = true } else { hasConversions = true }
    if request.kind.isReport, delivery.isRepeated(request, into: &findings) { return }
    switch install.relation(to: request.kept) {
    case .same: break
    case .changed(let before):
      findings.append(request.finding(.firstCallChanged, "the first call is \(request.first), it was \(before)."))
    case .other:
      // What waits is of the install before.
      install.finish(app, end: nil, into: &findings, open: &open)
      install = InstallLife()
      order.beginInstall()
    case .earlier: return
    }
    order.check(request, isFresh: install.isFresh, into: &findings)
    install.check(request, of: app, into: &findings)
  }

  /// Adds what only the end shows.
  ///
  /// - Parameters:
  ///   - end: the time of the capture's last request, in Unix seconds.
  ///   - open: gets what the end leaves open.
  mutating func finish(
    _ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding], open: inout [TrafficFinding]
  ) {
    open += self.open
    delivery.finish(end: end, into: &findings, open: &open)
    order.finish(into: &findings)
    install.finish(app, end: end, into: &findings, open: &open)
  }
}

extension CheckedRequest {
  /// The first call as a message has it.
  fileprivate var first: String { kept.firstCall.map(String.init) ?? "missing" }
}

/// The facts remembered about one install of the app on a device: a new first call begins another.
struct InstallLife {
  private var newest: KeptState?
  private var conversions = StateRules()
  private var forwards = StateRules()
  private var answers = AnswerRules()
  private var pairs = PairRules()
  private var metadata = MetadataRules()
  private var revenue = RevenueRules()

  /// How a request belongs to the install.
  enum Relation {
    case same
    /// It is of this install, by what it keeps, with another first call; with the one before.
    case changed(from: Int64)
    /// It is of a later install.
    case other
    /// It is of an earlier install, and comes late.
    case earlier
  }

  /// Whether the requests begin right after register.
  private(set) var isFresh = false

  func relation(to kept: KeptState) -> Relation {
    guard let newest, let before = newest.firstCall, let now = kept.firstCall, now != before else { return .same }
    if kept.carriesOver(newest) { return .changed(from: before) }
    return now < before ? .earlier : .other
  }

  mutating func check(_ request: CheckedRequest, of app: AppFacts, into findings: inout [TrafficFinding]) {
    if newest == nil { isFresh = request.kept.firstCall != nil && request.kept.isFresh }
    metadata.check(request, conversion: conversions.last, forwarded: forwards.last, into: &findings)
    pairs.check(request, firstCall: newest?.firstCall, of: app, into: &findings)
    if request.isEvent { revenue.check(request, before: forwards.last, isFresh: isFresh, into: &findings) }
    answers.check(request, into: &findings)
    let refunds = revenue.hasRefund
    if !request.kind.isReport {
      conversions.check(request, hasRefund: refunds, into: &findings)
    } else if !request.metadata.isEmpty {
      forwards.check(request, hasRefund: refunds, into: &findings)
    }
    if request.kept.firstCall != nil { newest = request.kept }
  }

  /// - Parameters:
  ///   - end: the time of the capture's last request, in Unix seconds; nil where another install follows.
  ///   - open: gets what the end leaves open.
  mutating func finish(
    _ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding], open: inout [TrafficFinding]
  ) {
    pairs.finish(app, end: end, into: &findings, open: &open)
    metadata.finish(into: &findings, open: &open)
  }
}

extension KeptState {
  /// Whether something in it can only have been kept together with what another state has.
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
