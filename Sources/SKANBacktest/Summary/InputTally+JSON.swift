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
  package var members: [(key: String, value: JSON)] {
    Self.counts.map { ($0.name, .integer(Int64(self[keyPath: $0.path]))) }
      + Self.tables.map { table in
        let sorted = self[keyPath: table.path].sorted { $0.key.literallyPrecedes($1.key) }
        return (table.name, .object(sorted.map { ($0.key, .integer(Int64($0.value))) }))
      }
  }

  var json: JSON {
    .object(
      members + [
        ("starts", .object(starts.sorted { $0.key < $1.key }.map { ("\($0.key)", .integer(Int64($0.value))) })),
        (
          "span",
          span.map { .array([$0.lowerBound, $0.upperBound].map { .integer($0.microseconds) }) } ?? .null
        ),
      ])
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
