import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Columns of the lines of steps")
struct StepColumnsTests {
  @Test(
    "As wide as the lists need, within limits",
    arguments: [
      (9, 0, nil, 1, 20), (10, 20, nil, 2, 20), (99, 21, 119, 2, 21), (1000, 32, 80, 4, 32), (1, 33, 80, 1, 32),
      (1, 33, 119, 1, 32), (1, 33, 120, 1, 33), (1, 56, nil, 1, 56), (1, 57, nil, 1, 56),
    ] as [(Int, Int, Int?, Int, Int)])
  func widths(lines: Int, widest: Int, terminal: Int?, number: Int, title: Int) {
    let columns = StepColumns(lines: lines, widest: widest, terminal: terminal)
    #expect(columns.number == number && columns.title == title)
  }

  /// The terminal's columns before the outcome of each line that has one.
  private func beginnings(_ out: String, _ outcomes: [String]) -> [Int] {
    out.split(separator: "\n").compactMap { line in
      outcomes.compactMap { line.firstRange(of: "  \($0)  ") }.first.map { String(line[..<$0.lowerBound]).columns }
    }
  }

  @Test(
    "Outcomes stand one under the other, whatever the names are",
    arguments: [
      ("a", "session", 45), ("a phone of one", "purchase", 54),
      ("21DB6612-09B3-4ECC-84AC-B353B0AF1334", "level_up", 76), ("電話", "登録完了", 45),
      ("電話の名前です", "登録完了と", 56),
    ])
  func aligned(device: String, event: String, column: Int) {
    let world = World()
    let steps = [
      #"{"op":"register","device":"\#(device)"}"#, #"{"op":"event","device":"\#(device)","name":"\#(event)"}"#,
      #"{"op":"relaunch","device":"\#(device)"}"#,
    ]
    world["list.jsonl"] = steps.joined(separator: "\n")
    let out = world.run("replay list.jsonl").out
    let found = beginnings(out, ["registered       ", "updated          ", "relaunched       "])
    #expect(found.count == 3 && Set(found).count == 1, "\(out)")
    #expect(found.first == column, "\(found)")
  }

  @Test("Of several lists all lines are alike; a skipped step and a label do not widen what is not shown")
  func several() {
    let world = World()
    world["a.jsonl"] = #"{"op":"register"}"#
    world["b.jsonl"] =
      #"{"op":"event","name":"a_long_name_of_an_event","skip":"later"}"# + "\n" + #"{"op":"register","label":"x"}"#
    let both = world.run("replay a.jsonl b.jsonl").out
    #expect(Set(beginnings(both, ["registered       ", "skipped          "])) == [1 + 2 + 22 + 29])
    #expect(beginnings(world.run("replay b.jsonl --label x").out, ["registered       "]) == [1 + 2 + 22 + 20])
  }

  @Test("A name beyond the limit pushes its own outcome only, and never touches it")
  func long() {
    let world = World()
    let name = String(repeating: "n", count: 60)
    world["list.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"event","name":"\#(name)","skip":"later"}"#
    let lines = world.run("replay list.jsonl").out.split(separator: "\n")
    #expect(lines[0].contains("register\(String(repeating: " ", count: 50))registered"))
    #expect(lines[1].contains("\(name)  skipped"))
  }

  @Test("Of a pipe nothing is known before")
  func pipe() {
    let world = World { $0.streams["-"] = [#"{"op":"event","name":"a_long_name_of_an_event","skip":"later"}"#] }
    let out = world.run("replay -").out
    #expect(out.contains("event a_long_name_of_an_event  skipped"), "\(out)")
  }

  @Test("Tables count the columns of a terminal")
  func tables() {
    let rows = [["漢字", "1"], ["abc", "22"], ["e\u{301}", "3"]]
    #expect(TextTable.lines(rows, numbers: 1..<2) == ["漢字   1", "abc   22", "e\u{301}      3"])
    #expect(TextTable.styled(rows).map(\.indent) == [6, 6, 6])
  }
}
