import Foundation
import SKANDevice
import Testing

@testable import SKANRun

@Suite("One list on several threads")
struct ListDivisionTests {
  private struct Broken: Error, Equatable {}

  private static let plan: ListPlan = {
    var plan = ListPlan(includes: IncludePermission(folders: [], target: { $0 }))
    plan.jobs = 3
    return plan
  }()

  /// Lines of sixty phones, long enough to be worth the threads.
  private static let bytes = Array(
    (0..<4000).map {
      "{\"op\":\"session\",\"device\":\"p\($0 % 60)\",\"label\":\"\(String(repeating: "x", count: 40))\"}\n"
    }
    .joined().utf8)

  private func division(
    _ plan: ListPlan = plan, isRegular: Bool = true, size: Int? = bytes.count, of bytes: [UInt8] = bytes
  ) -> ListDivision? {
    ListDivision(plan, isRegular: isRegular, size: size) { () throws(SourceFailure) in ByteSource(bytes) }
  }

  @Test("Not worth it, or not possible")
  func nothing() {
    #expect(division() != nil)
    var (alone, continued) = (Self.plan, Self.plan)
    alone.jobs = 1
    continued.continuesPhone = true
    #expect(division(alone) == nil && division(continued) == nil)
    #expect(division(isRegular: false) == nil && division(size: nil) == nil && division(size: 1000) == nil)
    #expect(division(of: Array(String(repeating: "{\"op\":\"session\"}\n", count: 9000).utf8)) == nil)
    let unreadable = ListDivision(Self.plan, isRegular: true, size: 1 << 20) { () throws(SourceFailure) in
      throw .unreadable("no")
    }
    #expect(unreadable == nil)
  }

  private func run(
    _ part: @escaping @Sendable (Int) -> ListDivision.Part<Broken>
  ) throws -> ListDivision.Whole<Broken>? {
    let records = StepRecords(of: "l", in: RecordSpool())
    return try #require(division()).run(
      into: records,
      startThread: { body in
        DispatchQueue.global().async(execute: body)
        return true
      }
    ) { partition, isFirst in
      let number = (0..<3).first { partition == PhonePartition($0, of: 3) } ?? -1
      return isFirst == (number == 0) ? part(number) : .wrong
    }
  }

  @Test("The counts of all parts are added; the list counts once")
  func sum() throws {
    let whole = try #require(try run { .part(steps: $0 + 1) })
    #expect(whole.counts.steps == 6 && whole.counts.lists == 1 && whole.failure == nil)
  }

  @Test("Nothing comes of a list with a mistake, of phones that are not independent, and of no step")
  func uncertain() throws {
    #expect(try run { $0 == 1 ? .wrong : .part(steps: 1) } == nil)
    #expect(try run { .part(steps: 1, isIndependent: $0 != 2) } == nil)
    #expect(try run { _ in .part(steps: 0) } == nil)
  }

  @Test("A failure of one part is the whole's")
  func failure() throws {
    let whole = try #require(try run { .part(steps: 1, $0 == 2 ? Broken() : nil) })
    #expect(whole.failure == Broken())
  }
}

extension ListDivision.Part where Failure: Error {
  fileprivate static func part(steps: Int, isIndependent: Bool = true, _ failure: Failure? = nil) -> Self {
    var counts = ReplayCounts()
    counts.lists = 1
    counts.steps = steps
    return Self(ListOutcome(counts: counts), nil, isIndependent: isIndependent, failure)
  }

  fileprivate static var wrong: Self {
    Self(ListOutcome(counts: ReplayCounts(), needsCheck: true), nil, isIndependent: true, nil)
  }
}
