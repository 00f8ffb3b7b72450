import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Which lists a command line names")
struct ListNameTests {
  private func world(_ names: String...) -> World {
    let world = World()
    for name in names { world[name] = #"{"op":"details"}"# }
    return world
  }

  /// The lists of a replay, in their order.
  private func lists(_ world: World, _ arguments: String) -> [String] {
    let result = world.run("replay --test \(arguments)")
    if result.code != .ok { return [result.err] }
    return result.out.split(separator: "\n").dropLast().map { $0.split(separator: " ")[1] }.map(String.init)
  }

  @Test("All lists of a directory and those below, in the order of their paths")
  func directory() {
    let world = world("d/b.jsonl", "d/a.jsonl", "d/sub/c.jsonl", "d/B.jsonl", "e/x.jsonl")
    #expect(lists(world, "d") == ["d/B.jsonl", "d/a.jsonl", "d/b.jsonl", "d/sub/c.jsonl"])
    #expect(lists(world, "d/") == ["d/B.jsonl", "d/a.jsonl", "d/b.jsonl", "d/sub/c.jsonl"])
    #expect(lists(world, "e d/sub e") == ["e/x.jsonl", "d/sub/c.jsonl", "e/x.jsonl"])
  }

  @Test("What is no list, hidden, or there to be included is passed over in a directory, not when it is named")
  func passedOver() {
    let world = world(
      "d/a.jsonl", "d/model.json", "d/README.md", "d/_start.jsonl", "d/.hidden.jsonl", "d/_parts/b.jsonl",
      "d/.git/c.jsonl", "d/jsonl")
    #expect(lists(world, "d") == ["d/a.jsonl"])
    #expect(lists(world, "d/_start.jsonl d/jsonl") == ["d/_start.jsonl", "d/jsonl"])
  }

  @Test("A pattern stands for what matches it; a name that exists for itself")
  func pattern() {
    let world = world("a1.jsonl", "a2.jsonl", "b.jsonl", "what?.jsonl")
    #expect(lists(world, "a*.jsonl") == ["a1.jsonl", "a2.jsonl"])
    #expect(lists(world, "a?.jsonl b.jsonl") == ["a1.jsonl", "a2.jsonl", "b.jsonl"])
    #expect(lists(world, "what?.jsonl") == ["what?.jsonl"])
  }

  @Test("Nothing found is an error, unless --allow-empty")
  func nothing() {
    let world = world("a.jsonl", "empty/model.json")
    #expect(
      lists(world, "empty") == ["skan: no list (*.jsonl) is under empty; --allow-empty lets that pass\n"])
    #expect(lists(world, "x*") == ["skan: nothing matches x*; --allow-empty lets that pass\n"])
    #expect(world.run("replay --test empty").code == .noInput)
    #expect(lists(world, "empty x* a.jsonl --allow-empty") == ["a.jsonl"])
    #expect(
      world.run("replay --test empty --allow-empty")
        == Consequences(out: "0 files, 0 steps, 0 expectations, 0 failed; 0 ms\n"))
    // A name that is meant is one that has to be there.
    #expect(world.run("replay --test none.jsonl --allow-empty").code == .noInput)
  }

  @Test("Everything that is not found is reported")
  func all() {
    let result = world("a.jsonl").run("replay none.jsonl x* a.jsonl")
    #expect(
      result
        == Consequences(
          .noInput,
          err: """
            skan: none.jsonl does not exist; name an event list, or - for standard input
            skan: nothing matches x*; --allow-empty lets that pass

            """))
  }

  @Test(
    "Refused",
    arguments: [
      ("**/a.jsonl", "\"**\" stands for no directories; name one: it stands for all lists below it"),
      ("- -", "standard input can be one list only"),
      ("- --sdk-key-file -", "standard input cannot be both the list and the SDK key"),
    ])
  func refused(arguments: String, words: String) {
    #expect(world("a.jsonl").run("replay \(arguments)") == .usage(words, command: "replay"))
  }

  @Test("An empty argument")
  func empty() {
    #expect(
      world("a.jsonl").run("replay", "") == .usage("an argument is empty: name an event list", command: "replay"))
  }

  @Test("A directory that cannot be read")
  func locked() {
    let world = world("d/a.jsonl")
    world.set { $0.failures["entries d"] = .unreadable(file: "d", reason: "Permission denied") }
    #expect(world.run("replay d") == Consequences(.noInput, err: "skan: cannot read d: Permission denied\n"))
  }

  @Test(
    "Lists include what is below their own folder, or below one that is named",
    arguments: [
      ("d/parts/x", "", true), ("d/x", "", true), ("d/../x", "", false), ("d/parts/../../x", "", false),
      ("/x", "", false),
      ("d/../x", "--allow-include .", true), ("d/../e/x", "--allow-include e", true),
      ("d/../f/x", "--allow-include e", false), ("/e/x", "--allow-include /e", true),
      ("/f/x", "--allow-include /e --allow-include /f/", true), ("/ex", "--allow-include /e", false),
    ])
  func includes(path: String, options: String, isAllowed: Bool) {
    let world = World()
    world["d/a.jsonl"] = #"{"op":"include","file":"\#(path.hasPrefix("d/") ? String(path.dropFirst(2)) : path)"}"#
    world[path] = #"{"op":"register"}"#
    let result = world.run("replay -q d/a.jsonl \(options)")
    #expect(result.code == (isAllowed ? .ok : .badData))
    #expect(isAllowed || result.err.contains("is not below the list's own folder; --allow-include DIR"))
  }
}

@Suite("--label and skipped steps")
struct LabelTests {
  private let list = #"""
    {"op":"register","label":"start","expect":{"outcome":"blocked"}}
    {"op":"session","label":"session 1","expect":{"outcome":"updated"}}
    {"op":"session","label":"session 2","skip":"waits for the new server","expect":{"outcome":"blocked"}}
    {"op":"session","expect":{"outcome":"blocked"}}

    """#

  private func world() -> World {
    let world = World()
    world["a.jsonl"] = list
    return world
  }

  @Test("All steps run, those with such a label shown, checked and counted")
  func label() {
    #expect(
      world().run("replay a.jsonl --label", "session*")
        == Consequences(
          out: """
            2  2026-01-01T00:00:00Z  session               updated            Updated in P0: conversion value 0 → 0, \
            no coarse value.
            3                        session               skipped            Skipped: waits for the new server
            1 step, 1 expectation, 0 failed, 1 skipped

            """))
    #expect(world().run("replay a.jsonl -q --label", "session ?") == Consequences())
    #expect(world().run("replay a.jsonl -q --label", "start").code == .expectationFailed)
  }

  @Test("A label that no step has is an error, unless --allow-empty")
  func none() {
    #expect(
      world().run("replay -q a.jsonl --label", "nothing")
        == Consequences(.noInput, err: "skan: no step has a label that --label matches; --allow-empty lets that pass\n")
    )
    #expect(world().run("replay -q a.jsonl --allow-empty --label", "nothing") == Consequences())
    // A skipped one is one.
    #expect(world().run("replay -q a.jsonl --label", "session 2") == Consequences())
  }

  @Test("--json tells a skipped step, too")
  func json() {
    let result = world().run("replay a.jsonl --json --label", "session 2")
    #expect(
      result
        == Consequences(
          out: #"{"device":"","explanation":"Skipped: waits for the new server","file":"a.jsonl","label":"session 2","#
            + #""line":3,"op":"session","outcome":"skipped"}"# + "\n"))
  }

  @Test("--test counts skipped steps")
  func test() {
    let world = World()
    world["a.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"include","file":"none","skip":"later"}"#
    #expect(
      world.run("replay --test a.jsonl")
        == Consequences(
          out: """
            ok    a.jsonl  1 step, 0 expectations, 0 failed, 1 skipped
            1 file, 1 step, 0 expectations, 0 failed, 1 skipped; 0 ms

            """))
  }
}

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
