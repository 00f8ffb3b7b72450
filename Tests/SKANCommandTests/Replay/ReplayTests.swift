import Foundation
import SKANCommand
import Synchronization
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("replay")
struct ReplayTests {
  private let life = #"""
    # A first day.
    {"op":"device","device":"a","ios":"16.0"}

    {"op":"device","device":"b","snippet":"skan3"}
    {"op":"register","device":"a","at":"2026-01-01T00:00:00Z","expect":{"outcome":"registered"}}
    {"op":"register","device":"b","at":1767225601}
    {"op":"event","device":"a","name":"a b","after":"1h","answer":{"json":{"conversion_value":3}},"took":2,"label":"x"}
    {"op":"session","device":"b","answer":{"json":{"status":"ok"}}}
    {"op":"revenue","device":"a","amount":1.5,"currency":"USD","expect":{"outcome":"added","window":0}}
    {"op":"details","device":"a","expect":{"details.skan_current_conversion_value":"3"}}

    """#
  private let start = "2026-01-01T00:00:00Z"

  private func world(_ list: String) -> World {
    let world = World()
    world["life.jsonl"] = list
    return world
  }

  @Test("One line a step, aligned, and the counts")
  func text() {
    #expect(
      world(life).run("replay life.jsonl")
        == Consequences(
          out: """
             2  2026-01-01T00:00:00Z  a device              set                A fresh install: skan4 on iOS 16.0, \
            com.example.app 1.0.
             4  2026-01-01T00:00:00Z  b device              set                A fresh install: skan3 on iOS 17.4, \
            com.example.app 1.0.
             5  2026-01-01T00:00:00Z  a register            registered         First call to the framework with value \
            0; the three windows count from 2026-01-01T00:00:00Z.
             6  2026-01-01T00:00:01Z  b register            registered         First call to the framework; updates \
            stay open for 24 hours after each call, so until 2026-01-02T00:00:01Z.
             7  2026-01-01T01:00:00Z  a event a b           updated            Updated in P0: conversion value 0 → 3, \
            no coarse value.
             8  2026-01-01T00:00:01Z  b session             no-update          The answer is ok and has no \
            conversion value: nothing to update, and the snippet never calls the handler.
                  finding: A request was sent, and the completion handler was never called: code in it never runs. \
            [handler-not-called]
             9  2026-01-01T01:00:02Z  a revenue 1.5 USD     added              1.5 USD added to the in-app purchase \
            totals: lifetime and P0.
            10  2026-01-01T01:00:02Z  a details             read               6 entries are kept.
            8 steps, 4 expectations, 0 failed; 1 step with findings

            """, err: Line.explainHandler))
  }

  @Test("-q prints nothing, --strict counts findings")
  func options() {
    #expect(world(life).run("replay -q life.jsonl") == Consequences())
    let failed = Consequences(.expectationFailed, err: ExitCode.expectationFailed.line)
    #expect(world(life).run("replay -q --strict life.jsonl") == failed)
    #expect(world(#"{"op":"session"}"#).run("replay -q --strict life.jsonl") == failed)
    #expect(world(#"{"op":"register"}"#).run("replay -q --strict life.jsonl") == Consequences())
  }

  @Test("-v shows the notes and what went over the wire")
  func verbose() {
    let result = world(life).run("replay -v life.jsonl")
    #expect(result.out.contains("[details-stale]\n"))
    #expect(result.err.hasPrefix("* no request: set\n"))
    #expect(
      result.err.contains("\n* answered in process by the step's own answer: no network\n* request   a=REDACTED&"))
    #expect(
      result.err.contains("\n* answer    HTTP 200\n*           {\"conversion_value\":3}\n* updated: Updated in P0"))
    #expect(!result.err.contains("\n>") && !result.err.contains("\n<"))
  }

  @Test("An expectation that fails: file, line, label, expected and actual")
  func failure() {
    let result = world(
      #"{"op":"register","label":"first","expect":{"outcome":"ios-too-old","framework.0.fine":0,"crash":{"reason":[1]}}}"#
        + "\n" + #"{"op":"relaunch"}"#
    ).run("replay life.jsonl")
    #expect(
      result
        == Consequences(
          .expectationFailed,
          out: """
            1  2026-01-01T00:00:00Z  register              registered         First call to the framework with value 0; \
            the three windows count from 2026-01-01T00:00:00Z.
            2  2026-01-01T00:00:00Z  relaunch              relaunched         A new app process; the kept values stay.
            2 steps, 3 expectations, 2 failed

            """,
          err: """
            life.jsonl:1: expectation failed (first): outcome
              expected  "ios-too-old"
              actual    "registered"
              step      registered: First call to the framework with value 0; the three windows count from \(start).
            life.jsonl:1: expectation failed (first): crash
              expected  {"reason":[1]}
              actual    null
              step      registered: First call to the framework with value 0; the three windows count from \(start).

            """))
  }

  @Test("--json prints the results with their locations and verdicts")
  func json() throws {
    let result = world("\n" + #"{"op":"details","label":"l","expect":{"window":1}}"#).run("replay --json life.jsonl")
    #expect(
      result.out
        == #"{"answer":null,"answered_by":null,"apple":{"first_launch":1767225600,"says":null,"window":-1},"at":1767225600,"crash":null,"details":{},"details_before":{},"details_in_handler":null,"device":"","#
        + #""ended_at":1767225600,"expectations":[{"actual":-1,"expected":1,"ok":false,"path":"window"}],"#
        + #""explanation":"Nothing is kept yet.","file":"life.jsonl","forwarded":null,"framework":[],"handler":null,"label":"l","#
        + #""line":2,"lock_held":false,"op":"details","outcome":"read","request":null,"warnings":[],"window":-1}"#
        + "\n")
    #expect(result.code == .expectationFailed)
    #expect(result.err.hasPrefix("life.jsonl:2: expectation failed (l): window\n"))
  }

  @Test("Outcomes never set the code")
  func outcomes() {
    let list = [Answer.illegal, Answer.timedOut, Answer.empty, #"{"json":[]}"#].map {
      #"{"op":"session","answer":\#($0)}"# + "\n"
    }.joined()
    #expect(world(#"{"op":"register"}"# + "\n" + list).run("replay -q life.jsonl") == Consequences())
  }

  @Test("Several files, each with phones of its own, in the order given")
  func severalFiles() {
    let world = World()
    world["a.jsonl"] = #"{"op":"register","expect":{"outcome":"registered"}}"#
    world["b.jsonl"] = #"{"op":"register","device":"x","expect":{"outcome":"registered"}}"# + "\n"
    #expect(
      world.run("replay b.jsonl a.jsonl b.jsonl --json").out.split(separator: "\n").map {
        $0.firstMatch(of: /"file":"([^"]*)","forwarded/).map { String($0.output.1) }
      } == ["b.jsonl", "a.jsonl", "b.jsonl"])
    let text = world.run("replay b.jsonl a.jsonl")
    #expect(text.code == .ok)
    #expect(text.out.hasSuffix("\n2 lists, 2 steps, 2 expectations, 0 failed\n"))
  }

  @Test("The embedded endpoint counts for each install")
  func embedded() {
    let session = #"{"op":"session","device":"a","expect":{"outcome":"updated"}}"# + "\n"
    let device = #"{"op":"device","device":"a"}"# + "\n" + #"{"op":"register","device":"a"}"# + "\n"
    let three = String(repeating: session, count: 3)
    #expect(world(device + three + device + three).run("replay -q life.jsonl") == Consequences())
    #expect(world(device + three + session).run("replay -q life.jsonl").code == .expectationFailed)
  }

  @Test("Pipes run as they arrive")
  func streams() {
    let world = World {
      $0.streams["-"] = [#"{"op":"register"}"#, "# so far", #"{"op":"sesion"}"#, #"{"op":"never"}"#]
      $0.streams["pipe"] = [#"{"op":"relaunch"}"#]
    }
    let result = world.run("replay pipe - -q")
    #expect(
      result
        == Consequences(
          .badData,
          err: """
            -:3:7: there is no op "sesion"; did you mean "session"?
              {"op":"sesion"}
                    ^^^^^^^^

            """))
    world.set { $0.streams["-"] = [#"{"op":"register"}"#, #"{"op":"sesion"}"#] }
    #expect(world.run("replay -").out.hasPrefix("  1  2026-01-01T00:00:00Z  register "))
  }

  @Test("Standard input from a regular file is checked whole")
  func regularInput() {
    let world = World { $0.input = "{\"op\":\"register\"}\n{\"op\":\"sesion\"}\n" }
    let refused = world.run("replay -")
    #expect(refused.code == .badData && refused.out == "")
    #expect(refused.err.hasPrefix("-:2:7: there is no op \"sesion\""))
    world.set { $0.input = #"{"op":"register"}"# }
    #expect(world.run("replay - -q") == Consequences())
  }

  @Test("An empty list")
  func empty() {
    #expect(
      world("").run("replay life.jsonl --allow-empty") == Consequences(out: "0 steps, 0 expectations, 0 failed\n"))
    #expect(world("\n# nothing\n \t\n").run("replay life.jsonl --allow-empty").out.hasPrefix("0 steps"))
  }
}
