import SKANDevice
import SKANBase

extension DeviceFile {
  /// Reads a device file.
  ///
  /// - Throws: every problem with its location: not JSON, unknown keys, wrong types, sums that are not finite, a format
  ///   newer than ``format``.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let node = try JSONReader.readSource(bytes)
    // A newer format may have other keys: say just that.
    if let format = node.member("format"), format.isWholeNumber(above: Self.format) {
      let message = "format \(format.briefly) is newer than this skan, which reads up to \(Self.format)"
      throw [SourceProblem(message, at: format.range)]
    }
    var reader = JSONObjectReader(node, what: "a device file", known: Self.keys)
    // Of no object its keys need not be missed one by one.
    guard reader.isObject else { throw SourceProblems(reader.problems) }
    let format = reader.require("format", reader.integer("format", in: 1...Self.format))
    let profile = reader.object("profile", what: "the profile", known: JSONKeys(DeviceProfile.keys)) {
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
    let framework = reader.object("framework", what: "what Apple holds", known: AppleFramework.keys) {
      AppleFramework(from: &$0)
    }
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
    callsBeforeHistory =
      format == Self.format ? frameworkCalls : Self.callsBefore(&history, among: frameworkCalls)
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
}

extension DeviceFile {
  /// Of the calls of a file of format 2, those that are not in its history; the others give it their errors.
  private static func callsBefore(_ history: inout [LifeEvent], among calls: [RecordedCall]) -> [RecordedCall] {
    let locations = history.indices.filter { history[$0].call != nil }
    let last = calls.suffix(locations.count)
    let areSame = zip(locations, last).allSatisfy { history[$0].at == $1.at && history[$0].call == $1.call }
    // A file that a person has changed: nothing of it is lost.
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
  /// What Apple holds after these calls, and after those before them of which only the store tells.
  fileprivate func framework(after calls: [RecordedCall]) -> AppleFramework {
    let isWhole = calls.first?.at.wholeSeconds == kept.firstCall
    var framework = isWhole ? AppleFramework() : .assumed(from: kept, of: snippet, on: traits.install)
    for call in calls where isWhole {
      _ = framework.apply(call.call, at: call.at, on: traits.install, failingWith: call.error)
    }
    return framework
  }
}

/// More than any app counts to, and far from where a sum would overflow.
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
