import SKANBase
import SKANDevice

/// The description of one operation of event lists: its name, its keys, and how to read it. ``StepRunner`` runs it.
///
/// Each operation is one row; ``all`` lists them, and ``Step/Operation/spec`` gives the row of a step.
struct OperationSpec: Sendable {
  /// Reads the operation's own members into a step whose other members are already read. Problems stay in the reader.
  typealias Decode = @Sendable (inout JSONObjectReader, inout Step) -> Void

  /// The value of `op`.
  let name: String
  /// The name of such a step in messages.
  let subject: StaticString
  /// The keys that such a step may have.
  let allowed: JSONKeys.Subset
  /// Whether the operation belongs to a phone; only `include` does not.
  let takesPhone: Bool
  let decode: Decode

  /// - Parameters:
  ///   - common: the keys that the operation shares with others.
  ///   - keys: the operation's own keys.
  ///   - profileKeys: the keys of a phone's profile that the operation also has.
  init(
    _ name: String, _ subject: StaticString, common: [StepKey] = StepKey.common, keys: [StepKey] = [],
    profileKeys: [String] = [], decode: @escaping Decode
  ) {
    self.name = name
    self.subject = subject
    takesPhone = common.contains(.device)
    allowed = JSONKeys.Subset(
      (common + keys).map(\.rawValue) + profileKeys.compactMap { StepKey.names.firstIndex(of: $0) })
    self.decode = decode
  }

  /// Every operation, in the order in which messages name them.
  static let all: [OperationSpec] = [
    device, register, session, event, revenue, details, relaunch, update, postbacks, forward,
    adAttributionKit, reEngagement, development, impression, download, include,
  ]

  static let names = all.map(\.name)

  /// The step that does what a key asks for that a step does not have; nil for any other key.
  static func advice(about key: String) -> String? {
    if key == revenue.name || Step.Revenue.keys.contains(where: { $0.text == key }) {
      return "revenue is a step of its own, as in {\"op\":\"revenue\",\"amount\":4.99,\"currency\":\"USD\"}"
    }
    guard names.contains(key), !StepKey.names.contains(key) else { return nil }
    return "\(key) is a step of its own, as in {\"op\":\(JSONWriter.quoted(key))}"
  }
}

extension Step.Operation {
  /// The row of the operation.
  var spec: OperationSpec {
    switch self {
    case .device: .device
    case .register: .register
    case .session: .session
    case .event: .event
    case .revenue: .revenue
    case .details: .details
    case .relaunch: .relaunch
    case .update: .update
    case .include: .include
    case .postbacks: .postbacks
    case .forward: .forward
    case .adAttributionKit: .adAttributionKit
    case .reEngagement: .reEngagement
    case .development: .development
    case .impression: .impression
    case .download: .download
    }
  }

  /// The entry of a step in an install's history; nil for none.
  var history: LifeEvent.Kind? {
    switch self {
    case .register: .register
    case .session: .session
    case .event(let name, _): .event(name)
    case .revenue(let revenue):
      .revenue(
        amount: revenue.amount, currency: revenue.currency ?? "", isAdMonetization: revenue.isAdMonetization)
    case .relaunch: .relaunch
    case .update: .update
    case .adAttributionKit: .adAttributionKit
    case .reEngagement: .reEngagement
    case .development: .development
    case .impression(let ad, _): .impression(network: ad.network, ad.fidelity == 1 ? .click : .view)
    case .download: .download
    case .device, .details, .include, .postbacks, .forward: nil
    }
  }

  /// Writes the operation's own members, without those that have their default value.
  fileprivate func encode(to writer: inout StepWriter) {
    switch self {
    case .device(let profile): writer.add(profile.json)
    case .register(let error): if let error { writer.add(.frameworkError, .integer(error)) }
    case .session(let update): update.encode(to: &writer)
    case .event(let name, let update):
      writer.add(.name, .string(name))
      update.encode(to: &writer)
    case .revenue(let revenue):
      writer.add(.amount, .double(revenue.amount))
      writer.add(.currency, .optional(revenue.currency))
      if revenue.isAdMonetization { writer.add(.adMonetization, .bool(true)) }
    case .update(let ios, let appVersion, let snippet):
      if let ios { writer.add("ios", .string(ios.text)) }
      if let appVersion { writer.add("app_version", .string(appVersion)) }
      if let snippet { writer.add("snippet", .string(snippet.rawValue)) }
    case .include(let file): writer.add(.file, .string(file))
    case .forward(.session, let options):
      writer.add(.kind, .string("session"))
      options.encode(to: &writer)
    case .forward(.event(let name, _), let options):
      writer.add(.kind, .string("event"))
      writer.add(.name, .string(name))
      options.encode(to: &writer)
    case .adAttributionKit(let update): update.encode(to: &writer)
    case .reEngagement(let opened): opened.encode(to: &writer)
    case .development(let chosen, let tag, let country):
      writer.add(chosen.json)
      if let tag { writer.add(.tag, .string(tag)) }
      if let country { writer.add(.country, .string(country)) }
    case .impression(let ad, let seconds):
      writer.add("ad", ad.impressionJSON)
      if let seconds { writer.add(.seconds, .double(seconds)) }
    case .download(let isRedownload): if isRedownload { writer.add(.redownload, .bool(true)) }
    case .details, .relaunch, .postbacks: break
    }
  }
}

/// The updates that request a value from the endpoint.
extension OperationSpec {
  static let session = OperationSpec(
    "session", "a step with op \"session\"", keys: Step.Update.keys,
    decode: { reader, step in step.operation = .session(Step.Update(from: &reader)) })

  static let event = OperationSpec(
    "event", "a step with op \"event\"", keys: [.name] + Step.Update.keys,
    decode: { reader, step in
      // Read both, so that a bad name does not hide problems of the rest.
      let name = reader.string(at: .name)
      if name == nil { reader.require(at: .name) }
      step.operation = .event(name: name ?? "", Step.Update(from: &reader))
    })
}

extension Step.Update {
  fileprivate static let keys: [StepKey] = [.answer, .took, .completionTook, .frameworkError, .noHandler, .forward]
  private static let indices = JSONKeys.Subset(keys.map(\.rawValue))

  fileprivate init(from reader: inout JSONObjectReader) {
    self.init()
    guard reader.hasAny(of: Self.indices) else { return }
    if let node = reader.node(at: .answer) {
      var answer = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      self.answer = AnswerForm.read(&answer)
      reader.add(answer.problems)
    }
    took = reader.duration(at: .took)
    completionTook = reader.duration(at: .completionTook)
    if let node = reader.node(at: .forward) { forward = ForwardOptions(node, in: &reader) }
    options.hasHandler = !(reader.bool(at: .noHandler) ?? false)
    options.frameworkError = reader.integer(at: .frameworkError)
  }

  fileprivate func encode(to writer: inout StepWriter) {
    if let answer { writer.add(.answer, text: AnswerForm.text(answer)) }
    if let took { writer.add(.took, .string(took.listText)) }
    if let completionTook { writer.add(.completionTook, .string(completionTook.listText)) }
    if let error = options.frameworkError { writer.add(.frameworkError, .integer(error)) }
    if !options.hasHandler { writer.add(.noHandler, .bool(true)) }
    if let forward { writer.add(.forward, text: forward.text) }
  }
}

extension JSONObjectReader {
  /// Reads how long something takes.
  fileprivate mutating func duration(at key: StepKey) -> TimeSpan? {
    guard has(at: key) else { return nil }
    let duration = span(at: key)
    if duration == nil {
      complain(at: key, expected: "seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d)")
    }
    return duration
  }
}

/// The ads that are shown on a phone, and the download of the app.
extension OperationSpec {
  static let impression = OperationSpec(
    "impression", "a step with op \"impression\"", keys: [.seconds], profileKeys: ["ad"],
    decode: { reader, step in
      var problems: [SourceProblem] = []
      let ad = reader.node("ad").map { AdAttribution(impression: $0, &problems) } ?? AdAttribution()
      reader.add(problems)
      let seconds = reader.seconds("seconds")
      if seconds != nil, ad.fidelity == 1, problems.isEmpty { reader.complainOfClick() }
      step.operation = .impression(ad, seconds: seconds)
    })

  static let download = OperationSpec(
    "download", "a step with op \"download\"", keys: [.redownload],
    decode: { reader, step in step.operation = .download(isRedownload: reader.bool(at: .redownload) ?? false) })
}

/// Installing and registering.
extension OperationSpec {
  static let device = OperationSpec(
    "device", "a step with op \"device\"", profileKeys: DeviceProfile.keys,
    decode: { reader, step in
      let profile = DeviceProfile(from: &reader, phone: step.device)
      if let (message, key, needed) = profile.iosProblem {
        reader.complain("\(message); set \"ios\": \"\(needed.text)\"", about: JSONKey(key))
      }
      step.operation = .device(profile)
    })

  static let register = OperationSpec(
    "register", "a step with op \"register\"", keys: [.frameworkError],
    decode: { reader, step in step.operation = .register(frameworkError: reader.integer(at: .frameworkError)) })
}

/// Operations that act on the phone or show it, apart from the app's own calls.
extension OperationSpec {
  static let details = OperationSpec(
    "details", "a step with op \"details\"", decode: { _, step in step.operation = .details })

  static let relaunch = OperationSpec(
    "relaunch", "a step with op \"relaunch\"", decode: { _, step in step.operation = .relaunch })

  static let update = OperationSpec(
    "update", "a step with op \"update\"", profileKeys: ["ios", "app_version", "snippet"],
    decode: { reader, step in
      step.operation = .update(
        ios: IOSVersion.read("ios", as: nil, from: &reader), appVersion: reader.string("app_version"),
        snippet: reader.choice("snippet"))
      if !reader.has("ios"), !reader.has("app_version"), !reader.has("snippet") {
        reader.complain("an update needs at least one of \"ios\", \"app_version\", \"snippet\"")
      }
    })

  static let postbacks = OperationSpec(
    "postbacks", "a step with op \"postbacks\"", decode: { _, step in step.operation = .postbacks })

  /// Another list in place of the line. It is a step only when it is skipped, without phone and time.
  static let include = OperationSpec(
    "include", "a step with op \"include\"", common: [.op, .skip], keys: [.file],
    decode: { reader, step in
      let file = reader.string(at: .file)
      if file == nil { reader.require(at: .file) }
      if file?.isEmpty ?? false { reader.complain("\"file\" must name a list", about: "file") }
      step.operation = .include(file ?? "")
    })

  static let revenue = OperationSpec(
    "revenue", "a step with op \"revenue\"", keys: Step.Revenue.keys,
    decode: { reader, step in step.operation = .revenue(Step.Revenue(from: &reader)) })
}

extension Step.Revenue {
  fileprivate static let keys: [StepKey] = [.amount, .currency, .adMonetization]

  fileprivate init(from reader: inout JSONObjectReader) {
    let amount = reader.number(at: .amount)
    if amount == nil { reader.require(at: .amount) }
    if let amount, !Float(amount).isFinite {
      reader.complain("\"amount\" must fit a single-precision number (up to 3.4e38)", about: "amount")
    }
    var currency: String?
    if let node = reader.node(at: .currency) {
      if !node.isNull { currency = reader.string(at: .currency) }
    } else {
      reader.complain("a revenue step needs the key \"currency\" (null for none)")
    }
    self.init(
      amount: amount ?? 0, currency: currency, isAdMonetization: reader.bool(at: .adMonetization) ?? false)
  }
}

/// The operations of lists and their keys, for help and schemas.
package enum ListFormat {
  package struct Operation: Sendable {
    /// The value of `op`.
    package let name: String
    /// The ``ListFormat/commonKeys`` that it may have.
    package let commonKeys: [String]
    /// Its own keys.
    package let keys: [String]
  }

  /// The keys that steps have in common.
  package static let commonKeys = StepKey.common.map(\.text)

  /// Every operation, in the order in which messages name them.
  package static let operations = OperationSpec.all.map { spec in
    let keys = spec.allowed.names(of: StepKey.names)
    return Operation(
      name: spec.name, commonKeys: keys.filter(commonKeys.contains), keys: keys.filter { !commonKeys.contains($0) })
  }
}

extension [Expectation] {
  /// The value of `expect`: one object, or a list of them if some depend on the phone.
  fileprivate var json: JSON {
    var groups: [(condition: PhoneCondition?, members: [(String, JSON)])] = []
    for expectation in self {
      if groups.last?.condition != expectation.condition || groups.isEmpty {
        groups.append((expectation.condition, []))
      }
      groups[groups.count - 1].members.append((expectation.path, expectation.expected))
    }
    let objects = groups.map { group in
      JSON.object((group.condition.map { [("when", $0.json)] } ?? []) + group.members)
    }
    return objects.count == 1 ? objects[0] : .array(objects)
  }
}

/// Writes a step as ``StepReader`` reads it: its members in the documented order, without those that have their default
/// value. Reading the text gives an equal step.
package struct StepWriter {
  /// The keys and their values as JSON on one line.
  package private(set) var members: [(key: String, value: String)] = []

  /// - Parameter step: its time is left out if it is ``TimeSpec/now``, which a list cannot express.
  package init(_ step: Step) {
    add(.op, .string(step.operation.name))
    if let (key, text) = step.time?.member { add(key, .string(text)) }
    if !step.device.isEmpty { add(.device, .string(step.device)) }
    if let label = step.label { add(.label, .string(label)) }
    if !step.expectations.isEmpty { add(.expect, step.expectations.json) }
    if let reason = step.skip { add(.skip, .string(reason)) }
    step.operation.encode(to: &self)
  }

  /// The step as a line of a list, without a line end.
  package var line: String { "{\(Self.text(of: members))}" }

  /// Members separated by commas, with `${` escaped so that a list does not read it as a variable.
  package static func text(of members: [(key: String, value: String)]) -> String {
    members.map { "\(JSONWriter.quoted($0.key)):\($0.value)" }.joined(separator: ",").replacing("${", with: "$${")
  }

  mutating func add(_ key: StepKey, _ value: JSON) { add(key.text, value) }

  mutating func add(_ key: String, _ value: JSON) { members.append((key, JSONWriter.text(value, layout: .line))) }

  /// - Parameter text: JSON on one line.
  mutating func add(_ key: StepKey, text: String) { members.append((key.text, text)) }

  /// Adds the members of an object.
  mutating func add(_ object: JSON) {
    guard case .object(let members) = object else { return }
    for member in members { add(member.key, member.value) }
  }
}
