import SKANBacktest
import SKANDevice
import SKANBase

/// What `skan backtest --json` prints.
enum BacktestSchema {
  private static let text = JSONForm.text
  private static let count = JSONForm.count
  /// Money in millionths, or seconds.
  private static let number = JSONForm.integer(nil)
  private static let windows = ConversionWindow.allCases.map(\.key)

  static var form: JSONForm {
    SchemaObject(
      "backtest",
      [
        ("format", .integer(1...1)), ("currency", text), ("model", text), ("compared_with", text.orNull),
        ("by", text.orNull), ("input", input), ("total", counts),
        ("groups", .list(SchemaObject("group", [("group", text), ("counts", counts)]).form)),
      ], optional: ["groups"]
    ).form
  }

  /// What was read; its tables are by a currency or a reason.
  private static var input: JSONForm {
    let tally: [(key: String, form: JSONForm)] = InputTally().members.map { member in
      if case .object = member.value { (member.key, JSONForm.map(of: count)) } else { (member.key, count) }
    }
    return SchemaObject(
      "input", tally + [("from", text.orNull), ("to", text.orNull), ("devices_unfinished", count)]
    ).form
  }

  private static var counts: JSONForm {
    let changes = SchemaObject(
      "changes",
      [("any", count), ("fine_higher", count), ("fine_lower", count), ("coarse", .each(of: windows, count))])
    return SchemaObject(
      "counts", [("with_model", model), ("with_other", model), ("changes", changes.form)],
      optional: ["with_other", "changes"]
    ).form
  }

  private static var model: JSONForm {
    let postbacks = SchemaObject("postbacks of a window", [("postbacks", count), ("seconds", number)])
    return SchemaObject(
      "model",
      [
        ("devices", count), ("revenue_48h_micros", number), ("revenue_7d_micros", number),
        ("revenue_35d_micros", number), ("decoded_micros", number), ("error_micros", number), ("at_zero", count),
        ("at_highest", count.orNull), ("fine_values", .list(fineValue.form)),
        (
          "coarse_values",
          .each(of: windows, .each(of: ["none"] + CoarseValue.allCases.map(\.rawValue), coarseValue.form))
        ), ("locks", .each(of: windows, lock.form)), ("tiers", .list(tier.form)), ("events", events),
        ("outcomes", .each(of: Outcome.allCases.map(\.name), count, isComplete: false)),
        ("postbacks", .each(of: windows, postbacks.form)), ("postbacks_by_day", .map(of: .list(count))),
      ]
    ).form
  }

  private static let fineValue = SchemaObject(
    "fine value",
    [
      ("value", .integer(0...63)), ("users", count), ("revenue_48h_micros", number), ("revenue_7d_micros", number),
      ("revenue_35d_micros", number), ("decoded_micros", number), ("error_micros", number),
      ("decodes_to_micros", number.orNull), ("meaning", text.orNull),
    ])

  private static let coarseValue = SchemaObject(
    "coarse value",
    [("users", count), ("revenue_micros", number), ("decoded_micros", number), ("error_micros", number)])

  private static let lock = SchemaObject(
    "locks of a window",
    [("locks", count), ("seconds_gained", number), ("revenue_after_micros", number), ("values_changed", count)])

  private static let tier = SchemaObject(
    "tier",
    [
      ("tier", .integer(0...3)), ("fine", count), ("coarse", count), ("without_value", count),
      ("decoded_micros", number), ("error_micros", number),
    ])

  /// By the events of the models, all of them first.
  private static var events: JSONForm {
    let event = SchemaObject(
      "event", (windows.map { "seen_\($0)" } + ["after_lock", "after_windows"]).map { ($0, count) })
    return .object([("all", event.form)], required: ["all"], others: event.form)
  }
}
