/// How a time turned out to be written.
package enum ExportTimeForm: Int, Sendable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds
  case textWithZone, textWithoutZone

  /// For the report.
  package var text: String {
    switch self {
    case .seconds: "Unix seconds"
    case .milliseconds: "Unix milliseconds"
    case .microseconds: "Unix microseconds"
    case .nanoseconds: "Unix nanoseconds"
    case .textWithZone: "text with a zone"
    case .textWithoutZone: "text without a zone"
    }
  }
}
