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
    snippet.isSKAN4 ? .failed(message) : .skan3Failed(message)
  }
}
