import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("revenue")
struct RevenueTests {
  @Test("Sums in single precision, of both kinds and of the window")
  func sums() {
    let world = World.registered()
    world.run("revenue 9.99 USD")
    #expect(
      world.run("revenue 0.01 USD --at +3d")
        == Consequences(
          out:
            "added              0.01 USD added to the in-app purchase totals: lifetime and P1, as 0.009999999776482582 "
            + "in single precision.\n",
          changes: [
            "kept.skan_total_revenue_by_currency.USD: 9.989999771118164 → 10.0",
            "kept.p1_total_iap_revenue.USD: + 0.009999999776482582", "time.end: 1767225600 → 1767484800",
          ]))
    #expect(
      world.run("revenue 2 usd --ad-monetization").changes == [
        "kept.skan_total_admon_revenue_by_currency.usd: + 2.0", "kept.p1_total_admon_revenue.usd: + 2.0",
      ])
    #expect(
      world.run("revenue -10 USD").changes == [
        "kept.skan_total_revenue_by_currency.USD: 10.0 → 0.0",
        "kept.p1_total_iap_revenue.USD: 0.009999999776482582 → -9.989999771118164",
      ])
    #expect(
      world.run("revenue 1 USD --at +40d")
        == Consequences(
          out: "added              1 USD added to the lifetime in-app purchase total only: no window is open.\n"
            + "  note: No window is open, so only the lifetime total counts this revenue. "
            + "[revenue-outside-windows]\n",
          changes: [
            "kept.skan_total_revenue_by_currency.USD: 0.0 → 1.0", "time.end: 1767484800 → 1770681600",
          ]))
  }

  @Test("The amount as it was given, and then what is kept")
  func amount() {
    #expect(
      World.registered().run("revenue 99.99 USD").out
        == "added              99.99 USD added to the in-app purchase totals: lifetime and P0, as 99.98999786376953 in "
        + "single precision.\n")
    #expect(
      World.registered("--snippet skan3").run("revenue 99.99 USD").out
        == "added              99.99 USD added to the total, from purchases and ads alike.\n")
  }

  @Test("A currency that has not the form of ISO 4217 is noted", arguments: ["usd", "US", "USDT", "€"])
  func oddCurrency(currency: String) {
    #expect(
      World.registered().run("revenue 5", currency).out.hasSuffix(
        "\n  note: \"\(currency)\" is not a currency code of ISO 4217, which has three capital letters; the phone keeps it as a "
          + "separate currency. [odd-currency]\n"))
    #expect(!World.registered().run("revenue 5 XYZ").out.contains("note"))
  }

  @Test("Nothing") func nothing() {
    #expect(
      World.registered().run("revenue 0 USD")
        == Consequences(out: "ignored            An amount of 0 adds nothing; the snippet returns at once.\n"))
  }

  @Test("An empty currency is one")
  func emptyCurrency() {
    #expect(
      World.registered().run("revenue 5", "")
        == Consequences(
          out: "added              5 (no currency) added to the in-app purchase totals: lifetime and P0.\n"
            + "  finding: The currency is empty, and is kept as a separate currency. [empty-currency]\n",
          err: "Try 'skan explain empty-currency'.\n",
          changes: ["kept.skan_total_revenue_by_currency.: + 5.0", "kept.p0_total_iap_revenue.: + 5.0"]))
  }

  @Test("SKAN 3 has one total, in double precision")
  func skan3() {
    let world = World.registered("--snippet skan3")
    #expect(
      world.run("revenue 9.99 USD --ad-monetization")
        == Consequences(
          out: "added              9.99 USD added to the total, from purchases and ads alike.\n"
            + "  note: The SKAN 3 snippet does not distinguish ad revenue: it is added to the single total. "
            + "[ad-revenue-merged]\n",
          changes: ["kept.skan_total_revenue_by_currency.USD: + 9.99"]))
  }

  @Test("A key counts once")
  func idempotency() {
    let world = World.registered()
    #expect(
      world.run("revenue 5 USD --idempotency-key a").changes == [
        "kept.skan_total_revenue_by_currency.USD: + 5.0", "kept.p0_total_iap_revenue.USD: + 5.0",
        "idempotency_keys.0: + \"a\"",
      ])
    let again = Consequences(
      out: "ignored            The idempotency key a was seen before: the revenue is not counted again.\n")
    #expect(world.run("revenue 5 USD --idempotency-key a") == again)
    #expect(world.run("revenue 7 EUR --idempotency-key a") == again)
    #expect(world.run("revenue 5 USD --idempotency-key A").changes.contains("idempotency_keys.1: + \"A\""))
    // The same letters in another spelling are another key.
    world.run("revenue 1 USD --idempotency-key", "\u{E9}")
    #expect(world.run("revenue 1 USD --idempotency-key", "e\u{301}").out.hasPrefix("added "))
  }

  @Test("With an event: the event is sent again")
  func idempotentEvent() {
    let world = World.registered()
    let failed = world.run("event buy --revenue 5 --currency USD --idempotency-key a --answer", Answer.timedOut)
    #expect(failed.code == .unavailable)
    #expect(
      failed.changes == [
        "kept.skan_total_revenue_by_currency.USD: + 5.0", "kept.p0_total_iap_revenue.USD: + 5.0",
        "idempotency_keys.0: + \"a\"",
      ])
    let retried = world.run("event buy --revenue 5 --currency USD --idempotency-key a --answer", Answer.value("3"))
    #expect(
      retried
        == Consequences(
          out: "ignored            The idempotency key a was seen before: the revenue is not counted again.\n"
            + Line.updated("0 → 3, no coarse value") + Line.stale,
          changes: [
            "kept.skan_current_conversion_value: 0 → 3", "kept.prev_fine_value: + 0",
            #"framework_calls.1: + {"at":1767225600,"call":"updatePostbackConversionValue","coarse":null,"#
              + #""error":null,"fine":3,"lock":false}"#,
          ]))
  }

  @Test("Revenue that is ignored uses up no key: the same counts later")
  func ignoredKey() {
    let world = World.registered()
    let ignored = world.run("revenue 0 USD --idempotency-key a")
    #expect(ignored.out.hasPrefix("ignored ") && ignored.changes == [])
    #expect(world.run("revenue 5 USD --idempotency-key a").changes.contains("idempotency_keys.0: + \"a\""))
  }

  @Test("What is refused uses up no key")
  func refusedKey() {
    let world = World.registered()
    #expect(world.run("revenue 1e39 USD --idempotency-key a").code == .usage)
    #expect(world.run("revenue 1 USD --idempotency-key a").out.hasPrefix("added "))
  }
}
