import SKANDevice
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Values of options and arguments")
struct ValueTests {
  /// Bad values are refused with a registered phone there, whose file stays as it is.
  @Test(
    "Refused",
    arguments: [
      ("revenue nan USD", "AMOUNT must be a finite number such as 9.99, it is \"nan\""),
      ("revenue 0x10 USD", "AMOUNT must be a finite number such as 9.99, it is \"0x10\""),
      ("revenue 1e999 USD", "AMOUNT must be a finite number such as 9.99, it is \"1e999\""),
      ("revenue -1e999 USD", "AMOUNT must be a finite number such as 9.99, it is \"-1e999\""),
      (
        "revenue 1,000.50 USD",
        "AMOUNT must be a finite number such as 9.99, it is \"1,000.50\"; no thousands separators, and a point before "
          + "the cents"
      ),
      ("event a --revenue x --currency USD", "--revenue must be a finite number such as 9.99, it is \"x\""),
      (
        "revenue 1e39 USD",
        "the sum in skan_total_revenue_by_currency would be beyond a single-precision number (3.4e38); on the phone it "
          + "would make every later request crash"
      ),
      (
        "session --after 5,5",
        "--after must be seconds, or a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is \"5,5\""
      ),
      (
        "session --after -1h",
        "--after must be seconds, or a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is \"-1h\""
      ),
      (
        "session --lock-timeout 2w",
        "--lock-timeout must be a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is \"2w\""
      ),
      (
        "session --took 1.h",
        "--took must be seconds, or a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is \"1.h\""
      ),
      ("session --max-time 0s", "--max-time must be longer than 0, it is \"0s\""),
      (
        "session --at tomorrow",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"tomorrow\""
      ),
      (
        "session --at 2026-02-30T00:00:00Z",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"2026-02-30T00:00:00Z\""
      ),
      (
        "session --at +5",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"+5\""
      ),
      (
        "session --at -5",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"-5\""
      ),
      (
        "session --at 1767225600000",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"1767225600000\"; are these milliseconds? In seconds it is 1767225600"
      ),
      (
        "session --at 2026-01-03T00:00:00",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"2026-01-03T00:00:00\"; a time zone is missing: 2026-01-03T00:00:00Z is UTC"
      ),
      (
        "session --at 2026-01-03",
        "--at must be an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now, "
          + "it is \"2026-01-03\"; a time zone is missing: 2026-01-03T00:00:00Z is UTC"
      ),
      ("session --endpoint localhost:8080", "--endpoint: did you mean http://localhost:8080?"),
      ("session --endpoint example.com/api", "--endpoint: did you mean http://example.com/api?"),
      ("session --endpoint http//localhost", "--endpoint: did you mean http://localhost?"),
      ("session --endpoint http:/localhost:80/x", "--endpoint: did you mean http://localhost:80/x?"),
      ("session --endpoint http:localhost", "--endpoint: did you mean http://localhost?"),
      ("session --endpoint https:example.com", "--endpoint: did you mean https://example.com?"),
      (
        "session --endpoint https//user:secret@host",
        "--endpoint: it must be embedded, testing, production, or an http(s) URL"
      ),
      ("session --endpoint htp://localhost", "--endpoint: did you mean http://localhost?"),
      (
        "session --endpoint http:/localhost?a=secret",
        "--endpoint: it must be embedded, testing, production, or an http(s) URL"
      ),
      ("session --endpoint localhost", "--endpoint \"localhost\": did you mean http://localhost?"),
      (
        "session --endpoint user:secret@example.com",
        "--endpoint: it must be embedded, testing, production, or an http(s) URL"
      ),
      ("session --after 3600000d", "the step's time leaves the years 1 to 9999"),
      ("session --at +1h --after 1h", "two times are given: --at and --after"),
      ("session --framework-error x", "--framework-error must be a whole number, it is \"x\""),
      ("session --expect outcome", "--expect must be PATH=VALUE, such as outcome=updated, it is \"outcome\""),
      (
        "session --expect outcom=updated",
        "--expect \"outcom=updated\": a result has no key \"outcom\"; did you mean \"outcome\"?"
      ),
      ("update --ios 17,4", "--ios must be a version of iOS such as 17.4, it is \"17,4\""),
      ("update --ios latest", "--ios must be a version of iOS such as 17.4, it is \"latest\""),
      (
        "update --snippet skan5",
        "--snippet must be one of skan4, skan4-beta, skan3, it is \"skan5\"; did you mean skan4?"
      ),
      ("session --endpoint prodution", "--endpoint \"prodution\": did you mean production?"),
      (
        "session --endpoint ftp://h/",
        "--endpoint: its scheme must be http or https, not 'ftp'"
      ),
      (
        "session --endpoint localhost:80",
        "--endpoint: did you mean http://localhost:80?"
      ),
    ])
  func refused(line: String, words: String) {
    let command = line.split(separator: " ").first.map(String.init)
    #expect(World.registered().run(line) == .usage(words, command: command))
  }

  @Test("An answer that is none")
  func answer() {
    let world = World.registered()
    #expect(
      world.run("session --answer", "{\"json\":{}")
        == .usage(
          "--answer: not JSON: the text ends too early; a body goes inside, as in {\"json\":{\"conversion_value\":5}}",
          command: "session"))
    world["a.json"] = "{\"json\":{},\n \"status\":99}\n"
    #expect(
      world.run("session --answer @a.json")
        == Consequences(
          .badData,
          err: """
            a.json:2:11: "status" must be a whole number from 100 to 999, this is 99
               "status":99}
                        ^^

            """))
    #expect(
      world.run("session --answer @none.json")
        == Consequences(.noInput, err: "skan: none.json does not exist; it should hold the answer (--answer @FILE)\n"))
  }

  @Test(
    "Amounts without --",
    arguments: [("-4.75", "-4.75", "-4.75"), ("-1e2", "-100", "-100.0"), ("+5", "5", "5.0")])
  func amount(text: String, shown: String, kept: String) {
    #expect(
      World.registered().run("revenue \(text) USD")
        == Consequences(
          out: "added              \(shown) USD added to the in-app purchase totals: lifetime and P0.\n",
          changes: [
            "kept.skan_total_revenue_by_currency.USD: + \(kept)", "kept.p0_total_iap_revenue.USD: + \(kept)",
          ]))
  }

  @Test("A negative amount as an option's value")
  func negativeOption() {
    #expect(
      World.registered().run("event refund --revenue -4.99 --currency USD --answer", Answer.ok)
        == Consequences(
          out: "added              -4.99 USD added to the in-app purchase totals: lifetime and P0, as "
            + "-4.989999771118164 in single precision.\n" + Line.nothing + Line.noHandler,
          err: Line.explainHandler,
          changes: [
            "kept.skan_total_revenue_by_currency.USD: + -4.989999771118164",
            "kept.p0_total_iap_revenue.USD: + -4.989999771118164",
          ]))
  }

  @Test("What looks like an option goes behind --")
  func dashes() {
    let world = World.registered()
    let plain = world.run("event --answer", Answer.ok, "--expect", "query.n=--x", "--", "--x")
    #expect(plain == Consequences(out: Line.nothing + Line.noHandler, err: Line.explainHandler))
  }
}
