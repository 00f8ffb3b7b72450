import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSystem

/// Where postbacks go.
struct DeliveryOptions: Sendable {
  /// The ad network.
  let network: PostbackURL
  /// Nil is Apple's path on the server of the ad network.
  let developer: DeveloperCopy?
  let limits: HTTPAnswerLimits
  let isVerbose: Bool
}

/// Delivers what has left a phone, as the phone would: to the ad network, and a copy of a winning one to the developer;
/// what does not arrive again every day of the phone's time, up to nine times (the article "Postbacks").
struct PostbackSender {
  /// Says that a request is simulated, and for whom it is.
  static let header = "X-SKAN-Simulated"

  private let addresses: [Delivery.Recipient: PostbackURL]
  private let environment: Environment
  private let answerLimits: HTTPAnswerLimits
  private let signer: PostbackSigner
  private let isVerbose: Bool
  /// For answers: a receiver gets no SDK key from here, but may know it.
  private let redactor: Redactor

  init(_ options: DeliveryOptions, _ signer: PostbackSigner, _ redactor: Redactor, _ environment: Environment) {
    var addresses: [Delivery.Recipient: PostbackURL] = [.network: options.network]
    switch options.developer {
    case nil: addresses[.developer] = options.network.developerCopy
    case .to(let url)?: addresses[.developer] = url
    case .nowhere?: break
    }
    self.addresses = addresses
    self.signer = signer
    isVerbose = options.isVerbose
    self.environment = environment
    self.redactor = redactor
    answerLimits = options.limits
  }

  /// Delivers what has left the phone of a device file by a moment.
  ///
  /// Each attempt is recorded before it is made, and again with its ending: one whose end this process does not reach is
  /// an attempt all the same, and the next is made a day later. So a postback arrives at least once, as Apple's do.
  ///
  /// - Parameter save: writes the file.
  /// - Returns: whether all that has left has arrived.
  func deliver(
    _ postbacks: [Postback], by now: Instant, of file: inout DeviceFile,
    save: (DeviceFile) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    var queue = PendingDeliveryQueue(try pending(postbacks.filter { $0.state == .sent }, after: file.deliveries))
    return try deliver(&queue, by: now) { (attempt, _, isOver) throws(CommandError) in
      if isOver { file.deliveries.removeLast() }
      file.deliveries.append(attempt)
      try save(file)
    }
  }

  /// Makes every attempt that is due, in the order of the phones' time.
  ///
  /// - Parameters:
  ///   - now: by when an attempt is due; nil for all that there will be.
  ///   - record: gets each attempt before it is made, and again when it is over, with the index of its delivery.
  /// - Returns: whether all that has left has arrived.
  func deliver(
    _ queue: inout PendingDeliveryQueue, by now: Instant?,
    record: (_ attempt: Delivery, _ index: Int, _ isOver: Bool) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    while let (index, at) = queue.next(by: now) {
      let pending = queue.pending[index]
      var attempt = pending.attempt(at: at)
      try record(attempt, index, false)
      let (result, isInterrupted) = post(pending)
      attempt.result = result
      queue.add(attempt, to: index)
      try record(attempt, index, true)
      if isInterrupted { throw .interrupted }
    }
    return queue.ending
  }

  /// The signed postbacks on their way: to the ad network, and a copy of those that won to the developer.
  ///
  /// - Parameters:
  ///   - postbacks: those that have left.
  ///   - earlier: attempts, those of other postbacks too.
  func pending(_ postbacks: [Postback], after earlier: [Delivery] = []) throws(CommandError) -> [PendingDelivery] {
    try signer.signed(postbacks).flatMap { postback in
      guard let content = postback.content else { return [PendingDelivery]() }
      return Delivery.Recipient.allCases.compactMap { recipient in
        guard let url = addresses[recipient], recipient == .network || content.didWin ?? true else { return nil }
        return PendingDelivery(
          postback: postback, content: content, recipient: recipient, url: url,
          attempts: earlier.filter { $0.recipient == recipient && $0.isOf(postback) })
      }
    }
  }

  /// One attempt. One that is interrupted may have arrived, so it is an attempt like any other.
  private func post(_ pending: PendingDelivery) -> (Delivery.Result, isInterrupted: Bool) {
    let body = JSONWriter.text(pending.content.json)
    let request = HTTPRequest.post(
      pending.url.text, headers: [HTTPField(Self.header, pending.recipient.rawValue)], body: Array(body.utf8))
    let ending = environment.send(request, answerLimits)
    if isVerbose { trace(request, body, ending) }
    return switch ending {
    case .success(let exchange): (.answered(status: Int64(exchange.response.status)), isInterrupted: false)
    case .failure(.interrupted): (.failed("interrupted before an answer came"), isInterrupted: true)
    case .failure(let failure):
      (.failed(redactor.redacted(failure.message(url: pending.url.text))), isInterrupted: false)
    }
  }

  /// Shows what went over the wire.
  private func trace(_ request: HTTPRequest, _ body: String, _ ending: Result<HTTPExchange, TransportFailure>) {
    let sent = HTTPHop(request).lines { $0 } + ["> \(body)"]
    let answer =
      switch ending {
      case .success(let exchange): Self.lines(exchange.response)
      case .failure(let failure): ["* \(failure.message(url: request.target.text))"]
      }
    for line in sent + answer { environment.printError(StyledText(redactor.redacted(line))) }
  }
}

extension PostbackSender {
  private static func lines(_ response: HTTPResponse) -> [String] {
    ["< HTTP \(response.status)"] + response.headers.map { "< \($0.name): \($0.value)" }
      + (response.body.isEmpty ? [] : ["<", "< \(Trace.displayText(response.body).oneLine)"])
      + Trace.rest(of: response.body)
  }
}

/// Where the developer's copy of a winning postback goes.
enum DeveloperCopy: Sendable {
  case nowhere
  case to(PostbackURL)
}

extension ValueParser<DeveloperCopy> {
  static var developerCopy: Self {
    Self(.url, values: ["none"]) { (given) throws(CommandError) in
      given.text == "none" ? .nowhere : .to(try ValueParser<PostbackURL>.postbackURL.parse(given))
    }
  }
}

extension ValueParser<PostbackURL> {
  static var postbackURL: Self {
    Self(.url) { (given) throws(CommandError) in
      do throws(EndpointURLProblem) { return try PostbackURL(given.text) } catch { throw given.problem(error.message) }
    }
  }
}

/// A postback that has left a phone, on its way to one receiver.
struct PendingDelivery {
  let postback: Postback
  let content: PostbackContent
  let recipient: Delivery.Recipient
  let url: PostbackURL
  /// Those for this postback and this receiver so far.
  var attempts: [Delivery]

  /// When the next attempt is made; nil when it has arrived or is given up.
  var nextAttempt: Instant? { Delivery.nextAttempt(of: postback, to: recipient, after: attempts) }

  /// Its outcome so far.
  var ending: ExitCode {
    switch attempts.last?.result {
    case nil, .answered(200)?: .ok
    case .answered?: .badAnswer
    case .failed?: .unavailable
    }
  }

  /// The next attempt, before it is known whether it arrives.
  func attempt(at time: Instant) -> Delivery {
    Delivery(
      at: time, transactionID: content.transactionID, window: postback.window, recipient: recipient,
      url: url.address.text, result: .unknown)
  }
}

/// Postbacks on their way, of one phone or of many, in the order of their next attempts.
struct PendingDeliveryQueue {
  private(set) var pending: [PendingDelivery]
  /// Those with an attempt to come, the next one last. Of two at the same time the one that comes first is the next.
  private var waiting: [(at: Instant, index: Int)]

  init(_ pending: [PendingDelivery]) {
    self.pending = pending
    waiting = pending.enumerated().compactMap { index, pending in pending.nextAttempt.map { ($0, index) } }
    waiting.sort { Self.isLater($0, $1) }
  }

  private static func isLater(_ left: (at: Instant, index: Int), _ right: (at: Instant, index: Int)) -> Bool {
    left.at == right.at ? left.index > right.index : left.at > right.at
  }

  /// Takes the next attempt out; nil when none is due by a moment, or none is left.
  mutating func next(by now: Instant?) -> (index: Int, at: Instant)? {
    guard let next = waiting.last, now.map({ next.at <= $0 }) ?? true else { return nil }
    waiting.removeLast()
    return (next.index, next.at)
  }

  /// Adds an attempt that was made. Where it did not arrive, the next one is put in its place.
  mutating func add(_ attempt: Delivery, to index: Int) {
    pending[index].attempts.append(attempt)
    guard let at = pending[index].nextAttempt else { return }
    let position = waiting.partitioningIndex { Self.isLater((at, index), $0) }
    waiting.insert((at, index), at: position)
  }

  /// No answer at all says more of what is wrong than a wrong one.
  var ending: ExitCode {
    let endings = pending.map(\.ending)
    return endings.contains(.unavailable) ? .unavailable : endings.first { $0 != .ok } ?? .ok
  }
}

extension Array {
  /// The first index whose element fits, where all behind it do; the end when none does.
  fileprivate func partitioningIndex(_ fits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fits(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Delivers the postbacks of all phones of the lists: `skan replay --send`.
///
/// Each attempt is made in the order of the phones' time, at once: nothing waits for a day of theirs.
struct ListDelivery {
  private let sender: PostbackSender
  private let redactor: Redactor
  private let environment: Environment

  /// - Parameter redactor: takes the key of the replay out of what a receiver answers.
  init(_ sender: PostbackSender, _ redactor: Redactor, _ environment: Environment) {
    self.sender = sender
    self.redactor = redactor
    self.environment = environment
  }

  /// Makes every attempt, and shows it.
  func run(_ departures: [Departure], _ plan: ReplayPlan) throws(CommandError) -> ExitCode {
    let output = Output(environment, isQuiet: plan.mode == .quiet, redactor: redactor)
    let namesLists = Set(departures.map(\.list)).count > 1
    var origins: [Departure] = []
    var pending: [PendingDelivery] = []
    for departure in departures {
      let new = try sender.pending(departure.postbacks)
      pending += new
      origins += new.map { _ in departure }
    }
    var queue = PendingDeliveryQueue(pending)
    var count = 0
    let ending = try sender.deliver(&queue, by: nil) { (attempt, index, isOver) throws(CommandError) in
      guard isOver else { return }
      count += 1
      try show(attempt, of: origins[index], namesList: namesLists, plan.mode, output)
    }
    if plan.mode == .steps || plan.mode == .test {
      let arrived = queue.pending.count { $0.ending == .ok }
      let sent = departures.reduce(0) { $0 + $1.postbacks.count }.counted("postback")
      let deliveries = queue.pending.count.counted("delivery", "deliveries")
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

/// The output of `--send --json`: an attempt, and whose postback it is.
struct DeliveryOfPhone: JSONObjectWritable {
  let attempt: Delivery
  let origin: Departure

  static let fields = JSONFields<DeliveryOfPhone> {
    JSONField("device", "the phone's name in the list") { $0.origin.device }
    JSONField("file", "the list that the phone is in") { $0.origin.list }
    Delivery.fields.rows.map { $0.of { $0.attempt } }
  }
}
