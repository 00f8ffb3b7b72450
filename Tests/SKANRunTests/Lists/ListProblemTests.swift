import SKANBase
import Testing

@testable import SKANRun

@Suite("Problems of lists")
struct ListProblemTests {
  @Test("Problems are equal when they say the same of the same line, by the same way")
  func equality() {
    let problem = ListProblem(
      file: "b", line: 2, problem: SourceProblem("x", at: 0..<1), text: [1], includedFrom: [("a", 1)])
    var others = Array(repeating: problem, count: 6)
    others[1].file = "c"
    others[2].line = 3
    others[3].problem = SourceProblem("y", at: 0..<1)
    others[4].text = [2]
    others[5].includedFrom = [("a", 2)]
    #expect(others.map { $0 == problem } == [true, false, false, false, false, false])
  }
}
