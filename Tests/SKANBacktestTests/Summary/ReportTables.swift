import SKANBase
import SKANDevice
import Testing

@testable import SKANBacktest

/// Checks that each number cell, bar and chart of a report for people is a number of ``PlainBacktest``, in its form.
struct ReportTables {
  /// The numbers of the report by path.
  let numbers: [String: Int]
  let report: BacktestReport

  private static let names = ["none", "low", "medium", "high"]
  private var count: Int { report.header.models.count }

  private func place(_ model: Int, in group: String = "total") -> String {
    model == 0 ? "\(group).with_model" : "\(group).with_others[\(model - 1)]"
  }

  private func number(_ path: String) -> Int { numbers[path] ?? 0 }

  private func devices(_ window: Int) -> Int { number("\(place(0)).devices_by_window.p\(window)") }

  private func fine(_ value: Int, _ place: String) -> String {
    let row = (0..<64).first { number("\(place).fine_values[\($0)].value") == value } ?? 0
    return "\(place).fine_values[\(row)]"
  }

  /// The number of users with the highest value of a model, as far as it has one.
  private func atHighest(_ place: String) -> Int { number("\(place).at_highest") }

  private func top(_ model: Int) -> Int {
    report.header.models[model].fine.indices.last { report.header.models[model].fine[$0].meaning != nil } ?? 0
  }

  /// Sums of a window's postbacks, or of all of them, by model.
  private struct Told {
    var users = 0, devices = 0, revenue = 0, gross = 0, decoded = 0, error = 0
  }

  private func told(_ model: Int, _ window: Int) -> Told {
    let place = place(model)
    let gross = number("\(place).gross_revenue_micros.p\(window)")
    let cells = window == 0 ? [place] : Self.names.map { "\(place).coarse_values.p\(window).\($0)" }
    func sum(_ name: String) -> Int { cells.reduce(0) { $0 + number("\($1).\(name)") } }
    let zero = window == 0 ? number("\(place).at_zero") : number("\(cells[0]).users")
    return Told(
      users: devices(window) - zero, devices: devices(window),
      revenue: sum(window == 0 ? "revenue_48h_micros" : "revenue_micros"), gross: gross,
      decoded: sum("decoded_micros"), error: sum("error_micros"))
  }

  /// All windows, each as if as many devices had ended it as the first one.
  private func told(_ model: Int) -> Told {
    (0..<3).map { told(model, $0) }.reduce(into: Told(devices: devices(0))) { sum, told in
      func weighed(_ number: Int) -> Int { told.devices == 0 ? 0 : number * devices(0) / told.devices }
      sum.revenue += weighed(told.revenue)
      sum.gross += weighed(told.gross)
      sum.decoded += weighed(told.decoded)
      sum.error += weighed(told.error)
    }
  }

  private func errors(_ told: Told) -> [String: String] {
    [
      "decoded − true": Figures.signedPercent(told.decoded - told.revenue, of: told.gross),
      "average error per user": Figures.mean(told.error, of: told.devices),
      "total error, % of revenue": told.error.percent(of: told.gross),
    ]
  }

  // MARK: Tables

  func check() {
    for part in report.parts {
      let names = part.columns.map(\.name)
      #expect(part.bars.isEmpty || part.bars.count == part.rows.count, "\(part.title)")
      for (index, row) in part.rows.enumerated() {
        let cells = Dictionary(zip(names, row)) { first, _ in first }
        let model = cells["model"].flatMap { report.header.modelNames.firstIndex(of: $0) } ?? 0
        var expected = cellsOf(part.title, row, cells, model)
        if part.title == "Recommendation", row[0] == "all", number("input.devices_unfinished") > 0 {
          (expected["true revenue"], expected["decoded"]) = ("", "")
        }
        for (column, text) in zip(part.columns, row) where column.isNumber {
          #expect(text == expected[column.name], "\(part.title) \(row) \(column.name)")
        }
        if !part.bars.isEmpty {
          #expect("\(part.bars[index])" == cells["users"] ?? cells["all"], "\(part.title) \(row)")
        }
      }
    }
    checkCharts()
  }

  /// The expected text of each number column of a row.
  private func cellsOf(
    _ title: String, _ row: [String], _ cells: [String: String], _ model: Int
  ) -> [String: String] {
    let own = place(model)
    let window = row[0].count == 2 ? Int(row[0].suffix(1)) ?? 0 : 0
    func money(_ path: String) -> String { Figures.money(number(path)) }
    switch title {
    case "Fine values (first postback)":
      let cell = fine(Int(row[0]) ?? 0, own)
      return [
        "value": row[0], "users": "\(number("\(cell).users"))",
        "share": number("\(cell).users").percent(of: devices(0)),
        "true 48 h": money("\(cell).revenue_48h_micros"), "users of 7 d": "\(number("\(cell).users_7d"))",
        "7 d": money("\(cell).revenue_7d_micros"), "users of 35 d": "\(number("\(cell).users_35d"))",
        "35 d": money("\(cell).revenue_35d_micros"), "decoded": money("\(cell).decoded_micros"),
        "average error per user": Figures.mean(number("\(cell).error_micros"), of: number("\(cell).users")),
      ]
    case "Coarse values":
      let cell = "\(own).coarse_values.p\(window).\(cells["value"] ?? "")"
      return [
        "users": "\(number("\(cell).users"))", "share": number("\(cell).users").percent(of: devices(window)),
        "true revenue": money("\(cell).revenue_micros"), "decoded": money("\(cell).decoded_micros"),
        "average error per user": Figures.mean(number("\(cell).error_micros"), of: number("\(cell).users")),
      ]
    case "Locks":
      let (cell, lost) = ("\(own).locks.p\(window)", number("\(own).locks.p\(window).revenue_after_micros"))
      let locks = number("\(cell).locks")
      return [
        "locks": "\(locks)", "share": locks.percent(of: devices(window)),
        "hours gained": Figures.hours(number("\(cell).seconds_gained"), of: locks),
        "revenue after": Figures.money(lost),
        "of the window's": lost.percent(of: number("\(own).gross_revenue_micros.p\(window)")),
        "values changed": "\(number("\(cell).values_changed"))",
      ]
    case "What a postback data tier leaves of the first postback":
      let cell = "\(own).tiers[\(row[0])]"
      let (decoded, gross) = (number("\(cell).decoded_micros"), number("\(place(0)).gross_revenue_micros.p0"))
      var expected = [
        "tier": row[0], "decoded": Figures.money(decoded),
        "decoded − true": Figures.signedPercent(decoded - number("\(place(0)).revenue_48h_micros"), of: gross),
        "total error, % of revenue": number("\(cell).error_micros").percent(of: gross),
      ]
      for (name, key) in [("fine", "fine"), ("coarse", "coarse"), ("without value", "without_value")] {
        expected[name] = number("\(cell).\(key)").percent(of: devices(0))
      }
      return expected
    case "Sessions and events":
      let places = ["seen in P0": "seen_p0", "seen in P1": "seen_p1", "seen in P2": "seen_p2"]
      return places.merging(["after a lock": "after_lock", "after P2": "after_windows"]) { $1 }.mapValues {
        "\(number("\(own).events.\(row[0]).\($0)"))"
      }
    case "Postbacks":
      let sent = number("\(own).postbacks.p\(window).postbacks")
      // The first of two busiest days.
      let days = numbers.filter { $0.key.hasPrefix("\(own).postbacks_by_day.") && $0.key.hasSuffix("[\(window)]") }
        .map { ($0.value, $0.key.dropLast(3).suffix(10)) }.min { (-$0.0, $0.1) < (-$1.0, $1.1) }
      return [
        "postbacks": "\(sent)", "share of devices": sent.percent(of: devices(window)),
        "mean hours after the first call": Figures.hours(number("\(own).postbacks.p\(window).seconds"), of: sent),
        "most on a day": days.map { "\($0.0) on \($0.1)" } ?? "-",
      ]
    case "Postbacks by day (UTC)":
      let counts = (0..<3).map { number("\(own).postbacks_by_day.\(row[0])[\($0)]") }
      return [
        "P0": "\(counts[0])", "P1": "\(counts[1])", "P2": "\(counts[2])", "all": "\(counts.reduce(0, +))",
      ]
    case "By campaign":
      let index = report.summary.groups.keys.sorted().firstIndex(of: row[0]) ?? -1
      let own = place(model, in: "groups[\(index)].counts")
      let users = number("\(own).devices_by_window.p0")
      let (revenue, decoded) = (number("\(own).revenue_48h_micros"), number("\(own).decoded_micros"))
      let gross = number("\(own).gross_revenue_micros.p0")
      return [
        "users": "\(users)", "at 0": number("\(own).at_zero").percent(of: users),
        "at the highest": atHighest(own).percent(of: users), "true 48 h": Figures.money(revenue),
        "users of 35 d": "\(number("\(own).devices_by_window.p2"))", "35 d": money("\(own).revenue_35d_micros"),
        "decoded": Figures.money(decoded), "decoded − true": Figures.signedPercent(decoded - revenue, of: gross),
        "total error, % of revenue": number("\(own).error_micros").percent(of: gross),
      ]
    case "Recommendation":
      let told = row[0] == "all" ? told(model) : told(model, window)
      return errors(told).merging([
        "users with a value": row[0] == "all" ? "" : told.users.percent(of: told.devices),
        "true revenue": Figures.money(told.revenue), "decoded": Figures.money(told.decoded),
      ]) { $1 }
    case let title where title.hasPrefix("Users whose values differ"):
      let path =
        [
          "have another value": "any", "have a higher fine value": "fine_higher",
          "have a lower fine value": "fine_lower",
        ][
          row[0]] ?? "coarse.p\(row[0].suffix(1))"
      let changed = number("total.changes[\(model - 1)].\(path)")
      return [
        "users": "\(changed)",
        "share": changed.percent(of: devices(path.hasPrefix("coarse") ? Int(path.suffix(1)) ?? 0 : 0)),
      ]
    default: return accuracy(row[0])
    }
  }

  /// A row of the first table, which has a column for each model.
  private func accuracy(_ name: String) -> [String: String] {
    var expected: [String: String] = [:]
    for model in 0..<count {
      let (own, told) = (place(model), told(model, 0))
      var texts = errors(told)
      texts["true revenue"] = Figures.money(told.revenue)
      texts["revenue before refunds"] = Figures.money(told.gross)
      texts["decoded revenue"] = Figures.money(told.decoded)
      texts["users at 0"] = number("\(own).at_zero").percent(of: devices(0))
      texts["users at the highest value"] = "\(atHighest(own).percent(of: devices(0))) (\(top(model)))"
      expected[count == 1 ? report.header.currency : report.header.modelNames[model]] = texts[name]
    }
    return expected
  }

  // MARK: Charts

  private func checkCharts() {
    let charts = report.parts.flatMap(\.charts)
    let page = report.html
    #expect(charts.allSatisfy { page.contains($0.element) })
    for model in 0..<count {
      let own = place(model)
      let values = (0..<64).compactMap { value -> (Int, Int, Int)? in
        let cell = fine(value, own)
        if value != number("\(cell).value") { return nil }
        let bars = (number("\(cell).revenue_48h_micros"), number("\(cell).decoded_micros"))
        return bars == (0, 0) ? nil : (value, bars.0, bars.1)
      }
      let of = count == 1 ? "" : " of \(report.header.modelNames[model])"
      let chart = charts.first { $0.title == "Revenue of the first 48 hours by fine value\(of), in USD" }
      #expect(
        chart?.rows
          == values.map { value, revenue, decoded in
            BarChart.Row("\(value)", [revenue, decoded].map { BarChart.Bar(Double($0), Figures.money($0)) })
          })
    }
    func share(_ part: Int, _ whole: Int) -> BarChart.Bar {
      BarChart.Bar(whole == 0 ? 0 : Double(part) / Double(whole), part.percent(of: whole))
    }
    let gross = number("\(place(0)).gross_revenue_micros.p0")
    let tiers = charts.first { $0.title.hasPrefix("Total error of the first postback by tier") }
    #expect(
      tiers?.rows
        == (devices(0) == 0
          ? nil
          : (0..<4).map { tier in
            BarChart.Row(
              "tier \(tier)",
              (0..<count).map { share(number("\(place($0)).tiers[\(tier)].error_micros"), gross) })
          }))
    let errors = charts.first { $0.title.hasPrefix("Total error of all three postbacks") }
    #expect((errors == nil) == (count == 1 || devices(0) == 0))
    for (model, row) in (errors?.rows ?? []).enumerated() {
      #expect(row.bars == [share(told(model).error, told(model).gross)])
    }
  }
}
