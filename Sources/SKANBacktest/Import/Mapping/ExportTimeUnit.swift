/// How a column writes times.
package enum ExportTimeUnit: String, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"
  /// `YYYY-MM-DD HH:MM:SS` with or without a fraction and a zone.
  case text
}
