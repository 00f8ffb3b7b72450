import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("skan model diff")
struct ModelDiffTests {
  private func world() throws -> World {
    let world = try World.withModels()
    world["new.json"] = try #require(world["mixed.json"]).replacing("tutorial_done", with: "tutorial_over")
      .replacing(#""lockWindowCoarseConversionValue": "HIGH""#, with: #""lockWindowEvent": "purchase""#)
    return world
  }

  @Test("What differs, as text: the exit code is 1")
  func text() throws {
    #expect(
      try world().run("model diff mixed.json new.json")
        == Consequences(
          .expectationFailed,
          out: """
            fine value 10
              - tutorial_done at least once
              + tutorial_over at least once
            lock of postback 2
              - once coarse value high is reached
              + with the event purchase
            2 differences

            """, err: "skan: exit code 1: an expectation or a check failed\n"))
  }

  @Test("As JSON")
  func json() throws {
    let run = try world().run("model diff mixed.json new.json --json")
    #expect(run.code == .expectationFailed)
    #expect(
      run.out == #"{"differences":[{"after":"tutorial_over at least once","before":"tutorial_done at least once","#
        + #""change":"changed","value":"10","what":"fine value 10","window":0},"#
        + #"{"after":"with the event purchase","before":"once coarse value high is reached","change":"changed","#
        + #""value":null,"what":"lock of postback 2","window":2}],"equal":false}"# + "\n")
    #expect(
      try world().run("model diff mixed.json mixed.json --json")
        == Consequences(out: #"{"differences":[],"equal":true}"# + "\n"))
  }

  @Test("Nothing: the exit code is 0, whatever the files look like")
  func equal() throws {
    let world = try world()
    world["wrapped.json"] =
      try #"[{"results":[{"customerSkAdNetworkConversionValueSchema":{"schema":"#
      + #require(world["mixed.json"]) + "}}]}]"
    #expect(
      world.run("model diff mixed.json wrapped.json")
        == Consequences(out: "mixed.json and wrapped.json mean the same\n"))
    #expect(world.run("model diff mixed.json wrapped.json -q") == Consequences())
    #expect(
      world.run("model diff mixed.json new.json -q")
        == Consequences(.expectationFailed, err: ExitCode.expectationFailed.line))
  }

  @Test("What is wrong is an error as for every model")
  func wrong() throws {
    let world = try world()
    #expect(world.run("model diff mixed.json none.json").code == .noInput)
    #expect(world.run("model diff bad.json mixed.json").code == .badData)
    #expect(world.run("model diff mixed.json").code == .usage)
  }
}
