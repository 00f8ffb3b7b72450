import SKANDevice
import SKANBase

/// What was counted of the input, as a partial and a report hold it.
extension InputTally {
  private static let counts: [(name: String, path: any WritableKeyPath<InputTally, Int> & Sendable)] = [
    ("rows", \.rows), ("devices", \.devices), ("devices_without_beginning", \.withoutBeginning),
    ("duplicates", \.duplicates), ("further_installs", \.furtherInstalls), ("other_steps", \.otherSteps),
  ]
  private static let tables: [(name: String, path: any WritableKeyPath<InputTally, [String: Int]> & Sendable)] = [
    ("without_rate", \.withoutRate), ("rejected", \.rejected), ("filtered", \.filtered),
  ]

  /// The counts, and the tables of counts by reason.
  static let fields = JSONFields<InputTally> {
    counts.map { row in JSONField<InputTally>(row.name) { $0[keyPath: row.path] } }
    tables.map { row in JSONField<InputTally>(row.name) { $0[keyPath: row.path] } }
  }

  /// The counts as a partial result holds them.
  static let partialFields = JSONFields<InputTally> {
    fields.rows
    JSONField("starts") { tally in
      Dictionary(uniqueKeysWithValues: tally.starts.map { ("\($0.key)", $0.value) })
    }
    JSONField("span") { tally in tally.span.map { [$0.lowerBound.microseconds, $0.upperBound.microseconds] } }
  }

  /// Nil when it is something else.
  init?(_ json: JSON) {
    for (name, path) in Self.counts {
      guard let number = json[name]?.number else { return nil }
      self[keyPath: path] = number
    }
    for (name, path) in Self.tables {
      guard let members = json[name]?.members else { return nil }
      for (key, value) in members {
        guard let count = value.number else { return nil }
        self[keyPath: path][key] = count
      }
    }
    guard let starts = json["starts"]?.members, let span = json["span"] else { return nil }
    for (key, value) in starts {
      guard let day = Int(key), let count = value.number else { return nil }
      self.starts[day] = count
    }
    if case .null = span { return }
    guard let ends = span.numbers, ends.count == 2, ends[0] <= ends[1] else { return nil }
    self.span = Instant(microseconds: Int64(ends[0]))...Instant(microseconds: Int64(ends[1]))
  }
}
