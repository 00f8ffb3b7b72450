import SKANBase

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
