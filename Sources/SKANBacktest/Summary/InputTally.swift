import SKANDevice

/// What is counted of the input itself, whatever the model: with a partial's other numbers it is added up.
package struct InputTally: Sendable, Equatable {
  /// Rows of devices of this part, as mapped.
  package var rows = 0
  /// Devices, those that are left out among them.
  package var devices = 0
  /// Devices whose beginning is not in the input.
  package var withoutBeginning = 0
  /// Rows that are there twice, by the fields of `--dedupe`.
  package var duplicates = 0
  /// Installs of a device after its first one; they change nothing.
  package var furtherInstalls = 0
  /// Steps of lists that are about something else than values.
  package var otherSteps = 0
  /// Rows with revenue in a currency without a rate, by currency: true revenue is without them.
  package var withoutRate: [String: Int] = [:]
  /// Rows that cannot be used, by reason.
  package var rejected: [String: Int] = [:]
  /// Rows that the mapping leaves out, by reason.
  package var filtered: [String: Int] = [:]
  /// Devices that ran, by the UTC day of their beginning (days since 1970).
  package var starts: [Int: Int] = [:]
  /// The first and the last moment of a row.
  package var span: ClosedRange<Instant>?

  package init() {}

  package static func += (left: inout InputTally, right: InputTally) {
    left.rows.add(right.rows)
    left.devices.add(right.devices)
    left.withoutBeginning.add(right.withoutBeginning)
    left.duplicates.add(right.duplicates)
    left.furtherInstalls.add(right.furtherInstalls)
    left.otherSteps.add(right.otherSteps)
    left.withoutRate.merge(right.withoutRate) { $0 + $1 }
    left.rejected.merge(right.rejected) { $0 + $1 }
    left.filtered.merge(right.filtered) { $0 + $1 }
    left.starts.merge(right.starts) { $0 + $1 }
    if let span = right.span { left.include(span) }
  }

  package mutating func include(_ moments: ClosedRange<Instant>) {
    guard let span else {
      span = moments
      return
    }
    self.span = min(span.lowerBound, moments.lowerBound)...max(span.upperBound, moments.upperBound)
  }
}
