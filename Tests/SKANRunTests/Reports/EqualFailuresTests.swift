import Testing

@testable import SKANRun

@Suite("Equal failures of a list")
struct EqualFailuresTests {
  private static func finding(_ number: Int) -> StepRecord.Finding {
    StepRecord.Finding(code: "c", message: "m\(number)")
  }

  @Test("Three are printed, the others counted", arguments: [1, 3, 4, 5, 9])
  func counted(count: Int) {
    var equal = EqualFailures()
    let isMore = (1...count).map { equal.shouldSuppress(Self.finding(0), at: "a:\($0)") }
    #expect(isMore == (1...count).map { $0 > 3 })
    let lines =
      switch count {
      case ...3: [String]()
      case 4: ["a: the same once more, at a:4: finding: m0 [c]"]
      default: ["a: the same \(count - 3) times more, from a:4 to a:\(count): finding: m0 [c]"]
      }
    #expect(equal.lines(of: "a") == lines)
  }

  @Test("Of more than a thousand kinds each is printed, and none is kept")
  func kinds() {
    var equal = EqualFailures()
    let kinds = (0..<1000).map { equal.shouldSuppress(Self.finding($0), at: "a:1") }
    let beyond = (0..<9).map { _ in equal.shouldSuppress(Self.finding(1000), at: "a:2") }
    #expect(!kinds.contains(true) && !beyond.contains(true))
    for _ in 0..<3 { _ = equal.shouldSuppress(Self.finding(999), at: "a:3") }
    #expect(equal.lines(of: "a") == ["a: the same once more, at a:3: finding: m999 [c]"])
  }
}
