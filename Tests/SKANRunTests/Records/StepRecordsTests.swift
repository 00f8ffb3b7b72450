import SKANDevice
import SKANBase
import SKANSystem
import Testing

@testable import SKANRun

@Suite("Records of steps that are set aside")
struct StepRecordsTests {
  /// Records with everything that one can hold.
  static let samples: [StepRecord] = {
    var failed = StepRecord(
      file: "lists/b.jsonl", line: .max, device: "phone \u{0} é", op: "event", name: "event x", label: "",
      fate: .ran(.updated, explanation: "Because."))
    failed.findings = [.emptyName, .init(code: "", message: "")]
    failed.expectations = 3
    failed.time = TimeSpan(microseconds: -1)
    let values: [JSON] = [
      .null, .bool(true), .bool(false), .integer(.min), .integer(0), .unsigned(.max), .double(-0.0), .double(.infinity),
      .double(0.1), .string(""), .string("\u{2028}"), .array([]), .object([]),
    ]
    failed.failures = [
      .unmet("details.a", .array(values), .object(values.enumerated().map { ("\($0)", $1) })),
      .init(
        path: "", expected: .null, actual: .null, end: .init(path: "details", isNull: true), isMet: true),
    ]
    failed.fault = EndpointFault(failure: .badAnswer, reason: "no \u{0} reason")
    failed.exchanges = [
      .page, .init(method: "POST", url: "", sent: "a=b", status: nil, contentType: nil, text: "refused", size: 0),
    ]
    return [.ran(1), failed, .skipped(3, "not yet"), .ran(70_000, in: "lists/c.jsonl") { $0.label = "l" }]
  }()

  private func records(_ steps: some Sequence<StepRecord>) throws -> StepRecords {
    var records = StepRecords(of: "lists/a.jsonl", in: RecordSpool())
    for (index, step) in steps.enumerated() { try records.append(step, at: index) }
    return records
  }

  private func all(_ records: StepRecords) throws -> [StepRecord] {
    var found: [StepRecord] = []
    try records.forEach({ $0 }) { (step) throws(FileError) in found.append(step) }
    return found
  }

  @Test("They come back as they were, in order, from memory and from a file", arguments: [1, 20_000])
  func roundTrip(repetitions: Int) throws {
    let steps = (0..<repetitions).flatMap { _ in Self.samples }
    var records = try records(steps)
    #expect(try all(records) == steps)
    try records.finish()
    #expect(try all(records) == steps)
    // A zero keeps its sign, and equality does not see it.
    let texts = try all(records).prefix(4).map { "\($0)" }
    #expect(texts == Self.samples.map { "\($0)" })
  }

  @Test("No steps")
  func none() throws {
    #expect(try all(try records([])) == [])
  }

  @Test("Totals")
  func totals() throws {
    let totals = try records(Self.samples).totals
    #expect(totals.steps == 4 && totals.skipped == 1 && totals.expectations == 3 && totals.failures == 2)
    #expect(totals.findings == 1 && totals.failed == 1 && totals.failedStrictly == 1)
  }

  @Test("The records of several threads are in the order of the list", arguments: 1...20)
  func merge(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let spool = RecordSpool()
    var parts = (0..<3).map { _ in StepRecords(of: "lists/a.jsonl", in: spool) }
    let steps = (0..<3000).map { StepRecord.ran($0 + 1) }
    for (index, step) in steps.enumerated() {
      try parts[Int.random(in: 0..<3, using: &random)].append(step, at: index)
    }
    var merged = StepRecords(of: "lists/a.jsonl", in: spool)
    for part in parts.indices.shuffled(using: &random) {
      try parts[part].finish()
      merged.merge(parts[part])
    }
    #expect(try all(merged) == steps)
    #expect(merged.totals.steps == 3000 && merged.lastLine == 3000)
  }

  @Test("A directory that cannot be written is reported")
  func failure() throws {
    var records = StepRecords(of: "a", in: RecordSpool(directory: "/dev/null"))
    let error = #expect(throws: FileError.self) {
      for index in 0..<100_000 { try records.append(.ran(index), at: index) }
    }
    #expect(error?.path == "/dev/null")
  }

  @Test(
    "Bytes that are not those of records are reported",
    arguments: [
      [0, 1], [0, 0, 0x80], [0xFF, 0xFF], [0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    ] as [[UInt8]])
  func broken(bytes: [UInt8]) {
    #expect(bytes.reading { $0.step(files: ["a"]).index } == nil)
  }
}
