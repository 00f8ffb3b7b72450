import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
