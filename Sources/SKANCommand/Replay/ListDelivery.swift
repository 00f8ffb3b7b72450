import SKANDevice
import SKANBase
import SKANRun

/// Delivers the postbacks of all phones of the lists: `skan replay --send`.
///
/// Each attempt is made in the order of the phones' time, at once: nothing waits for a day of theirs.
struct ListDelivery {
  private let courier: PostbackCourier
  private let redactor: Redactor
  private let environment: Environment

  /// - Parameter redactor: takes the key of the replay out of what a receiver answers.
  init(_ courier: PostbackCourier, _ redactor: Redactor, _ environment: Environment) {
    self.courier = courier
    self.redactor = redactor
    self.environment = environment
  }

  /// Makes every attempt, and shows it.
  func run(_ departures: [Departure], _ plan: ReplayPlan) throws(CommandError) -> ExitCode {
    let output = Output(environment, isQuiet: plan.mode == .quiet, redactor: redactor)
    let namesLists = Set(departures.map(\.list)).count > 1
    var origins: [Departure] = []
    var parcels: [Parcel] = []
    for departure in departures {
      let new = try courier.parcels(departure.postbacks)
      parcels += new
      origins += new.map { _ in departure }
    }
    var queue = ParcelQueue(parcels)
    var count = 0
    let ending = try courier.deliver(&queue, by: nil) { (attempt, index, isOver) throws(CommandError) in
      guard isOver else { return }
      count += 1
      try show(attempt, of: origins[index], namesList: namesLists, plan.mode, output)
    }
    if plan.mode == .steps || plan.mode == .test {
      let arrived = queue.parcels.count { $0.ending == .ok }
      let sent = departures.reduce(0) { $0 + $1.postbacks.count }.counted("postback")
      let deliveries = queue.parcels.count.counted("delivery", "deliveries")
      try output.line(
        "\(sent) of \(departures.count.counted("phone")): \(arrived) of \(deliveries) arrived, in \(count.counted("attempt"))"
      )
    }
    return ending
  }

  private func show(
    _ attempt: Delivery, of origin: Departure, namesList: Bool, _ mode: ReplayPlan.Mode, _ output: Output
  ) throws(CommandError) {
    switch mode {
    case .steps:
      let phone = [namesList ? origin.list : "", origin.device].filter { !$0.isEmpty }.joined(separator: " ")
      let name = "\(phone)\(phone.isEmpty ? "" : " ")P\(attempt.window.rawValue)"
      try output.line(StyledText(attempt.displayText(of: name), attempt.hasArrived ? nil : .failure))
    case .json: try output.result(JSONWriter.text(DeliveryOfPhone(attempt: attempt, origin: origin)))
    case .test, .summary, .quiet: break
    }
  }
}

/// What `--send --json` prints: an attempt, and whose postback it is.
struct DeliveryOfPhone: JSONObjectWritable {
  let attempt: Delivery
  let origin: Departure

  static let fields = JSONFields<DeliveryOfPhone> {
    JSONField("device", "the phone's name in the list") { $0.origin.device }
    JSONField("file", "the list that the phone is in") { $0.origin.list }
    Delivery.fields.rows.map { $0.of { $0.attempt } }
  }
}
