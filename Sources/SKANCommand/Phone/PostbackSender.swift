import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSystem

/// The destinations of postbacks, and the settings of their delivery.
struct DeliveryOptions: Sendable {
  /// The address of the ad network.
  let network: PostbackURL
  /// The destination of the developer's copy; nil for Apple's path of the framework on the ad network's server.
  let developer: DeveloperCopy?
  let limits: HTTPAnswerLimits
  let isVerbose: Bool
}

/// Delivers the postbacks that have left a phone, as the phone would: to the ad network, and a copy of each winning one
/// to the developer. A failed delivery is repeated once a day of the phone's time, up to nine times (the article
/// "Postbacks").
struct PostbackSender {
  /// The header that marks a request as simulated and names its recipient.
  static let header = "X-SKAN-Simulated"

  private let network: PostbackURL
  private let developer: DeveloperCopy?
  private let environment: Environment
  private let answerLimits: HTTPAnswerLimits
  private let signer: PostbackSigner
  private let isVerbose: Bool

  /// The note about an address without a path; nil for any other address.
  var note: StyledText? {
    guard network.address.path == "/" else { return nil }
    return .remark(
      "\(network.address.text) has no path: postbacks go to Apple's, \(PostbackURL.developerPath), and those of "
        + "AdAttributionKit to \(PostbackURL.adAttributionKitPath)")
  }

  init(_ options: DeliveryOptions, _ signer: PostbackSigner, _ environment: Environment) {
    network = options.network
    developer = options.developer
    self.signer = signer
    isVerbose = options.isVerbose
    self.environment = environment
    answerLimits = options.limits
  }

  /// Delivers the postbacks that have left the phone of a device file by a moment.
  ///
  /// Each attempt is recorded before it is made, and updated when it ends. If the process dies in between, the attempt
  /// still counts, and the next one follows a day later. So each postback arrives at least once, as Apple's do.
  ///
  /// - Parameter save: writes the file.
  func deliver(
    _ postbacks: [Postback], by now: Instant, of file: inout DeviceFile,
    save: (DeviceFile) throws(CommandError) -> Void
  ) throws(CommandError) -> DeliveryEnding {
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
  ///   - now: the moment by which an attempt is due; nil for all attempts to come.
  ///   - record: called with each attempt and the index of its delivery, before it is made and again when it is over.
  func deliver(
    _ queue: inout PendingDeliveryQueue, by now: Instant?,
    record: (_ attempt: Delivery, _ index: Int, _ isOver: Bool) throws(CommandError) -> Void
  ) throws(CommandError) -> DeliveryEnding {
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

  /// The signed postbacks to deliver: to the ad network, and a copy of each winning one to the developer.
  ///
  /// - Parameters:
  ///   - postbacks: the postbacks that have left.
  ///   - earlier: the attempts so far, which may include those of other postbacks.
  func pending(_ postbacks: [Postback], after earlier: [Delivery] = []) throws(CommandError) -> [PendingDelivery] {
    try signer.signed(postbacks).flatMap { postback in
      guard let content = postback.content else { return [PendingDelivery]() }
      return Delivery.Recipient.allCases.compactMap { recipient in
        guard recipient == .network || postback.hasCopy, let url = address(of: recipient, content) else { return nil }
        return PendingDelivery(
          postback: postback, content: content, recipient: recipient, url: url,
          attempts: earlier.filter { $0.recipient == recipient && $0.isOf(postback) })
      }
    }
  }

  /// Where a postback goes; nil if the recipient does not get it.
  private func address(of recipient: Delivery.Recipient, _ content: PostbackContent) -> PostbackURL? {
    let path = content.kit == nil ? PostbackURL.developerPath : PostbackURL.adAttributionKitPath
    if recipient == .network { return network.address.path == "/" ? network.sibling(path: path) : network }
    switch developer {
    case nil: return content.kit == nil ? network.developerCopy : network.server(path: PostbackURL.adAttributionKitPath)
    case .to(let url)?: return url
    case .nowhere?: return nil
    }
  }

  /// Makes one attempt. An interrupted attempt counts, since it may have arrived.
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
      // Redacted here, since a device file keeps it.
      (.failed(environment.redactor.redacted(failure.message(url: pending.url.text))), isInterrupted: false)
    }
  }

  /// Shows the request and its answer as they went over the wire.
  private func trace(_ request: HTTPRequest, _ body: String, _ ending: Result<HTTPExchange, TransportFailure>) {
    let sent = HTTPHop(request).lines { $0 } + ["> \(body)"]
    let answer =
      switch ending {
      case .success(let exchange): Self.lines(exchange.response)
      case .failure(let failure): ["* \(failure.message(url: request.target.text))"]
      }
    for line in sent + answer { environment.printError([StyledText(line)]) }
  }
}

extension PostbackSender {
  private static func lines(_ response: HTTPResponse) -> [String] {
    ["< HTTP \(response.status)"] + response.headers.map { "< \($0.name): \($0.value)" }
      + (response.body.isEmpty ? [] : ["<", "< \(Trace.displayText(response.body).oneLine)"])
      + Trace.rest(of: response.body)
  }
}

/// The destination of the developer's copy of a winning postback.
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

/// The delivery of a postback to one recipient.
struct PendingDelivery {
  let postback: Postback
  let content: PostbackContent
  let recipient: Delivery.Recipient
  let url: PostbackURL
  /// The attempts to deliver the postback to this recipient so far.
  var attempts: [Delivery]

  /// The time of the next attempt; nil once the postback has arrived or is given up.
  var nextAttempt: Instant? { Delivery.nextAttempt(of: postback, to: recipient, after: attempts) }

  /// The exit code for the last attempt.
  var ending: ExitCode {
    switch attempts.last?.result {
    case nil, .answered(200)?: .ok
    case .answered?: .badAnswer
    case .failed?: .unavailable
    }
  }

  /// The next attempt, with an unknown result.
  func attempt(at time: Instant) -> Delivery {
    Delivery(
      at: time, transactionID: content.transactionID, window: postback.window, recipient: recipient,
      url: url.address.text, result: .unknown)
  }
}

/// How deliveries ended.
struct DeliveryEnding {
  /// `.ok` if everything that has left has arrived. A missing answer takes precedence over a wrong one.
  let code: ExitCode
  /// How many did not arrive, and the first of them; nil if all did.
  let reason: StyledText?
}

/// The deliveries of one or more phones, in the order of their next attempts.
struct PendingDeliveryQueue {
  private(set) var pending: [PendingDelivery]
  /// The deliveries with an attempt to come, sorted so that the next one is last. At equal times the lower index is
  /// next.
  private var waiting: [(at: Instant, index: Int)]

  init(_ pending: [PendingDelivery]) {
    self.pending = pending
    waiting = pending.enumerated().compactMap { index, pending in pending.nextAttempt.map { ($0, index) } }
    waiting.sort { Self.isLater($0, $1) }
  }

  private static func isLater(_ left: (at: Instant, index: Int), _ right: (at: Instant, index: Int)) -> Bool {
    left.at == right.at ? left.index > right.index : left.at > right.at
  }

  /// Removes and returns the next attempt; nil if none is due by a moment, or none is left.
  mutating func next(by now: Instant?) -> (index: Int, at: Instant)? {
    guard let next = waiting.last, now.map({ next.at <= $0 }) ?? true else { return nil }
    waiting.removeLast()
    return (next.index, next.at)
  }

  /// Adds an attempt that was made, and schedules the next one if it did not arrive.
  mutating func add(_ attempt: Delivery, to index: Int) {
    pending[index].attempts.append(attempt)
    guard let at = pending[index].nextAttempt else { return }
    let position = waiting.partitioningIndex { Self.isLater((at, index), $0) }
    waiting.insert((at, index), at: position)
  }

  /// How all deliveries ended.
  var ending: DeliveryEnding {
    let failed = pending.filter { $0.ending != .ok }
    let code = failed.contains { $0.ending == .unavailable } ? ExitCode.unavailable : failed.first?.ending ?? .ok
    let reason = failed.first?.attempts.last.map { attempt in
      StyledText.remark(
        "\(failed.count) of \(pending.count.counted("delivery", "deliveries")) did not arrive, the first "
          + attempt.displayText(of: ""), .failure)
    }
    return DeliveryEnding(code: code, reason: reason)
  }
}

extension Array {
  /// The first index whose element satisfies a predicate, in an array where all later ones do; `count` if none does.
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
/// The attempts are made in the order of the phones' time, without waiting for that time to pass.
struct ListDelivery {
  private let sender: PostbackSender
  private let environment: Environment

  init(_ sender: PostbackSender, _ environment: Environment) {
    self.sender = sender
    self.environment = environment
  }

  /// Makes every attempt, and prints it.
  func run(_ departures: [Departure], _ plan: ReplaySettings) throws(CommandError) -> ExitCode {
    let output = Output(environment, isQuiet: plan.mode == .quiet)
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
    if let reason = ending.reason { output.error([reason]) }
    return ending.code
  }

  private func show(
    _ attempt: Delivery, of origin: Departure, namesList: Bool, _ mode: ReplaySettings.Mode, _ output: Output
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

/// An entry of the output of `--send --json`: an attempt, and the phone whose postback it delivers.
struct DeliveryOfPhone: JSONObjectWritable {
  let attempt: Delivery
  let origin: Departure

  static let fields = JSONFields<DeliveryOfPhone> {
    JSONField("device", "the phone's name in the list") { $0.origin.device }
    JSONField("file", "the list that the phone is in") { $0.origin.list }
    Delivery.fields.rows.map { $0.of { $0.attempt } }
  }
}
