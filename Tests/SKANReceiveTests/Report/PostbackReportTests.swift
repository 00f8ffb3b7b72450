import SKANBase
import SKANDevice
import SKANModel
import Testing

@testable import SKANReceive

@Suite("The report's counts")
struct PostbackReportTests {
  @Test("The share of installs without a value")
  func share() throws {
    let values = ["12", nil, "13", "14"].enumerated().map { ReportLine(id: "\($0)", fine: $1) }
    let counts = try #require(PostbackReport(values).total(.apple))
    #expect(counts.won == 4 && counts.shareWithoutValue == 0.25 && counts.shareText == "25.0 %")
    #expect(ReportCounts().shareText == "-" && ReportCounts().shareWithoutValue == nil)
  }

  @Test("A remark for each count that is not 0, and for no other")
  func remarks() throws {
    func remarks(_ lines: [ReportLine]) throws -> [String] {
      try #require(PostbackReport(lines).total(.apple)).remarks([])
    }
    let values = "values: 0 decoded, 0 undecoded (not in the model), 1 without a model"
    let plain = ReportLine(fine: nil)
    for (line, remark) in [
      (plain, []),
      (ReportLine(fine: nil, hasWon: false), ["1 did not win: no installs, and without values by Apple's rules"]),
      (ReportLine(), [values]), (ReportLine(fine: "64"), ["1 with a value whose form is not Apple's", values]),
    ] { #expect(try remarks([line]) == remark) }
    let rest = "in conflict with the first copy"
    #expect(
      try remarks([plain, ReportLine(fine: nil, repetition: .duplicate, hour: 1)]) == [
        "not counted: 1 duplicate, 0 \(rest)"
      ])
    #expect(
      try remarks([plain, ReportLine(fine: nil, coarse: "low", repetition: .conflict, hour: 1)]) == [
        "not counted: 0 duplicates, 1 \(rest)"
      ])
  }

  @Test("What is no postback has no value, also none of another form")
  func other() throws {
    let body = #"{"a":1}"#
    let record = ReceivedRecord(
      receivedAt: ReportLine().record.receivedAt, sourceAddress: nil,
      signature: ReceivedSignature(.valid, key: .apple), repetition: .first, findings: [], body: body)
    var report = PostbackReport()
    report.add(record, try Samples.document(body))
    let counts = try #require(report.total(.apple))
    #expect(counts.postbacks == 1 && counts.oddValues == 0 && counts.withoutValue == 1)
  }

  @Test("What all rows have in common: no column that differs, and none that is empty")
  func common() throws {
    func common(_ lines: [ReportLine]) throws -> String? {
      try PostbackReport(lines).tables(by: .postbackDate, grouping: [.network, .campaign, .mappedName]).first?
        .common(["a", "b", "c"])
    }
    #expect(try common([ReportLine(id: "1"), ReportLine(id: "2", campaign: "39")]) == "a com.example")
    #expect(try common([ReportLine(id: "1"), ReportLine(id: "2")]) == "a com.example, b 5239")
  }

  @Test("Events, revenue and what the model does not have")
  func meanings() throws {
    let decoded = [
      ReportLine.decoded(0.1, below: 5), ReportLine.decoded(0.2, below: nil, most: 3),
      ReportLine.decoded(20, below: 30.015, currency: "EUR"),
      DecodedValue(model: "m.json", window: .p0, value: .fine(12), undecoded: "the model has no such value"),
    ]
    let counts = try #require(
      PostbackReport(decoded.enumerated().map { ReportLine(id: "\($0)", decoded: $1) }).total(.apple))
    #expect(counts.decoded == 3 && counts.undecoded == 1 && counts.withoutModel == 0)
    #expect(counts.sortedRevenue.map(\.currency) == ["EUR", "USD"])
    let (euro, dollar) = (counts.sortedRevenue[0].sum, counts.sortedRevenue[1].sum)
    #expect("\(euro.min) \(euro.belowText)" == "20.00 30.015")
    #expect("\(dollar.min) \(dollar.belowText)" == "0.30 no end (1 of 2)" && dollar.postbacks == 2)
    let event = try #require(counts.sortedEvents.first)
    #expect(counts.events.count == 1 && event.name == "purchase")
    #expect(event.sum.postbacks == 3 && event.sum.least == 3 && event.sum.mostText == "no end (2 of 3)")
  }

  @Test("An event that a value names twice counts as one postback, its counts as both")
  func eventTwice() throws {
    var decoded = ReportLine.decoded(1, below: 5, most: 2)
    var again = DecodedEvent(MappedEvent(name: "purchase"))
    again.countMin = 4
    decoded.meaning?.events.append(again)
    let counts = try #require(PostbackReport([ReportLine(decoded: decoded)]).total(.apple))
    let event = try #require(counts.sortedEvents.first)
    #expect(event.sum.postbacks == 1 && event.sum.least == 5 && event.sum.mostText == "no end")
  }

  @Test("A value of no form counts as undecoded, and a postback without a value as neither")
  func withoutMeaning() throws {
    let empty = DecodedValue(model: "m.json", window: .p0)
    let counts = try #require(
      PostbackReport([ReportLine(fine: nil, decoded: empty), ReportLine(id: "2", fine: "99", decoded: empty)])
        .total(.apple))
    #expect(counts.decoded == 0 && counts.undecoded == 1 && counts.withoutModel == 0 && counts.withoutValue == 1)
  }

  @Test("Copies stand beside the first; keys are apart; what nothing vouches for is in a table of its own")
  func copies() throws {
    let invalid = ReceivedSignature(.invalid, why: "x")
    let notChecked = ReceivedSignature(.notChecked, key: .development, why: "x")
    let report = try PostbackReport([
      ReportLine(), ReportLine(repetition: .duplicate, hour: 1), ReportLine(fine: "63", repetition: .conflict, hour: 2),
      ReportLine(fine: "63", repetition: .conflict, hour: 3),
      ReportLine(signature: ReceivedSignature(.valid, key: .simulated)),
      ReportLine(signature: ReceivedSignature(.valid, key: .development)), ReportLine(signature: invalid, hour: -5),
      ReportLine(signature: notChecked),
    ])
    let apple = try #require(report.total(.apple))
    #expect(apple.postbacks == 1 && apple.duplicates == 1 && apple.conflicts == 2 && apple.fine == [12: 1])
    for kind in [ReportTable.Kind.simulated, .development] {
      #expect(report.total(kind)?.installs == 1 && report.total(kind)?.beside == 0)
    }
    let unverified = try #require(report.total(.unverified))
    #expect(unverified.postbacks == 0 && unverified.invalid == 1 && unverified.notChecked == 1)
    #expect(report.received == 8)
    #expect(
      report.span.map { "\($0.lowerBound) \($0.upperBound)" } == "2026-04-30T19:00:00Z 2026-05-01T03:00:00Z")
    #expect(PostbackReport().tables(by: .postbackDate, grouping: [.network]).isEmpty)
  }

  @Test(
    "The first copy is the one that its receiver took for the first, then the earliest, then the one with the smaller hash"
  )
  func firstCopies() throws {
    func first(_ lines: [ReportLine]) throws -> [Int: Int]? {
      let orders = [lines, lines.reversed()]
      let values = try orders.map { try PostbackReport($0).total(.apple)?.fine }
      #expect(values[0] == values[1])
      return values[0]
    }
    let later = ReportLine(fine: "63", hour: 1)
    #expect(try first([ReportLine(), later]) == [12: 1])
    #expect(try first([ReportLine(repetition: .conflict), later]) == [63: 1])
    #expect(
      try first([ReportLine(repetition: .conflict), ReportLine(fine: "1", repetition: .conflict, hour: -1)]) == [1: 1])
    #expect(try first([ReportLine(), ReportLine(fine: "63")]) != nil)
    // One body, once decoded and once not.
    let decoded = [ReportLine(), ReportLine(decoded: ReportLine.decoded(1, below: 2))]
    #expect(
      try PostbackReport(decoded).total(.apple) == PostbackReport(decoded.reversed()).total(.apple))
  }

  @Test("Groups come in the order of their numbers, and what is absent is empty")
  func groups() throws {
    let match = CampaignMatch(id: "c1", name: "summer", country: nil)
    let report = try PostbackReport([
      ReportLine(id: "1", campaign: "5239"), ReportLine(id: "2", campaign: "39", index: 1, fine: nil, hour: 30),
      ReportLine(id: "3", network: "a.example", campaign: "1000", match: match),
    ])
    let table = try #require(report.tables(by: .postbackDate, grouping: ReportDimension.allCases).first)
    #expect(
      table.rows.map(\.group) == [
        ["a.example", "1000", "525463029", "4.0", "0", "2026-05-01", "c1", "summer", "", "12", "", "", "skan", ""],
        ["com.example", "39", "525463029", "4.0", "1", "2026-05-02", "", "", "", "", "", "", "skan", ""],
        ["com.example", "5239", "525463029", "4.0", "0", "2026-05-01", "", "", "", "12", "", "", "skan", ""],
      ])
    #expect(table.total.postbacks == 3 && table.rows.map(\.counts.postbacks) == [1, 1, 1])
  }

  @Test("The install is estimated by version, window and clock")
  func estimates() throws {
    let lines = [
      ReportLine(id: "1", hour: 84), ReportLine(id: "2", index: 1, hour: 252), ReportLine(id: "3", index: 2, hour: 924),
      ReportLine(id: "4", campaign: "7", version: "2.0", hour: 36),
    ]
    let days = { (lines: [ReportLine]) in
      try PostbackReport(lines).tables(by: .estimatedInstallDate, grouping: [.day]).flatMap { $0.rows.map(\.group) }
    }
    #expect(try days(lines) == [["2026-05-01"]])
    let earlier = lines.map { line in
      var line = line
      line.hour -= 1
      return line
    }
    #expect(try days(earlier) == [["2026-04-30"]])
    // A phone in Developer Mode sends within minutes.
    #expect(try days([ReportLine(signature: ReceivedSignature(.valid, key: .development))]) == [["2026-04-30"]])
    #expect(
      try days([ReportLine(signature: ReceivedSignature(.valid, key: .development), hour: 1)]) == [["2026-05-01"]])
    // Nothing tells the version, and the window.
    #expect(try days([ReportLine(version: "9.0", signature: ReceivedSignature(.invalid))]) == [[""]])
    #expect(try days([ReportLine(index: 3)]) == [[""]])
  }
}
