import SKANBase

/// Unix seconds, with a fraction only when there is one.
extension Instant: JSONWritable {
  package static var jsonForm: JSONForm { .number }

  package func write(to writer: inout JSONWriter) {
    writer.text.append(unixSecondsOf: self)
  }
}

extension ByteText {
  /// Adds the Unix seconds of a moment.
  package mutating func append(unixSecondsOf instant: Instant) {
    if instant.microseconds % 1_000_000 == 0 { append(instant.wholeSeconds) } else { append(instant.unixSeconds) }
  }
}

extension JSONObjectReader {
  /// Unix seconds of the years 1 to 9999; absent or null is nil.
  package mutating func instant(_ key: JSONKey) -> Instant? {
    guard let node = node(key), !node.isNull else { return nil }
    return read(key, "Unix seconds of the years 1 to 9999") { content in
      switch content {
      case .integer(let seconds): Instant(unixSeconds: Double(seconds))
      case .double(let seconds): Instant(unixSeconds: seconds)
      default: nil
      }
    }
  }
}
