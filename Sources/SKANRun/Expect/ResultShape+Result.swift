import SKANDevice

extension ResultShape {
  /// Everything that a result can have; ``StepResult/json`` makes it.
  static let members: [(key: String, shape: ResultShape)] = [
    ("answer", .object(of: ["status", "text", "base64", "error"])), ("answered_by", .single), ("apple", apple),
    ("at", .single),
    ("crash", .object(of: ["reason"])), ("details", details), ("details_before", details),
    ("details_in_handler", details), ("device", .single),
    ("ended_at", .single), ("endpoint_explanation", .single),
    (
      "expectations",
      .list(.object([("path", .single), ("expected", .anything), ("actual", .anything), ("ok", .single)]))
    ),
    ("explanation", .single), ("file", .single), ("forwarded", .list(forwarded)), ("framework", .list(framework)),
    ("handler", .object(of: ["coarse", "error", "fine", "lock"])), ("label", .single), ("line", .single),
    ("lock_held", .single), ("op", .name(OperationSpec.names)), ("outcome", .name(Outcome.allCases.map(\.name))),
    ("postbacks", .list(postback)), ("request", .object([("query", query), ("url", .single)])),
    ("warnings", .list(warning)), ("window", window),
  ]

  /// What `skan postbacks` shows besides.
  private static let ofPostbacks: [(key: String, shape: ResultShape)] = [
    ("deliveries", .list(.object(of: Delivery.keys.names))),
    ("tiers", .list(.object([("postbacks", .list(postback)), ("tier", .number(0...3))]))),
  ]

  /// A result, and with `more` what a command shows besides. `query` stands for `request.query`.
  package static func result(more: [String]) -> ResultShape {
    more.isEmpty ? plainResult : .object(members + ofPostbacks.filter { more.contains($0.key) } + [("query", query)])
  }

  private static let plainResult = object(members + [("query", query)])

  private static let window = number(-1...2)

  private static let apple = object(
    AppleFramework.keys.names.map { key in
      switch key {
      case "p0": (key, held([HeldValues.fineKey]))
      case "p1", "p2": (key, held([]))
      case "version": (key, .name(AdVersion.allCases.map(\.rawValue)))
      default: (key, .single)
      }
    } + [("says", .single), ("window", window)])

  private static func held(_ more: [String]) -> ResultShape {
    .object(
      (HeldValues.keys + more).map { key in
        (key, key == "coarse" ? .name(HeldCoarse.allCases.map(\.rawValue)) : .single)
      })
  }

  /// Revenue has the app's own currencies as keys.
  private static let details = object(
    StoreEntry.all.map { entry in (entry.name, entry.isRevenue ? .anything : .single) })

  private static let query = object(of: QueryParameter.namesAsSent)

  private static let framework = object([
    ("call", .name([FrameworkCall.Name.register, FrameworkCall.Name.update, FrameworkCall.Name.postback])),
    ("coarse", .name(CoarseValue.allCases.map(\.rawValue))), ("fine", .single), ("lock", .single),
  ])

  private static let forwarded = object([
    ("answer", .object(of: ["status", "text", "base64", "error"])), ("answered_by", .single),
    (
      "applied",
      .object([
        ("explanation", .single), ("framework", .list(framework)),
        ("outcome", .name(Outcome.allCases.map(\.name))),
      ])
    ),
    ("attempts", .number(1...Int64(ForwardedCall.attemptLimit))), ("differs_when_stale", .anything),
    ("explanation", .single), ("outcome", .name(ForwardedCall.Outcome.allCases.map(\.rawValue))),
    // Any parameter may be added.
    ("request", .object([("method", .name(["GET", "POST"])), ("parameters", .anything), ("url", .single)])),
  ])

  private static let postback = object([
    ("sequence_index", .number(0...2)), ("state", .name(Postback.State.allCases.map(\.rawValue))), ("why", .single),
    ("prepared_at", .single), ("earliest", .single), ("latest", .single), ("sends_at", .single),
    ("body", .object(of: PostbackField.allCases.map(\.rawValue))),
  ])

  private static let warning = object([
    ("code", .name(WarningCode.allCases.map(\.name))),
    ("level", .name([Warning.Level.note, .finding].map(\.rawValue))), ("message", .single),
  ])
}

extension StepResult {
  /// Every key that a result can have.
  package static let keys = ResultShape.members.map(\.key)
}
