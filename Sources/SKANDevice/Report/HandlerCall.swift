import SKANBase

/// What the app's completion handler was called with.
package enum HandlerCall: Sendable, Equatable {
  /// SKAN 4: values as the app gets them; with an error there are none.
  case values(fine: KeptValue, coarse: KeptValue?, lock: Bool)
  case failed(String)
  /// SKAN 3: the value.
  case skan3Value(Int32)
  /// SKAN 3: -1 and the error.
  case skan3Failed(String)

  /// The call with an error, as the snippet makes it.
  package static func error(_ message: String, from snippet: SnippetVersion) -> HandlerCall {
    switch snippet.rules.handler {
    case .values: .failed(message)
    case .value: .skan3Failed(message)
    }
  }
}

extension HandlerCall: JSONObjectWritable {
  package static let fields = JSONFields<HandlerCall> {
    JSONField(optional: "coarse", "the coarse value, or null; absent in SKAN 3") { $0.coarse }
    JSONField("error", "the error, or null") { $0.error }
    JSONField("fine", "the fine value; with an error null, or -1 in SKAN 3") { $0.fine }
    JSONField(optional: "lock", "whether the window is locked; absent in SKAN 3") { $0.lock }
  }

  private var coarse: KeptValue?? {
    switch self {
    case .values(_, let coarse, _): coarse
    case .failed: .some(nil)
    case .skan3Value, .skan3Failed: nil
    }
  }

  private var error: String? {
    switch self {
    case .failed(let message), .skan3Failed(let message): message
    case .values, .skan3Value: nil
    }
  }

  private var fine: KeptValue? {
    switch self {
    case .values(let fine, _, _): fine
    case .failed: nil
    case .skan3Value(let value): .integer(Int64(value))
    case .skan3Failed: .integer(-1)
    }
  }

  private var lock: Bool? {
    switch self {
    case .values(_, _, let lock): lock
    case .failed: false
    case .skan3Value, .skan3Failed: nil
    }
  }
}
