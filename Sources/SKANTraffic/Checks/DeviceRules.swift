import SKANDevice
import SKANModel

/// What is remembered of one device, and the rules that look at several of its requests.
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
