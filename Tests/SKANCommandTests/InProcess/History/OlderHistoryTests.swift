import SKANCommand
import Testing

@Suite("skan history of older and of edited device files")
struct OlderHistoryTests {
  private static let calls = """
    "framework_calls":[{"at":1767225600,"call":"registerAppForAdNetworkAttribution"},
    {"at":1767225600,"call":"updatePostbackConversionValue","fine":1,"coarse":null,"lock":false}]
    """

  private func world(_ members: String, format: Int = 2) -> World {
    let world = World()
    world["skan-state.json"] =
      "{\"format\":\(format),\"profile\":{},\"kept\":{\"skan_current_conversion_value\":0},\(members)}"
    return world
  }

  @Test("What Apple made of a call, who answered, and calls without their steps")
  func calls() {
    let world = world(
      #"""
      "endpoint":{"answered_by":{"name":"model.json"}},\#(Self.calls),"history":[{"at":1767225600,"op":"session",
      "outcome":"updated","call":"updatePostbackConversionValue","fine":1,"coarse":null,"lock":false}]
      """#)
    #expect(
      world.run("history")
        == Consequences(
          out: """
            1  2026-01-01T00:00:00Z  session  updated  The app calls Apple with fine 1, no coarse. What Apple made of the call is not kept. Answerer and warnings are not kept.

            1 call into Apple's framework of an older device file came before, without the steps.
            Who answered last: model.json.

            """))
    #expect(
      world.run("why").out == """
        step 1 of 1  2026-01-01T00:00:00Z  session
        updated  The app calls Apple with fine 1, no coarse. What Apple made of the call is not kept.
          Apple        what it made of the call is not kept
          answered by  not kept
          warnings     not kept

        """)
  }

  @Test("Calls alone")
  func callsAlone() {
    #expect(
      world(Self.calls).run("history").out == """
        No step has run that is kept.
        2 calls into Apple's framework of an older device file came before, without the steps.

        """)
  }

  @Test("Each kind of step without a call")
  func kinds() {
    let events = [
      #""op":"session","outcome":"updated""#, #""op":"register","outcome":"registered""#,
      #""op":"event","name":"x","outcome":"set""#, #""op":"update","outcome":"set""#,
      #""op":"revenue","amount":1,"currency":"USD","outcome":"added""#, #""op":"relaunch","outcome":"relaunched""#,
      #""op":"s2s","outcome":"forwarded""#,
      #""op":"register","outcome":"registered","call":"registerAppForAdNetworkAttribution","apple":"registered""#,
    ]
    let history = events.map { "{\"at\":1767225600,\($0)}" }.joined(separator: ",")
    let run = world("\"history\":[\(history)]", format: 3).run("history --json")
    let sentences = run.out.matches(of: /"sentence":"([^"]*)"/).map { String($0.1) }
    #expect(
      sentences == [
        "Apple is not called.", "Apple is not called.", "Apple is not called.",
        "Apple is not called, and what the app keeps stays.", "Added to the revenue that the app keeps.",
        "A new app process; what was kept stays.", "The app's server gets a report, and Apple is not called.",
        "The app registers with Apple; Apple has registered the install.",
      ], "\(run)")
  }
}
