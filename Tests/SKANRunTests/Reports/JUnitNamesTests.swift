import SKANSystem
import Testing

@testable import SKANRun

@Suite("Names in the JUnit report")
struct JUnitNamesTests {
  @Test(
    "A list's path with dots",
    arguments: [
      ("a.jsonl", "a"), ("lists/days/first.jsonl", "lists.days.first"), ("./lists/a.jsonl", "lists.a"),
      ("../../lists//a.jsonl", "lists.a"), ("/tmp/a.jsonl", "tmp.a"), ("v1.2/first.day.jsonl", "v1_2.first_day"),
      ("a.txt", "a_txt"), ("-", "stdin"), (".jsonl", "list"), (" ", "list"), ("..", "list"),
      ("a b\n\u{1}.jsonl", #"a b\n\u0001"#),
    ])
  func className(file: String, name: String) {
    var names = JUnitNames()
    #expect(names.className(of: file) == name)
  }

  @Test("No two lists have the same")
  func classNames() {
    var names = JUnitNames()
    let files = ["a.jsonl", "a.jsonl", "./a.jsonl", "a (2).jsonl", "b.c.jsonl", "b_c.jsonl", "a"]
    #expect(
      files.map { names.className(of: $0) } == ["a", "a (2)", "a (3)", "a (2) (2)", "b_c", "b_c (2)", "a (4)"])
  }

  @Test("Blanks make no difference")
  func blanks() {
    var names = JUnitNames()
    #expect(["a b", "a  b", " a b"].map { names.unique($0) } == ["a b", "a  b (2)", " a b (3)"])
  }

  private func caseNames(_ list: ListRecord) -> [String] {
    var names = JUnitCaseNames(of: list)
    let report = report(of: [list])
    var found: [String] = []
    do throws(FileError) {
      try list.steps.forEach({ $0 }) { (step) throws(FileError) in found.append(names.name(of: report.reported(step))) }
    } catch {
      Issue.record(error)
    }
    return found
  }

  @Test("Line, step and label; an included list by its name")
  func caseNames() {
    let steps: [StepRecord] = [
      .ran(2) { $0.label = "l" }, .ran(10) { $0.label = "l" },
      .ran(2, in: "lists/b.jsonl") { $0.device = "p\n" }, .ran(2, in: "lists/b.jsonl") { $0.device = "p\n" },
      .ran(2, in: "lists/c.jsonl") { $0.name = "event x" },
    ]
    #expect(
      caseNames(list("lists/a.jsonl", steps)) == [
        "002 details: l", "010 details: l", #"in lists/b.jsonl:2 p\n details"#, #"in lists/b.jsonl:2 p\n details (2)"#,
        "in lists/c.jsonl:2 event x",
      ])
  }

  @Test("Lines have the same number of digits, at least three", arguments: [(99, "009"), (1000, "0009")])
  func width(last: Int, first: String) {
    #expect(caseNames(list("lists/a.jsonl", [.ran(9), .ran(last)]))[0] == "\(first) details")
    // However long an included list is.
    #expect(caseNames(list("lists/a.jsonl", [.ran(9), .ran(5000, in: "b")]))[0] == "009 details")
  }
}
