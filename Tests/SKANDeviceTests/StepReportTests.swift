import Testing

@testable import SKANDevice

@Suite("Reports as small values")
struct StepReportTests {
  @Test(
    "Whether the fate of a call is a finding",
    arguments: [
      CallFate.taken(.p1), .registered, .alreadyRegistered, .organic, .unknownVersion, .tooLate(since: moment(1)),
      .locked(.p0, since: moment(1)), .windowsOver(since: moment(1)), .final(since: moment(1)), .notHigher(than: 5),
      .fineOnly(.p2), .refused(10),
    ])
  func fates(fate: CallFate) {
    #expect(fate.isFinding == (fate.warning?.level == .finding))
    var report = StepReport()
    report.setUpdated(fine: .integer(1), coarse: nil, lock: false, .p0, previous: nil)
    report.note(.register, FrameworkAnswer(fate, of: .register))
    #expect(report.hasFinding == fate.isFinding)
    let warning = fate == .taken(.p1) ? .windowsDiffer(.p0, apple: .p1) : fate.warning
    #expect(report.found == (warning.map { [$0] } ?? []))
  }

  @Test("Warnings stand in the same order as bits and as a list")
  func order() {
    for notices: [StepReport.Notices] in [
      [.coarseCleared], [.coarseCleared, .idfvMissing], [.idfvMissing, .handlerNotCalled], [.revenueOutsideWindows],
    ] {
      var bits = StepReport()
      bits.setUpdated(fine: .integer(1), coarse: nil, lock: false, .p2, previous: nil)
      bits.note(.register, FrameworkAnswer(.organic, of: .register))
      var list = bits
      list.found = bits.found
      for notice in notices where notice != .revenueOutsideWindows {
        bits.notice(notice)
        list.notice(notice)
      }
      #expect(bits.found == list.found && bits.found.count > notices.count - 1)
      #expect(bits.hasFinding == bits.found.contains { $0.level == .finding } && bits.hasFinding == list.hasFinding)
      #expect(bits.firstFinding == list.firstFinding)
    }
  }

  @Test("Values that are no small numbers are kept as they are")
  func values() {
    let values: [KeptValue] = [.integer(5), .integer(300), .double(5), .bool(true), .string("5")]
    for fine in values {
      for (coarse, previous) in [(nil, nil), (.string("1"), nil), (.integer(2), .bool(false)), (nil, .double(0.5))]
        as [(KeptValue?, KeptValue?)]
      {
        for window in [nil, ConversionWindow.p1] {
          var report = StepReport()
          report.setUpdated(fine: fine, coarse: coarse, lock: true, window, previous: previous)
          report.passValues(.values(fine: fine, coarse: coarse, lock: true))
          let explanation = Explanation.updated(fine: fine, coarse: coarse, lock: true, window, previous: previous)
          #expect(report.explanation == explanation)
          #expect(report.handler == .values(fine: fine, coarse: coarse, lock: true))
          report.explanation = .frameworkFailed(code: 10)
          #expect(report.handler == .values(fine: fine, coarse: coarse, lock: true))
          report.removeHandler()
          #expect(report.handler == nil && !report.callsHandler && report.explanation == .frameworkFailed(code: 10))
        }
      }
    }
  }

  @Test("A report is small") func size() {
    #expect(MemoryLayout<StepReport>.size <= 80, "\(MemoryLayout<StepReport>.size)")
  }
}
