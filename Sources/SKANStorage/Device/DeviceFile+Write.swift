import SKANDevice
import SKANJSON

extension DeviceFile {
  /// The file's text: indented JSON with a newline at its end.
  package var text: String { JSONWriter.text(json, layout: .file) + "\n" }

  private var json: JSON {
    .object([
      ("format", .integer(Self.format)), ("profile", device.profile.json), ("kept", device.kept.json),
      (
        "process",
        .object([
          ("lock_held", .bool(device.process.isLockHeld)), ("launches", .integer(device.process.launches)),
        ])
      ),
      ("endpoint", .object([("test_calls", .integer(endpointCalls))])),
      (
        "time",
        .object([
          ("virtual", .bool(clock.isVirtual)), ("first", clock.first?.fileJSON ?? .null),
          ("first_given", .bool(clock.hasGivenTime)), ("end", clock.end?.fileJSON ?? .null),
        ])
      ),
      ("framework_calls", .array(frameworkCalls.map(\.json))),
      ("idempotency_keys", .array(idempotencyKeys.map(JSON.string))),
    ])
  }
}

extension Instant {
  /// Unix seconds, a fraction only when there is one.
  var fileJSON: JSON {
    microseconds % 1_000_000 == 0 ? .integer(microseconds / 1_000_000) : .double(unixSeconds)
  }
}

extension KeptState {
  /// The entries that are set, under the snippet's own names.
  var json: JSON {
    .object(
      KeptKey.all.compactMap { key in
        switch entry(key) {
        case nil: nil
        case .value(let value): (key.name, value.fileJSON)
        case .revenue(let table): (key.name, .object(table.sums.map { ($0.currency, .double($0.amount)) }))
        }
      })
  }
}

extension KeptValue {
  var fileJSON: JSON {
    switch self {
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .double(let number): .double(number)
    case .bool(let flag): .bool(flag)
    case .string(let text): .string(text)
    }
  }
}

extension RecordedCall {
  static let keys = ["at", "call", "fine", "coarse", "lock", "error"]
  static let names = (
    register: "registerAppForAdNetworkAttribution", update: "updateConversionValue",
    postback: "updatePostbackConversionValue"
  )

  var json: JSON {
    let own: [(key: String, value: JSON)]
    switch call {
    case .register: own = [("call", .string(Self.names.register))]
    case .updateConversionValue(let fine): own = [("call", .string(Self.names.update)), ("fine", .integer(fine))]
    case .updatePostback(let fine): own = [("call", .string(Self.names.postback)), ("fine", .integer(fine))]
    case .updatePostbackCoarse(let fine, let coarse, let lock):
      own = [
        ("call", .string(Self.names.postback)), ("fine", .integer(fine)), ("coarse", .optional(coarse?.rawValue)),
        ("lock", .bool(lock)),
      ]
    }
    return .object([("at", at.fileJSON)] + own + [("error", error.map(JSON.integer) ?? .null)])
  }
}
