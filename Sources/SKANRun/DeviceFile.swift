import SKANBase
import SKANDevice

/// One phone and everything about it that outlives a command; see the manual, "The device file".
package struct DeviceFile: Sendable, Equatable {
  package var phone: Phone
  /// The endpoint or model that last answered. Neither the test endpoint in process nor a step's own answer counts.
  package var answerer: KnownAnswerer?
  /// Calls into Apple's framework made before there was a ``history``, in order; all later calls are in the history.
  package var callsBeforeHistory: [RecordedCall] = []
  /// The events so far, in order.
  package var history: [LifeEvent] = []
  /// Attempts to deliver postbacks, in order.
  package var deliveries: [Delivery] = []
  /// Keys under which revenue was counted.
  package var idempotencyKeys: [String] = []

  /// The newest format that this program reads, and the only one that it writes.
  ///
  /// Format 1 has no history, no deliveries and no state of Apple's framework; that state is derived from the calls.
  /// Format 2 lists every call twice: in `framework_calls`, and without its error in the history.
  package static let format: Int64 = 3

  package init(device: Device, clock: PhoneClock = PhoneClock(isVirtual: false)) {
    phone = Phone(device: device, clock: clock)
  }
}

/// A call into Apple's framework, its time and its result.
package struct RecordedCall: Sendable, Equatable {
  package var at: Instant
  package var call: FrameworkCall
  /// The `SKANErrorDomain` code; nil when the call succeeded.
  package var error: Int64?

  package init(at: Instant, call: FrameworkCall, error: Int64?) {
    self.at = at
    self.call = call
    self.error = error
  }
}

/// Who last answered a phone, as its file names it.
package struct KnownAnswerer: Sendable, Equatable, JSONObjectWritable {
  /// The value of a result's `answered_by`.
  package var name: String
  /// The hash of a model's content.
  package var hash: String?

  package init(name: String, hash: String?) {
    self.name = name
    self.hash = hash
  }

  package static let fields = JSONFields<KnownAnswerer> {
    JSONField("name", "who answered, as in a result") { $0.name }
    JSONField(optional: "hash", "the hash of a model's content") { $0.hash }
  }

  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "who answered last", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    hash = reader.string("hash")
    guard let name = reader.require("name", reader.string("name")) else { return nil }
    self.name = name
  }
}

extension DeviceFile {
  /// The file's text: indented JSON with a newline at its end.
  package var text: String { JSONWriter.text(self, layout: .file) + "\n" }

  /// The bytes that every ``text`` begins with.
  package static let beginning = Array("{\n  \"format\": ".utf8)
}

/// Optional keys are not always written, or are missing from files of older formats.
extension DeviceFile: JSONObjectWritable {
  package static let fields = JSONFields<DeviceFile> {
    JSONField(
      "format",
      "the version of the format; it rises when earlier readers would fail", as: .integer(1...format)
    ) { _ in format
    }
    JSONField("profile", "the phone and the app") { $0.phone.device.profile }
    JSONField("kept", "what the app keeps") { $0.phone.device.kept }
    JSONField(optional: "process", "the app's process", object: processFields) { $0.phone.device.process }
    JSONField(optional: "framework", "what Apple holds", object: ShownApple.memory) {
      ShownApple($0.phone.device).writeMemory(to: &$1)
    }
    JSONField(optional: "impressions", "the ads for the app that were shown on the phone", object: Impressions.fields) {
      $0.phone.device.impressions
    }
    JSONField(optional: "endpoint", "what answers in process, and what answered last", object: endpointFields) { $0 }
    JSONField(optional: "time", "the phone's clock", object: timeFields) { $0.phone.clock }
    JSONField(optional: "forwarding", "the reports of the app's server", object: forwardingFields) {
      $0.hasForwarding ? $0 : nil
    }
    JSONField(optional: "framework_calls", "calls from before the file kept a history") {
      $0.callsBeforeHistory.isEmpty ? nil : $0.callsBeforeHistory
    }
    JSONField(optional: "history", "all kept steps") { $0.history }
    JSONField(optional: "deliveries", "the attempts to deliver postbacks") { $0.deliveries }
    JSONField(optional: "idempotency_keys", "the idempotency keys whose revenue was counted") { $0.idempotencyKeys }
  }

  package static let keys = JSONKeys(fields.names)

  static let processFields = JSONFields<AppProcess> {
    JSONField(optional: "lock_held", "whether the snippet's lock is held permanently") { $0.isLockHeld }
    JSONField(optional: "launches", "how often the app was started", as: .integer(1 ... .max)) { $0.launches }
  }

  static let endpointFields = JSONFields<DeviceFile> {
    JSONField(optional: "test_calls", "the requests to the test endpoint", as: .count) { $0.phone.testEndpoint.calls }
    JSONField(optional: "event_counts", "what a model remembers", as: eventCounts) { $0.phone.memory.counts.written }
    JSONField(optional: "answered_by", "who answered last") { $0.answerer }
  }

  static let timeFields = JSONFields<PhoneClock> {
    JSONField(optional: "virtual", "whether time advances only with the steps") { $0.isVirtual }
    JSONField(optional: "first", "the time of the first step, or null") { .some($0.first) }
    JSONField(optional: "first_given", "whether that time was given") { $0.hasGivenTime }
    JSONField(optional: "end", "the end of the last step, or null") { .some($0.end) }
  }

  /// The facts remembered about the app server's reports.
  static let forwardingFields = JSONFields<DeviceFile> {
    JSONField(optional: "session_sent", "whether the session was reported") {
      $0.phone.forwarding.hasSession ? true : nil
    }
    JSONField(optional: "event_counts", "what a model remembers", as: eventCounts) {
      $0.phone.forwarding.memory.counts.written
    }
    JSONField(optional: "kept_before_answer", "what the app kept before the last answer") {
      $0.phone.device.keptBeforeAnswer
    }
  }

  private var hasForwarding: Bool {
    phone.forwarding != ForwardingMemory() || phone.device.keptBeforeAnswer != nil
  }

  private static let eventCounts = JSONForm.each(
    of: ConversionWindow.allCases.map(\.key), .map(of: .count), isComplete: false)
}

extension ForwardingMemory {
  static let keys = JSONKeys(DeviceFile.forwardingFields.names)
}

extension EventCounts {
  /// The model's memory, for the file; nil when no model was used.
  fileprivate var written: PerWindow<[String: Int64]>? {
    ConversionWindow.allCases.contains { !windows[$0].isEmpty } ? windows : nil
  }
}

/// The entries that are set, under the snippet's names, with the types that the answers gave them.
extension KeptState: JSONWritable {
  package static var jsonForm: JSONForm {
    .object(
      StoreEntry.all.map { ($0.name, $0.isRevenue ? RevenueTable.jsonForm : KeptValue.jsonForm) }, required: [],
      others: nil)
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for key in StoreEntry.all {
      switch entry(key) {
      case nil: continue
      case .value(let value):
        writer.key(key.name)
        value.write(to: &writer)
      case .revenue(let table):
        writer.key(key.name)
        table.write(to: &writer)
      }
    }
    writer.endObject()
  }
}

extension RecordedCall: JSONObjectWritable {
  package static let fields = JSONFields<RecordedCall> {
    JSONField("at", "Unix seconds of the call") { $0.at }
    FrameworkCall.fields.rows.map { $0.of { $0.call } }
    // Older files lack it.
    JSONField(optional: "error", "the code of SKANErrorDomain with which it failed, or null") { .some($0.error) }
  }

  package static let keys = JSONKeys(fields.names)
}

extension DeviceFile {
  /// Reads a device file.
  ///
  /// - Throws: every problem with its location: not JSON, unknown keys, wrong types, sums that are not finite, a format
  ///   newer than ``format``.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let node = try JSONReader.readSource(bytes)
    // A newer format may have other keys, so report only the format.
    if let format = node.member("format"), format.isWholeNumber(above: Self.format) {
      let message = "format \(format.briefly) is newer than this skan, which reads up to \(Self.format)"
      throw [SourceProblem(message, at: format.range)]
    }
    var reader = JSONObjectReader(node, what: "a device file", known: Self.keys)
    // Do not report each missing key of a value that is not an object.
    guard reader.isObject else { throw SourceProblems(reader.problems) }
    let format = reader.require("format", reader.integer("format", in: 1...Self.format))
    let profile = reader.object("profile", what: "the profile", known: DeviceProfile.fields.known) {
      DeviceProfile(from: &$0, phone: "")
    }
    let kept = reader.object("kept", what: "what the app keeps", known: JSONKeys(StoreEntry.all.map(\.name))) {
      KeptState(from: &$0)
    }
    let process = reader.object("process", what: "the process", known: JSONKeys(Self.processFields.names)) { reader in
      var process = AppProcess()
      process.isLockHeld = reader.bool("lock_held") ?? false
      process.launches = reader.integer("launches", in: 1...countLimit) ?? 1
      return process
    }
    var engagements: ReEngagements?
    let framework = reader.object("framework", what: "what Apple holds", known: AppleFramework.keys) {
      AppleFramework(from: &$0, &engagements)
    }
    let impressions = reader.object(
      "impressions", what: "the impressions", known: JSONKeys(Impressions.fields.names)
    ) { Impressions(from: &$0) }
    let endpoint = reader.object(
      "endpoint", what: "the endpoint", known: JSONKeys(Self.endpointFields.names)
    ) { reader in
      (
        calls: reader.integer("test_calls", in: 0...countLimit), counts: reader.eventCounts("event_counts"),
        answerer: reader.node("answered_by").flatMap { KnownAnswerer($0, in: &reader) }
      )
    }
    let clock = reader.object("time", what: "the time", known: JSONKeys(Self.timeFields.names)) { reader in
      PhoneClock(
        first: reader.instant("first"), hasGivenTime: reader.bool("first_given") ?? false, end: reader.instant("end"),
        isVirtual: reader.bool("virtual") ?? false)
    }
    let forwarding = reader.object("forwarding", what: "the server's reports", known: ForwardingMemory.keys) {
      (
        memory: ForwardingMemory(from: &$0),
        keptBeforeAnswer: $0.object(
          "kept_before_answer", what: "what the app kept", known: JSONKeys(StoreEntry.all.map(\.name))
        ) { KeptState(from: &$0) }
      )
    }
    for key: JSONKey in ["profile", "kept"] where !reader.has(key) {
      reader.complain("a device file needs the key \"\(key.name)\"")
    }
    let frameworkCalls = reader.items("framework_calls") { RecordedCall($0, in: &$1) }
    var history = reader.items("history") { LifeEvent($0, in: &$1) }
    let deliveries = reader.items("deliveries") { Delivery($0, in: &$1) }
    let keys = reader.items("idempotency_keys") { node, reader -> String? in
      if case .string(let key) = node.content { return key }
      reader.add([SourceProblem("an idempotency key must be a string, this is \(node.briefly)", at: node.range)])
      return nil
    }
    guard reader.problems.isEmpty, let profile, let kept else { throw SourceProblems(reader.problems) }
    var device = Device(profile)
    device.kept = kept
    device.keptBeforeAnswer = forwarding?.keptBeforeAnswer
    device.process = process ?? AppProcess()
    device.engagements = engagements
    if let impressions { device.impressions = impressions }
    callsBeforeHistory =
      format == Self.format ? frameworkCalls : Self.callsBefore(&history, among: frameworkCalls)
    device.recallRevenue(of: history)
    device.framework =
      framework ?? device.framework(after: callsBeforeHistory + history.compactMap(RecordedCall.init))
    phone = Phone(
      device: device, clock: clock ?? PhoneClock(isVirtual: false),
      testEndpoint: TestEndpoint(calls: endpoint?.calls ?? 0),
      memory: InstallMemory(counts: endpoint.map { EventCounts($0.counts) } ?? .none))
    if let forwarding { phone.forwarding = forwarding.memory }
    answerer = endpoint?.answerer
    self.history = history
    self.deliveries = deliveries
    idempotencyKeys = keys
  }

  /// Returns the calls of a format 2 file that are not in its history, and copies the errors of the others into the
  /// history.
  private static func callsBefore(_ history: inout [LifeEvent], among calls: [RecordedCall]) -> [RecordedCall] {
    let locations = history.indices.filter { history[$0].call != nil }
    let last = calls.suffix(locations.count)
    let areSame = zip(locations, last).allSatisfy { history[$0].at == $1.at && history[$0].call == $1.call }
    // The file was edited by hand: keep all of its calls.
    guard last.count == locations.count, areSame else { return calls }
    for (location, call) in zip(locations, last) { history[location].error = call.error }
    return calls.dropLast(locations.count)
  }
}

extension RecordedCall {
  /// The call of an event, if there was one.
  fileprivate init?(_ event: LifeEvent) {
    guard let call = event.call else { return nil }
    self.init(at: event.at, call: call, error: event.error)
  }
}

extension Device {
  /// Apple's state after these calls. Where earlier calls are known only from the store, the state before them is
  /// assumed from it.
  fileprivate func framework(after calls: [RecordedCall]) -> AppleFramework {
    let isWhole = calls.first?.at.wholeSeconds == kept.firstCall
    var framework = isWhole ? AppleFramework() : .assumed(from: kept, of: snippet, on: traits.install)
    for call in calls where isWhole {
      _ = framework.apply(call.call, at: call.at, on: traits.install, failingWith: call.error)
    }
    return framework
  }
}

/// Larger than any count of an app, and too small for a sum to overflow.
let countLimit: Int64 = 1 << 53

extension RecordedCall {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a framework call", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let call = FrameworkCall(from: &reader)
    let error = reader.node("error")?.isNull ?? true ? nil : reader.integer("error")
    guard let at, let call else { return nil }
    self.init(at: at, call: call, error: error)
  }
}

extension JSONNode {
  fileprivate func isWholeNumber(above limit: Int64) -> Bool {
    switch content {
    case .integer(let number): number > limit
    case .unsigned: true
    case .double(let number): number == number.rounded() && number > Double(limit)
    default: false
    }
  }
}

/// Readers of a device file's parts.
extension JSONObjectReader {
  /// The object under a key, read by `read`; nil when absent or not an object.
  mutating func object<Value>(
    _ key: JSONKey, what: StaticString, known: JSONKeys, read: (inout JSONObjectReader) -> Value
  ) -> Value? {
    guard let node = node(key) else { return nil }
    var reader = JSONObjectReader(node, what: what, known: known)
    let value = read(&reader)
    add(reader.problems)
    return reader.isObject ? value : nil
  }

  /// Reads event names and counts for each window.
  mutating func eventCounts(_ key: JSONKey) -> PerWindow<[String: Int64]> {
    var counts = PerWindow<[String: Int64]>(repeating: [:])
    guard let node = node(key) else { return counts }
    let names = ConversionWindow.allCases.map { "p\($0.rawValue)" }
    var windows = JSONObjectReader(node, what: "the event counts", known: JSONKeys(names))
    for (window, name) in zip(ConversionWindow.allCases, names.map { JSONKey($0) }) {
      guard let node = windows.node(name) else { continue }
      guard case .object(let members) = node.content else {
        windows.complain(
          "\"\(name.name)\" must be an object of events and counts, this is \(node.briefly)", about: name)
        continue
      }
      for member in members {
        guard case .integer(let count) = member.value.content, (0...countLimit).contains(count) else {
          windows.add([SourceProblem("a count must be a whole number, 0 or more", at: member.value.range)])
          continue
        }
        counts[window][member.key] = count
      }
    }
    add(windows.problems)
    return counts
  }
}

extension ForwardingMemory {
  /// Reads the member `forwarding` of a device file.
  init(from reader: inout JSONObjectReader) {
    self.init()
    hasSession = reader.bool("session_sent") ?? false
    if reader.has("event_counts") { memory = InstallMemory(counts: EventCounts(reader.eventCounts("event_counts"))) }
  }
}
