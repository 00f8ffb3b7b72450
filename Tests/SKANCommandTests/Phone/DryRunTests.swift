import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("--dry-run and --curl")
struct DryRunTests {
  private let query =
    "v=17.4&i=com.example.app&app_v=1.0&n=gold%20%22pack%22's&p=iOS&idfv=92DEA3FE-594B-8C7E-92DB-3DFE5948A955"
    + "&skan_current_conversion_value=0&skan_last_call_to_skadnetwork_timestamp=1767225600"
    + "&skan_first_call_to_skadnetwork_timestamp=1767225600"
  private let name = "gold \"pack\"'s"

  /// Neither lock nor write nor network: World fails the test when the network is asked.
  private func run(_ world: World, _ line: String, _ more: String) -> Consequences {
    let result = world.run(line, more)
    #expect(world.takeLog() == ["read skan-state.json"])
    return result
  }

  @Test("Dry run") func dryRun() {
    #expect(
      run(.registered(), "event --dry-run --at +1h --endpoint http://localhost:8080", name)
        == Consequences(
          out: """
            GET http://localhost:8080/api/v2/conversion_value?a=REDACTED&\(query)
              a = REDACTED
              v = 17.4
              i = com.example.app
              app_v = 1.0
              n = gold "pack"'s
              p = iOS
              idfv = 92DEA3FE-594B-8C7E-92DB-3DFE5948A955
              skan_current_conversion_value = 0
              skan_last_call_to_skadnetwork_timestamp = 1767225600
              skan_first_call_to_skadnetwork_timestamp = 1767225600

            """))
  }

  @Test("As a command of the shell, the key left to its variable")
  func curl() {
    #expect(
      run(.registered(), "event --curl --endpoint production", name)
        == Consequences(
          out: "curl 'https://sdk-api-v1.singular.net/api/v2/conversion_value?a='\"$SKAN_SDK_KEY\"'&"
            + query.replacing("'", with: "'\\''") + "'\n"))
  }

  @Test("Json") func json() {
    let result = run(.registered(), "event --dry-run --json --endpoint production", name)
    #expect(result.code == .ok && result.err == "")
    #expect(result.out.hasPrefix(#"{"query":{"a":"REDACTED","app_v":"1.0","#))
    #expect(
      result.out.hasSuffix(
        #""},"url":"https://sdk-api-v1.singular.net/api/v2/conversion_value?a=REDACTED&"# + query + "\"}\n"))
  }

  @Test("The revenue is in it, and is not kept")
  func revenue() {
    let result = run(.registered(), "session --revenue 9.99 --currency USD --dry-run", "--no-handler")
    #expect(result.out.contains("\n  p0_total_iap_revenue = {\"USD\":9.9899997711181641}\n"))
    #expect(result.changes == [])
  }

  @Test("SKAN 3")
  func skan3() {
    let result = run(.registered("--snippet skan3 --idfa A"), "session --dry-run", "--endpoint=testing")
    #expect(
      result.out == """
        GET https://skadnetwork-testing.singular.net/api/v1/conversion_value?a=REDACTED&i=com.example.app&app_v=1.0&\
        n=__SESSION__&p=iOS&idfv=92DEA3FE-594B-8C7E-92DB-3DFE5948A955&idfa=A&conversion_value&\
        total_revenue_by_currency=%7B%7D&first_call_to_skadnetwork_timestamp=1767225600&\
        last_call_to_skadnetwork_timestamp=1767225600
          a = REDACTED
          i = com.example.app
          app_v = 1.0
          n = __SESSION__
          p = iOS
          idfv = 92DEA3FE-594B-8C7E-92DB-3DFE5948A955
          idfa = A
          conversion_value
          total_revenue_by_currency = {}
          first_call_to_skadnetwork_timestamp = 1767225600
          last_call_to_skadnetwork_timestamp = 1767225600

        """)
  }

  @Test("When no request would be sent", arguments: ["--dry-run", "--curl", "--dry-run --json"])
  func none(options: String) {
    #expect(
      World.registered().run("session --at +35d \(options)")
        == Consequences(
          out: options.hasSuffix("json") ? "null\n" : "",
          err:
            "skan: no request would be sent: P2 closed at 2026-02-05T00:00:00Z, this very second; the snippet returns "
            + "without a request and without calling the handler.\n"))
  }

  @Test("A result is not there to expect anything of", arguments: ["--dry-run", "--curl"])
  func expectation(option: String) {
    #expect(
      World.registered().run("session \(option) --expect outcome=updated")
        == .usage("--expect asks for a result, which \(option) does not have", command: "session"))
  }

  @Test("Both requests of a step that the app's server reports, too")
  func forwarded() {
    let run = World.registered().run("session --forward --dry-run --json --at +1h")
    let lines = run.out.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""a":"REDACTED""#) })
    #expect(lines.first?.hasPrefix(#"{"query":{"a":"REDACTED","#) ?? false)
    #expect(lines.last?.hasPrefix(#"{"method":"GET","parameters":{"a":"REDACTED","#) ?? false)
  }

  @Test("A time that is none is refused before anything is shown")
  func time() {
    #expect(
      World.registered().run("session --dry-run --at +3652058d")
        == .usage("the step's time leaves the years 1 to 9999", command: "session"))
  }

  @Test("Missing file") func missingFile() {
    #expect(World().run("session --curl").code == .noInput)
    #expect(World.registered().run("session --curl --revenue x --currency USD").code == .usage)
  }
}
