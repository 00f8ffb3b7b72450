import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("details")
struct DetailsTests {
  private func world() -> World {
    let world = World.registered()
    world.run("session --answer", Answer.value("1.7", "\"skan_updated_coarse_value\":2"))
    world.run("revenue 9.99 a/b")
    world.run("revenue 1 USD")
    _ = world.takeLog()
    return world
  }

  @Test("The dictionary with sorted keys, numbers as texts")
  func json() {
    let world = world()
    let expected = Consequences(
      out: """
        {
          "p0_coarse": "2",
          "p0_total_iap_revenue": {
            "USD": 1,
            "a/b": 9.989999771118164
          },
          "prev_fine_value": "0",
          "skan_current_conversion_value": "1.7",
          "skan_first_call_to_skadnetwork_timestamp": "1767225600",
          "skan_last_call_to_skadnetwork_timestamp": "1767225600",
          "skan_total_revenue_by_currency": {
            "USD": 1,
            "a/b": 9.989999771118164
          }
        }

        """)
    #expect(world.run("details") == expected)
    #expect(world.takeLog() == ["read skan-state.json"], "neither lock nor write")
    #expect(world.run("details --quiet") == expected)
  }

  @Test("As the query of a server-to-server call")
  func query() {
    let revenue = "%7B%22USD%22:1,%22a%5C/b%22:9.9899997711181641%7D"
    #expect(
      world().run("details --query")
        == Consequences(
          out:
            "skan_current_conversion_value=1.7&prev_fine_value=0&p0_coarse=2&skan_total_revenue_by_currency=\(revenue)"
            + "&p0_total_iap_revenue=\(revenue)&skan_last_call_to_skadnetwork_timestamp=1767225600"
            + "&skan_first_call_to_skadnetwork_timestamp=1767225600\n"))
  }

  @Test("Table") func table() {
    #expect(
      world().run("details --table")
        == Consequences(
          out: """
            skan_current_conversion_value             1.7
            prev_fine_value                           0
            p0_coarse                                 2
            skan_total_revenue_by_currency            USD 1, a/b 9.989999771118164
            p0_total_iap_revenue                      USD 1, a/b 9.989999771118164
            skan_last_call_to_skadnetwork_timestamp   1767225600  2026-01-01T00:00:00Z
            skan_first_call_to_skadnetwork_timestamp  1767225600  2026-01-01T00:00:00Z

                             the app keeps         Apple holds
            first call       2026-01-01T00:00:00Z  2026-01-01T00:00:00Z
            fine value       1                     1
            P0 coarse value  high                  high

            """))
  }

  @Test("Nothing kept")
  func empty() {
    let world = World()
    world.run("install --snippet skan3")
    #expect(world.run("details --table") == Consequences())
    world.run("install --force")
    #expect(world.run("details") == Consequences(out: "{}\n"))
    #expect(world.run("details --query") == Consequences())
    #expect(world.run("details --table") == Consequences())
    #expect(world.run("details --expect details.p0_coarse=null --expect outcome=read -q") == Consequences(out: "{}\n"))
  }

  @Test("Beside what Apple holds, with the reason where they differ")
  func differences() {
    let world = World.registered("--seed 1")
    world.run(
      "session --after 1h --answer",
      Answer.value("5", #""skan_updated_coarse_value":1,"skan_updated_lock_window_value":true"#))
    world.run("session --after 1h --answer", Answer.value("6"))
    #expect(
      world.run("details --table").out.hasSuffix(
        """

                         the app keeps         Apple holds
        first call       2026-01-01T00:00:00Z  2026-01-01T00:00:00Z
        fine value       6                     5                     differs: locked at 2026-01-01T01:00:00Z: Apple keeps the values from that moment
        P0 coarse value  -                     medium                differs: locked at 2026-01-01T01:00:00Z: Apple keeps the values from that moment
        P0 lock          2026-01-01T01:00:00Z  2026-01-01T01:00:00Z

        """))
  }

  @Test("SKAN 3 forwards its values under other names")
  func skan3() {
    let world = World.registered("--snippet skan3 --ios 15.0")
    let times = "skan_first_call_timestamp=1767225600&skan_last_call_timestamp=1767225600\n"
    #expect(
      world.run("details --query")
        == Consequences(
          out: times,
          err: "skan: no conversion value is set yet; the guide's sample would crash on a phone here\n"))
    world.run("session --answer", Answer.value("3"))
    #expect(world.run("details --query") == Consequences(out: "skan_conversion_value=3&\(times)"))
    #expect(
      world.run("details")
        == Consequences(
          out: """
            {
              "skan_conversion_value": "3",
              "skan_first_call_to_skadnetwork_timestamp": "1767225600",
              "skan_last_call_to_skadnetwork_timestamp": "1767225600"
            }

            """))
  }

  @Test("A currency that is empty is shown as one")
  func emptyCurrency() {
    let world = World.registered()
    world.run("revenue 1", "")
    #expect(world.run("details --table").out.contains("\np0_total_iap_revenue                      \"\" 1\n"))
  }

  @Test("A poisoned install has no details", arguments: ["", "--query", "--table", "-q"])
  func poisoned(option: String) {
    let world = World.registered()
    world.run("session --answer", Answer.poison)
    #expect(
      world.run("details \(option)")
        == Consequences(
          .badAnswer,
          err: "skan: skan_current_conversion_value holds the string \"5\" instead of a number: reading the details "
            + "crashes the app, now and after every relaunch.\n"))
    world.run("relaunch")
    #expect(world.run("details").code == .badAnswer)
    #expect(world.run("session").out.hasPrefix("crashed "))
    world.run("reset")
    #expect(world.run("details") == Consequences(out: "{}\n"))
  }

  @Test("Expectations about what is kept")
  func expectations() {
    let world = world()
    #expect(world.run("details --expect details.p0_coarse=2 -q").code == .ok)
    let failed = world.run("details --query --expect details.p0_coarse=1")
    #expect(failed.code == .expectationFailed)
    #expect(failed.out == world.run("details --query").out)
    #expect(
      failed.err
        == """
        expectation failed: details.p0_coarse
          expected  1
          actual    "2"
          step      read: 7 entries are kept.

        """)
  }
}
