import SKANDevice
import SKANBase
import SKANRun

/// An app and its server, as a journal of `skan serve` shows them; a mistake can be planted in it.
struct SimulatedApp {
  /// What the app does wrong.
  enum Mistake: String, CaseIterable {
    /// An event comes before the registration.
    case eventBeforeRegister
    /// The revenue of a purchase is added twice.
    case revenueTwice
    /// The revenue of a purchase is reported, and not added.
    case revenueForgotten
    /// The metadata are read before the answer came.
    case staleValues
    /// The server is told in the completion handler alone, which is not always called.
    case handlerWaiting
    /// The phone's clock was set back, and the app goes by another one for its windows.
    case wrongWindow
  }

  /// What the app makes of values in the answers to its server's reports.
  enum ReportAnswers: String, CaseIterable {
    /// It applies a value that it does not have.
    case applied
    /// It applies each value.
    case reapplied
    case ignored
  }

  private let mistake: Mistake?
  /// Nil where the answers hold no value.
  private let reportAnswers: ReportAnswers?
  private var phone: Phone
  private let runner = StepRunner()
  private(set) var journal = ""
  /// How far the phone's clock was set back, in seconds.
  private var setBack: Int64 = 0
  private static let start: Int64 = 1_767_225_600

  /// Its first four days.
  init(_ mistake: Mistake? = nil, reportAnswers: ReportAnswers? = nil) {
    self.mistake = mistake
    self.reportAnswers = reportAnswers
    phone = Phone(
      device: Device(DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")), clock: PhoneClock(isVirtual: true))
    if mistake == .eventBeforeRegister { event("intro", at: 0, value: nil) }
    run(.register(frameworkError: nil), at: 5)
    report("launch", name: nil, at: 5, phone.device)
    event(nil, at: 6, value: 1)
    event("tutorial", at: 600, value: 3)
    event("share", at: 700, value: nil)
    event("purchase", at: 4000, value: 9, amount: 9.99)
    event(nil, at: 90_000, value: 9)
    event("level", at: 200_000, value: 12)
    // The user sets the clock back by two days; the app that goes by its server's clock does not see it.
    setBack = 172_800
    event("level", at: 260_000, value: 13)
    event(nil, at: 300_000, value: 14)
  }

  @discardableResult
  private mutating func run(_ operation: Step.Operation, at seconds: Int64) -> StepResult? {
    try? runner.run(Step(operation, time: Instant(unixSeconds: Self.start + seconds).map(TimeSpec.at)), on: &phone)
  }

  /// A session, or an event, perhaps with revenue: the snippet's request, and what the server reports.
  private mutating func event(_ name: String?, at seconds: Int64, value: Int64?, amount: Double? = nil) {
    let shown = seconds - setBack
    // By the phone's clock, or by one that was not set back.
    let time = mistake == .wrongWindow ? seconds : shown
    if let amount {
      for _ in 0..<(mistake == .revenueTwice ? 2 : mistake == .revenueForgotten ? 0 : 1) {
        run(.revenue(Step.Revenue(amount: amount, currency: "USD", isAdMonetization: false)), at: time)
      }
    }
    let text =
      value.map {
        #"{"conversion_value":\#($0),"skan_updated_coarse_value":\#($0 % 3),"status":"ok"}"#
      } ?? #"{"status":"ok"}"#
    var update = Step.Update()
    update.answer = .response(status: 200, body: Array(text.utf8))
    let before = phone.device
    let result = run(name.map { .event(name: $0, update) } ?? .session(update), at: time)
    if mistake == .wrongWindow, setBack > 0, result?.exchange != nil {
      // The time that is kept is the phone's all the same.
      phone.device.kept.lastCall = Self.start + shown
    }
    if result?.exchange != nil {
      let query = before.request(event: name ?? Device.sessionEventName).queryItems(sdkKey: "REDACTED")
      write("/api/v2/conversion_value", query, answer: text, at: shown)
    }
    if mistake == .handlerWaiting, result?.report.handler == nil { return }
    report(
      name == nil ? "launch" : "evt", name: name, at: shown, mistake == .staleValues ? before : phone.device,
      amount: amount)
  }

  private mutating func report(
    _ endpoint: String, name: String?, at seconds: Int64, _ device: Device, amount: Double? = nil
  ) {
    var query = [
      QueryItem("a", "REDACTED"), QueryItem("p", "iOS"), QueryItem("i", "com.example.app"), QueryItem("ve", "17.4"),
      QueryItem("idfv", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"), QueryItem("ip", "203.0.113.7"),
      QueryItem("app_v", "1.0"), QueryItem("utime", String(Self.start + seconds)),
    ]
    if let name { query.append(QueryItem("n", name)) }
    if let amount { query += [QueryItem("amt", "\(amount)"), QueryItem("cur", "USD")] }
    query += (try? device.details())?.queryItems ?? []
    guard let reportAnswers else {
      write("/api/v1/\(endpoint)", query, answer: #"{"status":"ok"}"#, at: seconds)
      return
    }
    let kept = phone.device.kept.fineValue?.int64 ?? 0
    // Each third one is the value that the phone has.
    let value = kept % 3 == 0 ? kept : kept + 1
    let answer = #"{"status":"ok","conversion_value":\#(value)}"#
    write("/api/v1/\(endpoint)", query, answer: answer, at: seconds)
    let isApplied = reportAnswers == .reapplied || (reportAnswers == .applied && value != kept)
    guard isApplied, let now = Instant(unixSeconds: Self.start + seconds + 2),
      case .request = phone.device.beginUpdate(at: now)
    else { return }
    _ = phone.device.finishUpdate(SnippetAnswer(.response(status: 200, body: Array(answer.utf8))), at: now)
  }

  private mutating func write(_ path: String, _ query: [QueryItem], answer: String, at seconds: Int64) {
    let line = JSON.object([
      ("answer", .string(answer)), ("at", .integer(Self.start + seconds)), ("explanation", .string("")),
      ("method", .string("GET")), ("path", .string(path)),
      ("query", .object(query.map { ($0.name, .optional($0.value)) })), ("status", .integer(200)),
    ])
    journal += JSONWriter.text(line) + "\n"
  }
}
