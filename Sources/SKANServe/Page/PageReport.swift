import SKANBase
import SKANDevice
import SKANTimeline
import SKANTraffic

/// What the journal keeps, as one page of HTML to hand on: the findings with their remedies, and each phone with its
/// drawing and its requests. It loads nothing and runs nothing.
struct PageReport {
  /// The most phones that are drawn, and the most requests of a phone that are listed.
  private static let most = (phones: 20, requests: 200)

  let kept: PageSnapshot
  /// The time of the report.
  let at: Instant

  var html: String {
    var page = HTMLWriter()
    page.beginPage(
      title: "skan serve: report", policy: "default-src 'none'; style-src 'unsafe-inline'",
      style: TimelineSVG.style(in: ".life"))
    let (phones, lines) = (kept.phones, kept.lines)
    page.element("h1", text: "What phones asked skan serve")
    page.element(
      "p",
      text:
        "\(count("request", lines.count)) of \(count("phone", phones.count)), as of \(at).")
    if lines.firstNumber > 1 {
      page.element("p", text: "Requests before number \(lines.firstNumber) are not kept.")
    }
    let findings = lines.numbers.flatMap(kept.findings)
    for level in TrafficRule.Level.allCases { write(findings.filter { $0.rule.level == level }, level, to: &page) }
    for (index, phone) in phones.prefix(Self.most.phones).enumerated() { write(phone, index, to: &page) }
    if phones.count > Self.most.phones {
      page.element("p", text: "\(count("phone", phones.count - Self.most.phones)) more are left out.")
    }
    page.endPage()
    return page.text
  }

  private func count(_ what: String, _ number: Int) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

  private func write(_ findings: [TrafficFinding], _ level: TrafficRule.Level, to page: inout HTMLWriter) {
    let rules = Dictionary(grouping: findings, by: \.rule)
    guard !rules.isEmpty else { return }
    var part = ReportPart("Findings: \(level.rawValue)", texts: ["rule", "what", "remedy"], numbers: ["times"])
    part.rows = rules.sorted { $0.key.id.literallyPrecedes($1.key.id) }.map { rule, findings in
      [rule.id, rule.text, rule.remedy, "\(findings.count)"]
    }
    page.section(part)
  }

  private func write(_ phone: TrafficDevice, _ index: Int, to page: inout HTMLWriter) {
    let requests = kept.requests(of: phone)
    page.element("section") { section in
      section.element("h2", text: "\(phone)")
      if requests.count <= PageLife.mostRequests, let drawing = PageLife.drawing(of: requests) {
        section.element("div", [("class", "life")]) { $0.add(TimelineSVG(drawing, id: "life\(index)").element) }
      }
      var part = ReportPart("", texts: ["time", "event", "answer", "why"])
      part.rows = requests.suffix(Self.most.requests).map(row)
      if requests.count > Self.most.requests {
        section.element("p", text: "The last \(Self.most.requests) of \(requests.count) requests:")
      }
      section.element("div", [("class", "wide")]) { $0.table(part) }
    }
  }

  /// The row of a request: its time, event, answer, and explanation with findings.
  private func row(_ request: CapturedRequest) -> [String] {
    let line = try? JSONReader.read(Array(kept.lines[request.location.entry]))
    let findings = kept.findings(request.location.entry).map { "[\($0.rule.id)] \($0.message)" }
    return [
      request.at.map { "\($0)" } ?? "", line?.member("query")?.text("n") ?? request.request.path,
      line?.text("answer") ?? "", ([line?.text("explanation") ?? ""] + findings).joined(separator: " "),
    ]
  }
}
