import SKANDevice
import SKANHTTP
import SKANModel
import Testing

@testable import SKANTraffic

/// Two changes of the clean life that differ as little as possible: one breaks a rule, and one does not.
struct RulePair: Sendable, CustomTestStringConvertible {
  typealias Plant = @Sendable (inout PlantedLife) -> Void

  let rule: TrafficRule
  /// The rules that also fire for the breach.
  let also: [TrafficRule]
  /// The rules that fire for the neighbour of the breach.
  let beside: [TrafficRule]
  let breach: Plant
  let neighbour: Plant

  init(
    _ rule: TrafficRule, also: [TrafficRule] = [], beside: [TrafficRule] = [], _ breach: @escaping Plant,
    _ neighbour: @escaping Plant
  ) {
    (self.rule, self.also, self.beside) = (rule, also, beside)
    (self.breach, self.neighbour) = (breach, neighbour)
  }

  var testDescription: String { rule.id }

  /// Both sides, with the rules that fire for each.
  var sides: [(plant: Plant, rules: [String])] {
    [(breach, ([rule] + also).map(\.id).sorted()), (neighbour, beside.map(\.id).sorted())]
  }
}

extension RulePair {
  static let all = ofDelivery + ofOrder + ofForm + ofRevenue + ofIdentity + ofMetadata + ofPhone

  /// When the first window ends, in seconds after the first call.
  private static let endOfP0: Int64 = 172_800
  private static let start: Int64 = 1_767_225_600
  private static let firstCall = "skan_first_call_to_skadnetwork_timestamp"
  private static let lastCall = "skan_last_call_to_skadnetwork_timestamp"
  private static let current = "skan_current_conversion_value"
  private static let total = "skan_total_revenue_by_currency"
  private static let failed = #"{"status":"error","reason":"try later"}"#
  private static let refused = #"{"status":"error","reason":"no device ID supplied"}"#
  private static let ok = #"{"status":"ok"}"#
  private static let idfa = "21DB6612-09B3-4ECC-84AC-B353B0AF1335"

  private static func set(_ name: String, _ entries: [Int], to value: String?) -> Plant {
    { $0.set(name, entries, to: value) }
  }

  private static func setRaw(_ name: String, _ entry: Int, to raw: String) -> Plant {
    { life in
      life.set(name, [entry], to: "x")
      life.setRaw(name, entry, to: raw)
    }
  }

  private static func append(_ item: String, to entry: Int) -> Plant {
    { $0.requests[entry - 1].request.target.query = ($0.requests[entry - 1].request.query ?? "") + "&\(item)" }
  }

  private static func address(_ text: String) -> Plant { set("ip", [13], to: text) }

  /// An entry that is not accepted, and is sent again before another entry.
  private static func fail(_ entry: Int, again position: Int, _ answer: String, then last: String, status: Int = 200)
    -> Plant
  {
    { life in
      life.answer(entry, answer, status: status)
      life.requests.insert(life.requests[entry - 1], at: position - 1)
      life.answer(position, last)
    }
  }

  /// A single session or event after the registration, with the time of it.
  private static func fresh(_ entries: [Int]) -> Plant {
    { life in
      life.requests = entries.map { life.requests[$0 - 1] }
      for index in life.requests.indices { life.requests[index].at = Instant(unixSeconds: start + 1) }
      life.set("utime", life.all, to: "\(start + 1)")
      life.set(lastCall, life.all, to: "\(start)")
      life.set(current, life.all, to: "0")
      for name in ["prev_fine_value", "p0_coarse", "p0_prev_coarse_value"] { life.set(name, life.all, to: nil) }
    }
  }

  private static func move(_ entry: Int, to seconds: Int64) -> Plant {
    { $0.requests[entry - 1].at = Instant(unixSeconds: start + seconds) }
  }

  private static let ofDelivery: [RulePair] = [
    .init(
      .errorTakenAsDelivered, { $0.answer(5, failed) }, fail(5, again: 6, failed, then: ok)),
    .init(
      .failureNotRetried, { $0.answer(19, "", status: 500) },
      fail(19, again: 20, "", then: ok, status: 500)),
    .init(
      .requestRefused, beside: [.errorTakenAsDelivered], { $0.answer(5, refused) },
      { $0.answer(5, #"{"status":"error","reason":"no device ID"}"#) }),
    .init(
      .refusalRepeated, beside: [.requestRefused], fail(5, again: 6, refused, then: refused), { $0.answer(5, refused) }),
    .init(
      .retryOvertaken, fail(33, again: 36, "", then: ok, status: 503), fail(33, again: 34, "", then: ok, status: 503)),
    .init(
      .duplicateRequest, { $0.requests.insert($0.requests[6], at: 7) }, fail(7, again: 8, "", then: ok, status: 503)),
    .init(
      .conversionError, { $0.answer(30, #"{"status":"error","reason":"no model"}"#) },
      { $0.answer(30, #"{"status":"ok","reason":"no model"}"#) }),
    .init(
      .answerUnusable,
      { $0.answer(30, #"{"conversion_value":64,"skan_updated_coarse_value":1,"status":"ok"}"#) },
      { $0.answer(30, #"{"conversion_value":63,"skan_updated_coarse_value":1,"status":"ok"}"#) }),
  ]

  private static let ofOrder: [RulePair] = [
    .init(.eventBeforeSession, fresh([5, 1]), fresh([1, 5])),
    .init(.installRepeated, set("install", [15], to: "true"), fail(1, again: 2, "", then: ok, status: 503)),
    .init(
      .timeWentBack, set("utime", [13], to: "\(start + 72_061)"), set("utime", [13], to: "\(start + 72_062)")),
    .init(.timeUnit, set("umilisec", [13], to: "1767333602"), set("umilisec", [13], to: "1767333602000")),
    .init(
      .timeAhead, set("utime", [13], to: "\(start + 108_002 + 601)"), set("utime", [13], to: "\(start + 108_002 + 600)")
    ),
    .init(
      .bundleCase, { $0.set("i", $0.forwarded, to: "com.example.App") }, { $0.set("i", $0.all, to: "com.example.App") }),
    .init(.eventNameCase, set("n", [13], to: "Level"), set("n", [12, 13], to: "Level")),
    .init(.sessionNameMisplaced, set("n", [27], to: "level"), set("n", [27], to: "levels")),
    .init(
      .plusInName,
      { life in
        life.setRaw("n", 34, to: "share+now")
        life.set("n", [35], to: "share now")
      }, set("n", [34, 35], to: "share now")),
    .init(.eventNotUpdated, { $0.requests.remove(at: 29) }, { $0.requests.removeSubrange(29...30) }),
    // The session at hour 20 without its update, and without its report, too.
    .init(.sessionNotUpdated, { $0.requests.remove(at: 7) }, { $0.requests.removeSubrange(7...8) }),
    .init(.eventNotForwarded, { $0.requests.remove(at: 30) }, { $0.requests.removeSubrange(29...30) }),
    .init(
      .reportedBeforeUpdated,
      { life in
        life.report(35, before: 34)
        life.requests[34].at = life.requests[33].at?.advanced(by: TimeSpan(seconds: 60))
      },
      { life in
        life.report(35, before: 34)
        life.requests[34].at = life.requests[33].at?.advanced(by: TimeSpan(seconds: 61))
      }),
  ]

  private static let ofForm: [RulePair] = [
    .init(.parameterMissing, set("ve", [13], to: nil), set("utime", [13], to: nil)),
    .init(
      .parameterForm, set("n", [30, 31], to: String(repeating: "n", count: 33)),
      set("n", [30, 31], to: String(repeating: "n", count: 32))),
    .init(.guidePlaceholder, set("app_v", [12], to: "YOUR APP VERSION"), set("app_v", [12], to: "YOUR APP VERSION 2")),
    .init(
      .serverParameterMissing,
      { life in
        alone(&life)
        life.set("p2_coarse", [1], to: nil)
      }, alone),
    .init(.bodySent, { $0.requests[11].request.body = [0x61] }, { $0.requests[11].request.body = [] }),
    .init(.currentValueMissing, set(current, [2], to: nil), set(current, [2], to: "0")),
    .init(.unknownParameter, set("utim", [13], to: "1"), set("ua", [13], to: "1")),
    .init(.parameterMisplaced, set("install", [13], to: "false"), set("install", [15], to: "false")),
    .init(.parameterRepeated, append("n=level", to: 13), append("ua=level", to: 13)),
    .init(.parametersUnreadable, setRaw("ua", 38, to: "%2"), setRaw("ua", 38, to: "%25")),
    .init(.jsonBody, { post(38, "[]", &$0) }, { post(38, "ua=[]", &$0) }),
    .init(.methodNotTaken, { $0.requests[37].request.method = "PUT" }, { $0.requests[37].request.method = "POST" }),
    .init(
      .plainHTTP, { $0.requests[37].request.target.origin = "http://s2s.singular.net" },
      { $0.requests[37].request.target.origin = "http://s2s.singular.net.example" }),
    .init(.jsonDamaged, set("e", [7], to: #""{}""#), set("e", [7], to: "{}")),
    .init(.truthValueForm, set("is_revenue_event", [7], to: "True"), set("is_revenue_event", [7], to: "true")),
    .init(.localeForm, set("lc", [15], to: "en-US"), set("lc", [15], to: "en_US")),
    .init(
      .makeWithoutModel, beside: [.parameterMissing], set("mo", [15], to: nil),
      { life in for name in ["ma", "mo"] { life.set(name, [15], to: nil) } }),
  ]

  /// A single request of a server that calls conversion_value, with all that it must send for a model of purchases.
  private static func alone(_ life: inout PlantedLife) {
    life.requests = [life.requests[1]]
    life.set("v", [1], to: "16.1")
    for name in ["p1_coarse", "p2_coarse"] { life.set(name, [1], to: "0") }
    life.set(total, [1], to: #"{"USD":1}"#)
  }

  /// Sends a body with an entry, too.
  private static func post(_ entry: Int, _ body: String, _ life: inout PlantedLife) {
    life.requests[entry - 1].request.method = "POST"
    life.requests[entry - 1].request.body = Array(body.utf8)
  }

  private static let ofRevenue: [RulePair] = [
    .init(
      .amountWithoutCurrency, set("cur", [29], to: nil),
      { life in for name in ["amt", "cur"] { life.set(name, [29], to: nil) } }),
    .init(.amountForm, set("amt", [29], to: "0,99"), set("amt", [29], to: "0.990")),
    .init(
      .currencyForm,
      { life in for name in [total, "p2_total_iap_revenue"] { life.add(1, "usd", to: name, Array(30...40)) } },
      { life in for name in [total, "p2_total_iap_revenue"] { life.add(1, "EUR", to: name, Array(30...40)) } }),
    .init(
      .totalMissing,
      { life in
        alone(&life)
        life.set(total, [1], to: nil)
      }, alone),
    .init(.adRevenueIncomplete, set("is_revenue_event", [23], to: "false"), set("is_revenue_event", [23], to: "true")),
    .init(
      .revenueTwice, set("purchase_transaction_id", [29], to: "1000000001"),
      set("purchase_transaction_id", [29], to: "1000000009")),
    // The total of 10.98 in single precision is exact to 0.0000044.
    .init(.revenueMismatch, set("amt", [29], to: "0.990005"), set("amt", [29], to: "0.990003")),
    .init(
      .revenueOutsideWindow, move(20, to: endOfP0 - 601), move(20, to: endOfP0 - 600)),
    .init(
      .revenueShrank,
      { life in for name in [total, "p2_total_iap_revenue"] { life.add(-0.5, "USD", to: name, Array(30...40)) } },
      { life in for name in [total, "p2_total_iap_revenue"] { life.add(0.5, "USD", to: name, Array(30...40)) } }),
    .init(
      .totalNotSum, { $0.add(1, "USD", to: total, Array(30...40)) },
      { life in for name in [total, "p2_total_iap_revenue"] { life.add(1, "USD", to: name, Array(30...40)) } }),
  ]

  private static let ofIdentity: [RulePair] = [
    .init(.idfvMissing, set("idfv", [38], to: nil), set("idfv", [38], to: "21DB6612-09B3-4ECC-84AC-000000000002")),
    .init(
      .idfvDiffers, { $0.set("idfv", $0.forwarded, to: "21DB6612-09B3-4ECC-84AC-000000000002") },
      { $0.set("idfv", $0.all, to: "21DB6612-09B3-4ECC-84AC-000000000002") }),
    .init(.idfaZeros, consent("3", "00000000-0000-0000-0000-000000000000"), consent("3", idfa)),
    .init(.idfaWithoutConsent, consent("2", idfa), consent("3", idfa)),
    .init(.consentWithoutIDFA, consent("3", nil), consent("2", nil)),
    .init(.keyMissing, set("a", [13], to: ""), set("a", [13], to: "k")),
    .init(
      .keyDiffers,
      { life in
        life.set("a", life.conversions, to: "one")
        life.set("a", life.forwarded, to: "two")
      }, { $0.set("a", $0.all, to: "one") }),
    .init(
      .addressChoice, beside: [.serverAddress], set("ip", [13], to: nil),
      { life in
        life.set("ip", [13], to: nil)
        life.set("use_ip", [13], to: "true")
        life.set("country", [13], to: "US")
      }),
    .init(
      .serverAddress, also: [.addressChoice], beside: [.addressChoice], set("use_ip", [13], to: "true"),
      set("use_ip", [13], to: "false")),
    .init(.privateAddress, address("172.31.255.255"), address("172.32.0.0")),
    .init(.sameAddress, { addresses([1, 1, 1], &$0) }, { addresses([1, 1, 2], &$0) }),
    .init(.ipv6Address, address("2001:db8::1"), address("172.58.29.1")),
  ]

  /// The status of consent, and an identifier.
  private static func consent(_ status: String, _ idfa: String?) -> Plant {
    { life in
      life.set("att_authorization_status", [13], to: status)
      life.set("idfa", [13], to: idfa)
    }
  }

  /// Registrations of several devices, with the ends of their addresses.
  private static func addresses(_ ends: [Int], _ life: inout PlantedLife) {
    life.requests = ends.map { _ in life.requests[0] }
    for (index, end) in ends.enumerated() {
      life.set("idfv", [index + 1]) { ($0 ?? "").dropLast() + "\(index)" }
      life.set("ip", [index + 1], to: "172.58.29.\(end)")
      for name in [firstCall, lastCall] { life.set(name, [index + 1], to: "\(start - 100 + Int64(index))") }
    }
  }

  private static let ofMetadata: [RulePair] = [
    .init(.metadataMissing, withoutMetadata("14.0"), withoutMetadata("13.7")),
    .init(.metadataIncomplete, set("prev_fine_value", [13], to: nil), set("p0_prev_coarse_value", [13], to: nil)),
    .init(
      .metadataNames,
      { life in
        for key in RequestParameter.skan4Metadata { life.set(key, [13], to: nil) }
        life.set("skan_conversion_value", [13], to: "12")
      }, set("skan_conversion_value", [13], to: "12")),
    .init(.metadataStale, { $0.makeStale(13) }, { $0.makeStale(31) }),
    // iOS before 15.4 has no call that a value moves.
    .init(
      .metadataStale, beside: [.keysBeyondIOS],
      { life in
        life.makeStale(13)
        ios("15.4", &life)
      },
      { life in
        life.makeStale(13)
        ios("15.3", &life)
      }),
  ]

  private static func withoutMetadata(_ ios: String) -> Plant {
    { life in
      for key in RequestParameter.skan4Metadata { life.set(key, [13], to: nil) }
      life.set("ve", [13], to: ios)
    }
  }

  private static let ofPhone: [RulePair] = [
    .init(
      .lastCallBeforeFirst, beside: [.lastCallWentBack], set(lastCall, [32], to: "\(start - 1)"),
      set(lastCall, [32], to: "\(start)")),
    .init(
      .lastCallWentBack, set(lastCall, [32], to: "\(start + 1_036_800)"),
      set(lastCall, [32], to: "\(start + 1_036_801)")),
    .init(
      .firstCallChanged, set(firstCall, Array(14...40), to: "\(start + 1)"),
      set(firstCall, Array(14...40), to: "\(start)")),
    .init(
      .fineChangedAfterP0, beside: [.answerNotShown], set(current, Array(18...40), to: "11"),
      set(current, Array(16...40), to: "11")),
    .init(
      .valueNeverAnswered, beside: [.answerNotShown], set(current, [8], to: "3"), set(current, [8], to: "2")),
    .init(.previousNeverCurrent, set("prev_fine_value", [12], to: "3"), set("prev_fine_value", [12], to: "2")),
    .init(
      .windowTooEarly, also: [.answerNotShown], set(lastCall, [17, 18], to: "\(start + endOfP0 - 1)"),
      set(lastCall, [17, 18], to: "\(start + endOfP0)")),
    .init(
      .windowChangedLate, beside: [.answerNotShown], set("p0_coarse", Array(18...40), to: "0"),
      set("p0_coarse", Array(16...40), to: "0")),
    .init(
      .lockOutsideWindow, set("p0_window_lock", Array(18...40), to: "\(start + endOfP0)"),
      set("p0_window_lock", Array(18...40), to: "\(start + endOfP0 - 1)")),
    .init(.keysBeyondIOS, { ios("15.3", &$0) }, { ios("15.4", &$0) }),
    .init(
      .answerNotShown, { $0.answer(14, #"{"conversion_value":12,"skan_updated_coarse_value":1,"status":"ok"}"#) },
      { $0.answer(14, #"{"conversion_value":12,"skan_updated_coarse_value":2,"status":"ok"}"#) }),
    .init(.staleRequest, beside: [.answerNotShown], early(4_999), early(5_001)),
    .init(.requestAfterWindows, late(600), late(599)),
  ]

  /// The second update leaves so many milliseconds after the first one, with the values of before.
  private static func early(_ milliseconds: Int64) -> Plant {
    { life in
      life.requests[3].at = life.requests[1].at?.advanced(by: TimeSpan(microseconds: milliseconds * 1000))
      for name in [current, lastCall, "prev_fine_value", "p0_coarse"] {
        let before = life.value(name, 2)
        life.set(name, [4], to: before)
      }
    }
  }

  private static func ios(_ version: String, _ life: inout PlantedLife) {
    life.set("v", life.conversions, to: version)
    life.set("ve", life.forwarded, to: version)
  }

  /// The last update, so many seconds after the windows.
  private static func late(_ seconds: Int64) -> Plant {
    { life in
      life.requests[35].at = Instant(unixSeconds: start + 35 * 86_400 + seconds)
      life.requests[36].at = Instant(unixSeconds: start + 35 * 86_400 + seconds + 2)
    }
  }
}
