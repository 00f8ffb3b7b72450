import SKANBase
import SKANDevice

/// One operation on one phone, from an event list or a single command.
package struct Step {
  package var operation: Operation
  /// The index of the phone in ``phones``.
  package var phone = 0
  /// The names of the list's phones; nil for a step outside a list.
  package var phones: NameTable?
  package var time: TimeSpec?
  /// Nil for a step without label, reason to skip and expectations, as most are.
  private(set) var notes: Notes?

  package init(_ operation: Operation, time: TimeSpec? = nil) {
    self.operation = operation
    self.time = time
  }

  package enum Operation: Sendable {
    // The large payloads are indirect, to keep a step small.
    indirect case device(DeviceProfile)
    case register(frameworkError: Int64?)
    case session(Update)
    case event(name: String, Update)
    case revenue(Revenue)
    case details
    case relaunch
    indirect case update(ios: IOSVersion?, appVersion: String?, snippet: SnippetVersion?)
    /// The list of a skipped `include`; the steps of any other replace it.
    case include(String)
    /// Lists the postbacks that have left the phone and those that are still to leave.
    case postbacks
    /// The app's server reports the phone's current state.
    indirect case forward(ForwardedRequest.Subject, ForwardOptions)
    /// The app calls AdAttributionKit itself.
    indirect case adAttributionKit(DirectUpdate)
    /// A click on an ad opens the app.
    indirect case reEngagement(OpenedAd)
    /// A tester makes a conversion on Apple's screen for development postbacks.
    indirect case development(DevelopmentConversion, tag: String?, country: String?)
    /// An ad for the app is shown on the phone, or tapped.
    indirect case impression(AdAttribution, seconds: Double?)
    /// The user downloads the app.
    case download(isRedownload: Bool)
  }

  package struct Revenue: Sendable {
    package var amount: Double
    /// Nil, which an app can pass too, adds nothing.
    package var currency: String?
    package var isAdMonetization: Bool

    package init(amount: Double, currency: String?, isAdMonetization: Bool) {
      self.amount = amount
      self.currency = currency
      self.isAdMonetization = isAdMonetization
    }
  }
}

extension Step {
  /// The label, the reason to skip, and the expectations of a step.
  final class Notes {
    let label: String?
    let skip: String?
    let expectations: [Expectation]

    init(label: String?, skip: String?, expectations: [Expectation]) {
      self.label = label
      self.skip = skip
      self.expectations = expectations
    }
  }

  package var label: String? { notes?.label }

  /// Why the step is skipped; nil when it runs.
  package var skip: String? { notes?.skip }

  package var expectations: [Expectation] { notes?.expectations ?? [] }

  /// Whether an expectation is about the outcome, and so says what happens without a request.
  package var expectsOutcome: Bool { hasExpectations && expectations.contains { $0.path == "outcome" } }

  package var hasExpectations: Bool { notes != nil && !expectations.isEmpty }

  package mutating func annotate(label: String? = nil, skip: String? = nil, expectations: [Expectation] = []) {
    let isPlain = label == nil && skip == nil && expectations.isEmpty
    notes = isPlain ? nil : Notes(label: label, skip: skip, expectations: expectations)
  }

  /// The phone's name; empty where the list names none.
  package var device: String { phones?.names[phone] ?? "" }

  /// Whether the step contains the endpoint's answer.
  package var hasAnswer: Bool { operation.answer != nil }

  /// Returns the step with the endpoint's answer in it; unchanged if its operation asks no endpoint.
  package func answered(_ answer: EndpointAnswer) -> Step {
    var step = self
    switch operation {
    case .session(var update):
      update.answer = answer
      step.operation = .session(update)
    case .event(let name, var update):
      update.answer = answer
      step.operation = .event(name: name, update)
    default: break
    }
    return step
  }

  /// Returns the step with the answer to its report in it; unchanged if it reports nothing.
  func reportAnswered(_ answer: EndpointAnswer) -> Step {
    var step = self
    if case .forward(let subject, let options) = operation {
      step.operation = .forward(subject, options.answered(answer))
    } else {
      step.operation = operation.forwarded(operation.forward?.answered(answer))
    }
    return step
  }
}

extension Step.Operation {
  /// How the app's server reports the step; nil when it does not.
  var forward: ForwardOptions? {
    switch self {
    case .session(let update), .event(_, let update): update.forward
    case .forward(_, let options): options
    default: nil
    }
  }

  /// Returns a session or an event that the app's server reports afterwards; any other operation unchanged.
  package func forwarded(_ options: ForwardOptions?) -> Step.Operation {
    switch self {
    case .session(var update):
      update.forward = options
      return .session(update)
    case .event(let name, var update):
      update.forward = options
      return .event(name: name, update)
    default: return self
    }
  }

  /// The value of `op` in an event list.
  package var name: String { spec.name }

  /// The name under which an update reports itself; nil for other operations.
  var eventName: String? {
    switch self {
    case .session: Device.sessionEventName
    case .event(let name, _): name
    default: nil
    }
  }

  /// The answer that replaces the endpoint's.
  var answer: EndpointAnswer? {
    switch self {
    case .session(let update), .event(_, let update): update.answer
    default: nil
    }
  }

  /// Whether the operation is an update, which asks an endpoint for values.
  package var asksEndpoint: Bool { eventName != nil }

  /// Whether the operation belongs to a phone.
  package var takesPhone: Bool { if case .include = self { false } else { true } }

  /// Whether the app runs during the operation.
  var runsApp: Bool {
    switch self {
    case .device, .postbacks, .include, .impression, .download, .development: false
    default: true
    }
  }

  /// Whether the operation happens on the phone at a time.
  package var takesTime: Bool { if case .device = self { false } else { true } }
}

extension Step {
  /// The options of a session or an event.
  package struct Update: Sendable {
    /// Nil when no option is set, as for most updates.
    private var given: Given?

    package init() {}

    private struct Settings {
      var answer: EndpointAnswer?
      var took: TimeSpan?
      var completionTook: TimeSpan?
      var options = UpdateOptions()
      var forward: ForwardOptions?

      var isEmpty: Bool {
        answer == nil && took == nil && completionTook == nil && options == UpdateOptions() && forward == nil
      }
    }

    private final class Given: Sendable {
      let settings: Settings
      init(_ settings: Settings) { self.settings = settings }
    }

    private var settings: Settings {
      get { given?.settings ?? Settings() }
      set { given = newValue.isEmpty ? nil : Given(newValue) }
    }

    /// Replaces the endpoint's answer.
    package var answer: EndpointAnswer? {
      get { given?.settings.answer }
      set { settings.answer = newValue }
    }

    /// How long the answer takes; nil for the actual duration, which in virtual time is zero.
    package var took: TimeSpan? {
      get { given?.settings.took }
      set { settings.took = newValue }
    }

    /// How long Apple's completion takes after the call; nil for the default.
    package var completionTook: TimeSpan? {
      get { given?.settings.completionTook }
      set { settings.completionTook = newValue }
    }

    package var options: UpdateOptions {
      get { given?.settings.options ?? UpdateOptions() }
      set { settings.options = newValue }
    }

    /// How the app's server reports the update afterwards; nil when it does not.
    package var forward: ForwardOptions? {
      get { given?.settings.forward }
      set { settings.forward = newValue }
    }
  }
}
