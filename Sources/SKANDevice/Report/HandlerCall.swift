import SKANBase

/// The call of the app's completion handler; nil where it is not called.
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
    JSONField(optional: "coarse", "the coarse value, or null; absent in SKAN 3", of: KeptValue?.self) { call, writer in
      switch call {
      case .values(_, let coarse?, _): coarse.write(to: &writer)
      case .values(_, nil, _), .failed: writer.null()
      case .skan3Value, .skan3Failed: break
      }
    }
    JSONField("error", "the error, or null", of: String?.self) { call, writer in
      switch call {
      case .failed(let message), .skan3Failed(let message): writer.append(message)
      case .values, .skan3Value: writer.null()
      }
    }
    JSONField("fine", "the fine value; with an error null, or -1 in SKAN 3", of: KeptValue?.self) { call, writer in
      switch call {
      case .values(let fine, _, _): fine.write(to: &writer)
      case .failed: writer.null()
      case .skan3Value(let value): writer.append(Int64(value))
      case .skan3Failed: writer.append(Int64(-1))
      }
    }
    JSONField(optional: "lock", "whether the window is locked; absent in SKAN 3", of: Bool.self) { call, writer in
      switch call {
      case .values(_, _, let lock): writer.append(lock)
      case .failed: writer.append(false)
      case .skan3Value, .skan3Failed: break
      }
    }
  }
}
