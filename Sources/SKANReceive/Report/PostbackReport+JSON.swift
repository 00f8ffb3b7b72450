import SKANDevice
import SKANBase

extension PostbackReport {
  /// The report as one object; a table of a kind that has no postbacks is null.
  package func json(by date: ReportDate, grouping dimensions: [ReportDimension]) -> JSON {
    let tables = tables(by: date, grouping: dimensions)
    let byKind = ReportTable.Kind.allCases.map { kind in
      (key: kind.rawValue, value: tables.first { $0.kind == kind }?.json(dimensions) ?? .null)
    }
    return .object(
      [
        ("received", .integer(Int64(received))), ("from", .optional(span.map { "\($0.lowerBound)" })),
        ("to", .optional(span.map { "\($0.upperBound)" })), ("by", .string(date.rawValue)),
        ("group", .array(dimensions.map { .string($0.rawValue) })),
      ] + byKind)
  }
}

extension ReportTable {
  fileprivate func json(_ dimensions: [ReportDimension]) -> JSON {
    let groups = rows.map { row in
      let group = zip(dimensions, row.group).map { ($0.rawValue, JSON.optional($1.isEmpty ? nil : $1)) }
      return JSON.object([("group", .object(group))] + members(of: row.counts))
    }
    return .object([("total", .object(members(of: total))), ("groups", .array(groups))])
  }

  /// The members of a row of such a table.
  static func keys(of kind: Kind) -> [String] {
    kind == .unverified ? ReportCounts().unverifiedMembers.map(\.key) : ReportCounts().members.map(\.key)
  }

  private func members(of counts: ReportCounts) -> [(key: String, value: JSON)] {
    kind == .unverified ? counts.unverifiedMembers : counts.members
  }
}

extension ReportCounts {
  fileprivate var unverifiedMembers: [(key: String, value: JSON)] {
    [("invalid", .integer(Int64(invalid))), ("not_checked", .integer(Int64(notChecked)))]
  }

  fileprivate var members: [(key: String, value: JSON)] {
    let numbers = [
      ("postbacks", postbacks), ("installs", installs), ("installs_with_value", installsWithValue),
      ("redownloads", redownloads), ("not_won", notWon), ("without_value", withoutValue), ("odd_values", oddValues),
      ("decoded", decoded), ("undecoded", undecoded), ("without_model", withoutModel), ("duplicates", duplicates),
      ("conflicts", conflicts),
    ]
    return numbers.map { ($0, .integer(Int64($1))) } + [
      ("share_without_value", shareWithoutValue.map(JSON.double) ?? .null),
      ("windows", .object(ConversionWindow.allCases.map { ($0.key, .integer(Int64(windows[$0.rawValue]))) })),
      (
        "fine_values",
        .array(
          fine.sorted { $0.key < $1.key }.map {
            .object([("value", .integer(Int64($0.key))), ("postbacks", .integer(Int64($0.value)))])
          })
      ),
      ("coarse_values", .object(ConversionWindow.allCases.map { ($0.key, coarseJSON(of: $0)) })),
      ("revenue", .array(sortedRevenue.map { $0.sum.json(currency: $0.currency) })), ("events", eventsJSON),
    ]
  }

  private func coarseJSON(of window: ConversionWindow) -> JSON {
    .object(CoarseValue.allCases.map { ($0.rawValue, .integer(Int64(coarse[window.rawValue][$0.index]))) })
  }

  var eventsJSON: JSON { .array(sortedEvents.map { $0.sum.json(name: $0.name) }) }

  /// In the order of their currencies.
  package var sortedRevenue: [(currency: String, sum: RevenueSum)] {
    revenue.sorted { $0.key.literallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }

  /// In the order of their names.
  package var sortedEvents: [(name: String, sum: EventSum)] {
    events.sorted { $0.key.literallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}

extension RevenueSum {
  fileprivate func json(currency: String) -> JSON {
    .object([
      ("currency", .string(currency)), ("postbacks", .integer(Int64(postbacks))), ("min", .double(min.units)),
      ("below", openEnded == postbacks ? .null : .double(below.units)), ("open_ended", .integer(Int64(openEnded))),
    ])
  }
}

extension EventSum {
  fileprivate func json(name: String) -> JSON {
    .object([
      ("event", .string(name)), ("postbacks", .integer(Int64(postbacks))), ("count_min", .integer(least)),
      ("count_max", most == 0 ? .null : .integer(most)), ("open_ended", .integer(Int64(openEnded))),
    ])
  }
}
