import SKANBase
import SKANDevice
import SKANModel
import SKANSigning

/// The worths of the postbacks in files of received postbacks, by the kind of key that verified them, in all forms.
package struct CampaignReports: Sendable {
  private let worth: Worth
  private let tiers: [Double]?
  /// The kinds that have installs.
  private let reports: [CampaignReport]
  private let span: ClosedRange<Instant>?
  private let received: Int

  package init(_ report: PostbackReport, _ worth: Worth, tiers: [Double]?, _ spend: SpendTable?) {
    (self.worth, self.tiers, span, received) = (worth, tiers, report.span, report.received)
    reports = ReportTable.Kind.allCases.compactMap { kind in
      kind == .unverified ? nil : CampaignReport(report, kind, worth, tiers: tiers, spend)
    }
  }

  /// Whether there is no install that could be valued.
  package var isEmpty: Bool { reports.isEmpty }

  /// The lines above all parts.
  package var headline: [String] {
    let times = span.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    let null =
      tiers.map {
        "the mean of users with tier 0 and of those without a coarse value, by the tiers \($0.map(\.jsonText).joined(separator: ", "))"
      }
      ?? "the mean of all users"
    return [
      "\(received.counted("postback")) received\(times)",
      "Revenue to day 35 in \(worth.currency) by the worths of \(worth.model.oneLine), from \(worth.input.devices.counted("device")); "
        + "an install without a value is worth \(null).",
      "Each install counts once, by its first postback. Intervals are of 90 %: the worths' and the campaign's own users'.",
    ]
  }

  package var parts: [ReportPart] { reports.map(\.part) }

  // MARK: - Other forms

  package var csv: String {
    let columns = [
      "signed_by", "network", "campaign", "name", "installs", "installs_shared", "installs_without_value", "revenue",
      "revenue_low", "revenue_high", "revenue_without_value", "deviation_by_worth", "deviation_by_users", "cost",
      "cost_per_install", "roas", "roas_low", "roas_high", "best_place", "worst_place", "worths_of", "currency",
    ]
    let money = Figures.exactMoney
    func number(_ number: Double?) -> String { number.map { Figures.decimal($0, 6) } ?? "" }
    var rows = [columns]
    for report in reports {
      for row in report.rows {
        var cells = [report.kind.rawValue, row.network, row.campaign, row.name, "\(row.installs)"]
        cells += [number(row.shared), number(row.nulls)]
        cells += [row.revenue, row.low, row.high, row.nullRevenue, row.byWorth, row.byUsers, row.cost].map(money)
        cells += [money(row.costPerInstall), number(row.returns?.middle), number(row.returns?.low)]
        cells += [number(row.returns?.high), "\(row.places.lowerBound)", "\(row.places.upperBound)"]
        rows.append(cells + [row.group ?? "", worth.currency])
      }
    }
    return rows.map(\.csvLine).joined()
  }

  /// The report as an HTML page: one file without scripts and external resources.
  package var html: String {
    HTMLWriter.page(title: "What campaigns are worth", lines: headline) { main in
      for report in reports { report.write(into: &main) }
    }
  }
}

extension CampaignReport {
  private var currency: String { worth.currency }

  fileprivate var part: ReportPart {
    var part = ReportPart(
      kind.title, texts: ["campaign"],
      numbers: ["installs", "shared", "no value", "revenue", "90 % from", "to"]
        + (hasSpend ? ["cost", "CPI", "ROAS", "90 % from", "to"] : ["per install", "90 % from", "to"]),
      after: ["place"])
    part.notes = notes
    part.rows = rows.map { cells($0, title($0)) + [place($0)] }
    part.rows.append(cells(total, "all") + [""])
    return part
  }

  private func cells(_ row: Row, _ name: String) -> [String] {
    var cells = [name, "\(row.installs)", row.shared == 0 ? "-" : Figures.decimal(row.shared, 1)]
    cells.append(row.nulls == 0 ? "-" : Figures.decimal(row.nulls, row.nulls == row.nulls.rounded() ? 0 : 1))
    cells += [row.revenue, row.low, row.high].map { Figures.money($0) }
    if hasSpend {
      cells += [row.cost, row.costPerInstall].map { $0.map { Figures.money($0) } ?? "-" }
      cells += [row.returns?.middle, row.returns?.low, row.returns?.high].map { $0.map(Self.percent) ?? "-" }
    } else {
      let each = row.perInstall
      cells += [each?.middle, each?.low, each?.high].map { $0.map { Figures.decimal($0 / 1e6, 4) } ?? "-" }
    }
    return cells
  }

  private static func percent(_ share: Double) -> String { "\(Figures.decimal(share * 100, 1)) %" }

  /// A campaign's name, or else its identifier, with its network if there are several.
  private func title(_ row: Row) -> String {
    let name = row.name.isEmpty ? row.campaign : row.name
    let isAlone = rows.allSatisfy { $0.network == row.network }
    return "\(isAlone ? "" : "\(row.network) ")\(name.isEmpty ? "-" : name)".oneLine
  }

  private func place(_ row: Row) -> String {
    row.isDistinguishable
      ? "\(row.places.lowerBound)" : "\(row.places.lowerBound) to \(row.places.upperBound), not distinguishable"
  }

  private var notes: [String] {
    var notes: [String] = []
    let shared = rows.reduce(0) { $0 + $1.shared }
    if shared > 0 {
      notes.append(
        "\(Figures.decimal(shared, 0)) installs show only digits that several campaigns have, and are divided by the shares of "
          + "those that are known.")
    }
    if total.nulls > 0 {
      notes.append(
        "\(Figures.decimal(total.nulls, 0)) installs are without a value; \(Figures.money(total.nullRevenue)) of the revenue is theirs."
      )
    }
    if unknownValues > 0 {
      notes.append(
        "\(unknownValues.counted("install")) with a value that the worths do not have, like those without one.")
    }
    if unvalued > 0 {
      notes.append("\(unvalued.counted("redownload or re-engagement", "redownloads or re-engagements")) not valued.")
    }
    if apps > 1 { notes.append("The postbacks are of \(apps) apps, and the worths of one.") }
    if let days {
      notes.append("Installs from about \(Instant.date(of: days.lowerBound)) to \(Instant.date(of: days.upperBound)).")
    }
    if let costDays {
      notes.append("Costs from \(Instant.date(of: costDays.lowerBound)) to \(Instant.date(of: costDays.upperBound)).")
    }
    notes.append("Places are those that the intervals of \(hasSpend ? "ROAS" : "the revenue per install") allow.")
    return notes
  }

  fileprivate func write(into main: inout HTMLWriter) {
    let part = part
    main.element("section") { section in
      section.element("h2", text: part.title)
      section.element("dl") { list in
        for (name, text) in figures {
          list.element("div") { item in
            item.element("dt", text: name)
            item.element("dd", text: text)
          }
        }
      }
      for note in part.notes { section.element("p", text: note) }
      section.add(chart.element)
      section.element("div", [("class", "wide")]) { $0.table(part) }
    }
  }

  private func range(_ low: Double, _ high: Double, _ text: (Double) -> String) -> String {
    "\(text(low)) to \(text(high))"
  }

  /// The three numbers of the page.
  private var figures: [(name: String, text: String)] {
    func money(_ micros: Double) -> String { Figures.decimal(micros / 1e6, 2) }
    let revenue = range(Double(total.low), Double(total.high), money)
    let third: (String, String)
    if let returns = total.returns {
      third = ("ROAS to day 35", "\(Self.percent(returns.middle)) (\(range(returns.low, returns.high, Self.percent)))")
    } else {
      let each = total.perInstall ?? (0, 0, 0)
      third = ("\(currency) per install", "\(money(each.middle)) (\(range(each.low, each.high, money)))")
    }
    return [
      ("installs", "\(total.installs)"),
      ("revenue to day 35, \(currency)", "\(money(Double(total.revenue))) (\(revenue))"), third,
    ]
  }

  private var chart: IntervalChart {
    var chart = IntervalChart(
      hasSpend ? "ROAS to day 35 by campaign, in %" : "Revenue to day 35 per install by campaign, in \(currency)")
    if hasSpend { chart.mark = IntervalChart.Mark(100, "cost earned back") }
    for row in rows {
      guard let numbers = hasSpend ? row.returns : row.perInstall else { continue }
      let scale = hasSpend ? 100 : 1e-6
      let (middle, low, high) = (numbers.middle * scale, numbers.low * scale, numbers.high * scale)
      let text = [middle, low, high].map { Figures.decimal($0, hasSpend ? 0 : 2) }
      chart.rows.append(
        IntervalChart.Row(title(row), middle, low: low, high: high, "\(text[0]) (\(text[1]) to \(text[2]))"))
    }
    return chart
  }
}

extension CampaignReports: JSONObjectWritable {
  package static let fields = JSONFields<CampaignReports> {
    JSONField("format", as: .integer(1...1)) { _ in 1 }
    JSONField("currency") { $0.worth.currency }
    JSONField("model") { $0.worth.model }
    JSONField("tiers", as: JSONForm.list(.number).orNull) { $0.tiers }
    JSONField("received") { $0.received }
    ReportTable.Kind.allCases.filter { $0 != .unverified }.map { kind in
      // A kind without installs is null.
      JSONField<CampaignReports>(kind.rawValue, as: CampaignReport.fields.form.orNull) { shown, writer in
        guard let report = shown.reports.first(where: { $0.kind == kind }) else { return writer.null() }
        CampaignReport.fields.write(report, to: &writer)
      }
    }
  }
}

extension CampaignReport {
  fileprivate static let fields = JSONFields<CampaignReport> {
    JSONField("unvalued") { $0.unvalued }
    JSONField("unknown_values") { $0.unknownValues }
    JSONField("apps") { $0.apps }
    JSONField("installs_from") { $0.days.map { Instant.date(of: $0.lowerBound) } }
    JSONField("installs_to") { $0.days.map { Instant.date(of: $0.upperBound) } }
    JSONField("costs_from") { $0.costDays.map { Instant.date(of: $0.lowerBound) } }
    JSONField("costs_to") { $0.costDays.map { Instant.date(of: $0.upperBound) } }
    JSONField("total", object: sums) { $0.total }
    JSONField("campaigns", list: row) { $0.rows }
  }

  private static let row = JSONFields<Row> {
    JSONField("network") { $0.network }
    JSONField("campaign") { $0.campaign }
    JSONField("name") { $0.name.isEmpty ? nil : $0.name }
    JSONField("worths_of") { $0.group }
    JSONField("best_place") { $0.places.lowerBound }
    JSONField("worst_place") { $0.places.upperBound }
    JSONField("distinguishable") { $0.isDistinguishable }
    sums.rows
  }

  private static let sums = JSONFields<Row> {
    JSONField("installs") { $0.installs }
    JSONField("installs_shared") { $0.shared }
    JSONField("installs_without_value") { $0.nulls }
    JSONField("revenue_micros", as: .integer) { $0.revenue }
    JSONField("low_micros", as: .integer) { $0.low }
    JSONField("high_micros", as: .integer) { $0.high }
    JSONField("revenue_without_value_micros", as: .integer) { $0.nullRevenue }
    JSONField("deviation_by_worth_micros") { $0.byWorth }
    JSONField("deviation_by_users_micros") { $0.byUsers }
    JSONField("cost_micros") { $0.cost }
    JSONField("cost_per_install_micros") { $0.costPerInstall }
    JSONField("roas") { $0.returns?.middle }
    JSONField("roas_low") { $0.returns?.low }
    JSONField("roas_high") { $0.returns?.high }
  }
}
