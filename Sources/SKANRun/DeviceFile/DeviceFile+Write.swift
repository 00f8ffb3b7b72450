import SKANDevice
import SKANBase

extension DeviceFile {
  /// The file's text: indented JSON with a newline at its end.
  package var text: String { JSONWriter.text(json, layout: .file) + "\n" }

  /// What each ``text`` begins with, whatever the phone is.
  package static let beginning = Array("{\n  \"format\": ".utf8)

  private var json: JSON {
    let calls = callsBeforeHistory.isEmpty ? [] : [("framework_calls", JSON.array(callsBeforeHistory.map(\.json)))]
    return .object(members + calls + records)
  }

  private var members: [(key: String, value: JSON)] {
    let (device, clock) = (phone.device, phone.clock)
    return [
      ("format", .integer(Self.format)), ("profile", device.profile.json), ("kept", device.kept.json),
      (
        "process",
        .object([
          ("lock_held", .bool(device.process.isLockHeld)), ("launches", .integer(device.process.launches)),
        ])
      ),
      ("framework", device.framework.json),
      (
        "endpoint",
        .object([("test_calls", .integer(phone.testEndpoint.calls))] + phone.memory.counts.member + answererMember)
      ),
      (
        "time",
        .object([
          ("virtual", .bool(clock.isVirtual)), ("first", clock.first?.json ?? .null),
          ("first_given", .bool(clock.hasGivenTime)), ("end", clock.end?.json ?? .null),
        ])
      ),
    ] + forwardingMember
  }

  private var records: [(key: String, value: JSON)] {
    [
      ("history", .array(history.map(\.json))), ("deliveries", .array(deliveries.map(\.json))),
      ("idempotency_keys", .array(idempotencyKeys.map(JSON.string))),
    ]
  }
}

extension DeviceFile {
  private var answererMember: [(key: String, value: JSON)] { answerer.map { [("answered_by", $0.json)] } ?? [] }

  /// What is remembered of the reports of the app's server, when there is something.
  private var forwardingMember: [(key: String, value: JSON)] {
    let forwarding = phone.forwarding
    let keptBeforeAnswer = phone.device.keptBeforeAnswer
    guard forwarding != ForwardingMemory() || keptBeforeAnswer != nil else { return [] }
    let kept = keptBeforeAnswer.map { [("kept_before_answer", $0.json)] } ?? []
    let session: [(key: String, value: JSON)] = forwarding.hasSession ? [("session_sent", .bool(true))] : []
    return [("forwarding", .object(session + forwarding.memory.counts.member + kept))]
  }
}

extension EventCounts {
  /// What a model remembers, when one was used.
  fileprivate var member: [(key: String, value: JSON)] {
    let eventCounts = windows
    guard ConversionWindow.allCases.contains(where: { !eventCounts[$0].isEmpty }) else { return [] }
    let windows = ConversionWindow.allCases.map { window -> (key: String, value: JSON) in
      let counts = eventCounts[window].sorted { $0.key.literallyPrecedes($1.key) }
      return ("p\(window.rawValue)", .object(counts.map { ($0.key, .integer($0.value)) }))
    }
    return [("event_counts", .object(windows))]
  }
}

extension KeptState {
  /// The entries that are set, under the snippet's own names.
  var json: JSON {
    .object(
      StoreEntry.all.compactMap { key in
        switch entry(key) {
        case nil: nil
        case .value(let value): (key.name, value.json)
        case .revenue(let table): (key.name, .object(table.sums.map { ($0.currency, .double($0.amount)) }))
        }
      })
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
