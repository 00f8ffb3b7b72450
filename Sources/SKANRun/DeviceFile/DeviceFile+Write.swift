import SKANDevice
import SKANBase

extension DeviceFile {
  /// The file's text: indented JSON with a newline at its end.
  package var text: String { JSONWriter.text(self, layout: .file) + "\n" }

  /// What each ``text`` begins with, whatever the phone is.
  package static let beginning = Array("{\n  \"format\": ".utf8)
}

/// Keys that are not always there, or that older files do not have, are optional.
extension DeviceFile: JSONObjectWritable {
  package static let fields = JSONFields<DeviceFile> {
    JSONField("format", "rises when a reader of an earlier one would go wrong", as: .integer(1...format)) { _ in format
    }
    JSONField("profile", "what the phone and the app are") { $0.phone.device.profile.json }
    JSONField("kept", "what the app keeps") { $0.phone.device.kept }
    JSONField(optional: "process", "the app's process", object: processFields) { $0.phone.device.process }
    JSONField(optional: "framework", "what Apple holds", object: ShownApple.memory) {
      ShownApple($0.phone.device.framework)
    }
    JSONField(optional: "endpoint", "who answers in process, and who answered last", object: endpointFields) { $0 }
    JSONField(optional: "time", "the phone's clock", object: timeFields) { $0.phone.clock }
    JSONField(optional: "forwarding", "the reports of the app's server", object: forwardingFields) {
      $0.hasForwarding ? $0 : nil
    }
    JSONField(optional: "framework_calls", "calls from before there was a history") {
      $0.callsBeforeHistory.isEmpty ? nil : $0.callsBeforeHistory
    }
    JSONField(optional: "history", "every step that is kept") { $0.history }
    JSONField(optional: "deliveries", "the attempts to deliver postbacks") { $0.deliveries }
    JSONField(optional: "idempotency_keys", "the keys under which revenue was counted") { $0.idempotencyKeys }
  }

  package static let keys = JSONKeys(fields.names)

  static let processFields = JSONFields<AppProcess> {
    JSONField(optional: "lock_held", "whether the snippet's lock is held for good") { $0.isLockHeld }
    JSONField(optional: "launches", "how often the app was started", as: .integer(1 ... .max)) { $0.launches }
  }

  static let endpointFields = JSONFields<DeviceFile> {
    JSONField(optional: "test_calls", "the requests to the test endpoint", as: .count) { $0.phone.testEndpoint.calls }
    JSONField(optional: "event_counts", "what a model remembers", as: eventCounts) { $0.phone.memory.counts.written }
    JSONField(optional: "answered_by", "who answered last") { $0.answerer }
  }

  static let timeFields = JSONFields<PhoneClock> {
    JSONField(optional: "virtual", "whether time passes only as steps say") { $0.isVirtual }
    JSONField(optional: "first", "the time of the first step, or null") { .some($0.first) }
    JSONField(optional: "first_given", "whether that was given") { $0.hasGivenTime }
    JSONField(optional: "end", "the end of the last step, or null") { .some($0.end) }
  }

  /// What is remembered of the reports of the app's server, when there is something.
  static let forwardingFields = JSONFields<DeviceFile> {
    JSONField(optional: "session_sent", "whether the session was reported") {
      $0.phone.forwarding.hasSession ? true : nil
    }
    JSONField(optional: "event_counts", "what a model remembers", as: eventCounts) {
      $0.phone.forwarding.memory.counts.written
    }
    JSONField(optional: "kept_before_answer", "what the app kept before the latest answer") {
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
  /// What a model remembers, when one was used.
  fileprivate var written: PerWindow<[String: Int64]>? {
    ConversionWindow.allCases.contains { !windows[$0].isEmpty } ? windows : nil
  }
}

/// The entries that are set, under the snippet's own names, as answers gave them.
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
    // Older files do not have it.
    JSONField(optional: "error", "the code of SKANErrorDomain with which it failed, or null") { .some($0.error) }
  }

  package static let keys = JSONKeys(fields.names)
}
