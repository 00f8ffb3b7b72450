import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem

/// `skan postbacks`: shows which postbacks have left the phone and which are still to leave. It writes nothing unless
/// it delivers them.
enum PostbacksCommand {
  static let tier = Option<ShownTiers?>(
    "tier", "0-3|all", .tiers, "show another postback data tier than the ad's own, or all side by side")
  static let sign = Option<String?>("sign", "KEY.pem", .file, "sign the bodies with your own private P-256 key")
  static let kid = Option<String?>(
    "kid", "KID", .keyID,
    "the name of that key in postbacks of AdAttributionKit (default: \(AdAttributionKitContent.simulatedKeyID))"
  )
  static let send = Option<PostbackURL?>(
    "send", "URL", .postbackURL,
    "deliver what has left by now: to the ad network at this address, and a copy to the developer"
  )
  static let developer = Option<DeveloperCopy?>(
    "developer", "URL|none", .developerCopy, "where the copy goes (default: Apple's path on the server of --send)")

  struct Options: CommandOptions {
    let tiers: ShownTiers
    /// The file of the private key.
    let keyFile: String?
    let keyID: String?
    /// Nil if nothing is delivered.
    let delivery: DeliveryOptions?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(tier, sign, send)
      let way = try reader.oneOf([tier, send]) {
        "\($0) shows what another tier would let through, \($1) delivers what the ad's own does: not both at once"
      }
      tiers = try reader.value(of: tier, if: way == tier) ?? .own
      keyFile = try reader[sign]
      keyID = try reader[kid, OptionReader.Condition(keyFile != nil, "belongs to \(sign.flag)")]
      let network = try reader.value(of: send, if: way == send)
      let developer = try reader[
        PostbacksCommand.developer, OptionReader.Condition(network != nil, "goes with \(send.flag)")]
      let wire = try reader.under(WireOptions.title) { () throws(CommandError) in
        try WireOptions(reader, takesKey: false)
      }
      step = try StepOptions(reader, hasFindings: false)
      delivery = network.map {
        DeliveryOptions(network: $0, developer: developer, limits: wire.limits, isVerbose: wire.isVerbose)
      }
    }
  }

  static let spec = CommandSpec(
    "postbacks", "Show the simulated postbacks, and send them if asked",
    examples: [
      "skan postbacks --at +45d", "skan postbacks --tier all", "skan postbacks --expect postbacks.0.state=scheduled",
      KeyProblem.makePrivate, "skan postbacks --at +45d --sign key.pem --send http://localhost:8080/postback",
    ],
    sections: [
      CommandSpec.Section(
        heading:
          "What Apple's documentation leaves open ('skan install --setting NAME=VALUE'; the default comes first):",
        rows: FrameworkSetting.allCases.map {
          ($0.name, "\($0.valuesText): \($0.meaning) (\($0.doubt))")
        })
    ],
    resultKeys: ShownResult.keysOfPostbacks
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let signer = try PostbackSigner(
      keyFile: options.keyFile, keyID: options.keyID, isQuiet: options.step.output.isQuiet, environment)
    let sender = options.delivery.map {
      PostbackSender($0, signer, environment)
    }
    let command = try StepCommand(options.step, invocation)
    let step = Step(.postbacks, time: options.step.time)
    var ending = DeliveryEnding(code: .ok, reason: nil)
    var file: DeviceFile
    let results: [StepResult]
    if let sender {
      if let note = sender.note { command.output.note(note) }
      (file, results) = try command.store.changingExisting { (file) throws(CommandError) in
        let results = try command.run([step], on: &file)
        for result in results {
          ending = try sender.deliver(result.postbacks ?? [], by: result.endedAt, of: &file) {
            (file) throws(CommandError) in try command.store.save(file)
          }
        }
        return (file, results)
      }
    } else {
      file = try command.store.read()
      results = try command.run([step], on: &file)
    }
    guard let result = results.last else { return ending.code }
    let view = PostbackView(result, deliveries: file.deliveries, signer: signer, tiers: options.tiers)
    // Expectations apply to the result as shown: with its tier, its signatures and its deliveries.
    let isAsked = options.step.output.isJSON || !options.step.checks.expectations.isEmpty
    let shown = try isAsked ? view.shown() : nil
    if options.step.output.isJSON, var result = shown {
      result.verdicts = try command.verdicts(on: result)
      try command.output.result(JSONWriter.text(result))
    } else {
      for line in try view.lines() { try command.output.line(line) }
    }
    let verdict = try command.verdict(results, shown: shown)
    if let reason = ending.reason { command.output.error([reason]) }
    return verdict == .ok ? ending.code : verdict
  }
}

/// The postback data tiers to show.
enum ShownTiers: Sendable {
  /// The tier of the ad.
  case own
  case one(Int64)
  case all
}

extension ValueParser<ShownTiers> {
  fileprivate static var tiers: Self {
    Self(.choice, values: ["0", "1", "2", "3", "all"]) { (given) throws(CommandError) in
      if given.text == "all" { return .all }
      guard let tier = Int64(given.text), (0...3).contains(tier) else { throw given.mustBe("0, 1, 2, 3 or all") }
      return .one(tier)
    }
  }
}

/// The postbacks of a phone as text and as JSON.
struct PostbackView {
  private let result: StepResult
  private let deliveries: [Delivery]
  private let signer: PostbackSigner
  private let tiers: ShownTiers

  init(_ result: StepResult, deliveries: [Delivery], signer: PostbackSigner, tiers: ShownTiers) {
    self.result = result
    self.deliveries = deliveries
    self.signer = signer
    self.tiers = tiers
  }

  /// The result of the step, with signed postbacks of the requested tier.
  func shown() throws(CommandError) -> ShownResult {
    let shown = ShownResult(result)
    shown.explanation = explanation
    shown.postbacks = try postbacks(tier: oneTier)
    shown.deliveries = deliveries
    if case .all = tiers {
      var tiers: [ShownResult.Tier] = []
      for tier in 0...3 as ClosedRange<Int64> { tiers.append(ShownResult.Tier(tier, try postbacks(tier: tier))) }
      shown.tiers = tiers
    }
    return shown
  }

  private var oneTier: Int64? { if case .one(let tier) = tiers { tier } else { nil } }

  /// The step's explanation for the requested tier.
  private var explanation: String {
    "\(result.device.readPostbacks(phone: result.step.device, at: result.endedAt, tier: oneTier).explanation)"
  }

  private func postbacks(tier: Int64?) throws(CommandError) -> [Postback] {
    try signer.signed(result.device.postbacks(phone: result.step.device, at: result.endedAt, tier: tier))
  }

  func lines() throws(CommandError) -> [StyledText] {
    let head: StyledText = "\("\(result.at)", .dim)  \(explanation)"
    if case .all = tiers {
      return [head]
        + PostbackTable.lines(result.device, phone: result.step.device, at: result.endedAt)
    }
    return [head] + (try postbacks(tier: oneTier)).flatMap { [""] + lines(of: $0) }
  }

  private func lines(of postback: Postback) -> [StyledText] {
    let role: TextRole? = postback.state == .sent ? .success : nil
    var first: StyledText = "\(postback.name, .bold)  \(postback.state.displayText, role)  "
    first.indent = 4
    first.append(postback.why)
    var lines = [first]
    guard let content = postback.content else { return lines }
    if let prepared = postback.preparedAt, let earliest = postback.earliest, let latest = postback.latest {
      lines.append("    \("prepared at \(prepared), leaves between \(earliest) and \(latest)", .dim)")
    }
    if let payload = content.payload { lines.append("    signed claims: \(JSONWriter.text(payload))") }
    // The JSON is a single word, so it is never broken.
    lines.append("    simulated, \(signer.displayText): \(JSONWriter.text(content))")
    let attempts = deliveries.filter { $0.isOf(postback) }
    lines += attempts.map { StyledText("    \($0.displayText)", $0.hasArrived ? nil : .failure) }
    for recipient in Delivery.Recipient.allCases {
      let toOne = attempts.filter { $0.recipient == recipient }
      if postback.retries.isGivenUp(after: toOne), !toOne.contains(where: \.hasArrived) {
        lines.append("    \("given up: no attempt to the \(recipient.displayText) arrived", .failure)")
      }
    }
    return lines
  }
}

extension ValueParser<String> {
  /// The name of a key in the header of a JWS: characters of ASCII without blanks.
  static var keyID: Self {
    Self(.text) { (given) throws(CommandError) in
      guard 1...100 ~= given.text.utf8.count, given.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw given.mustBe("a key's name of at most 100 characters without blanks, such as example.adattributionkit")
      }
      return given.text
    }
  }
}

extension Delivery.Recipient {
  fileprivate var displayText: String { self == .network ? "ad network" : "developer" }
}

extension Delivery {
  /// The attempt in words.
  fileprivate var displayText: String { displayText(of: "") }

  /// The attempt in words, with the name of its phone or postback after the time.
  func displayText(of name: String) -> String {
    let ending =
      switch result {
      case .answered(let status): "HTTP \(status)"
      case .failed(let displayText): displayText
      }
    return "\(at)  \(name)\(name.isEmpty ? "" : "  ")to the \(recipient.displayText) at \(url): \(ending)"
  }
}

/// A table of what each postback data tier reveals, side by side.
enum PostbackTable {
  static func lines(_ device: Device, phone: String, at now: Instant) -> [StyledText] {
    let tiers = (0...3).map { device.postbacks(phone: phone, at: now, tier: $0) }
    return (tiers.first ?? []).indices.flatMap { index in [""] + table(tiers.map { $0[index] }) }
  }

  private typealias Field = (name: String, value: @Sendable (PostbackContent) -> JSON?)

  /// The fields that can differ between tiers.
  private static let fields: [Field] = [
    PostbackField.sourceIdentifier, .campaignID, .conversionValue, .coarseConversionValue, .sourceAppID, .sourceDomain,
  ].map { field in (field.rawValue, { $0.value(of: field) }) }

  private static let adAttributionKitFields: [Field] = [
    AdAttributionKitField.sourceIdentifier, .conversionValue, .coarseConversionValue, .publisherItemIdentifier,
    .marketplaceIdentifier, .countryCode,
  ].map { field in (field.rawValue, { $0.value(of: field) }) }

  /// - Parameter postbacks: one postback, once for each tier.
  private static func table(_ postbacks: [Postback]) -> [StyledText] {
    var rows: [[String]] = [[postbacks[0].name] + postbacks.indices.map { "tier \($0)" }]
    rows.append(["state"] + postbacks.map(\.state.displayText))
    let isAdAttributionKit = postbacks.contains { $0.content?.kit != nil }
    for field in isAdAttributionKit ? adAttributionKitFields : fields {
      let values = postbacks.map { $0.content.flatMap(field.value) }
      guard values.contains(where: { $0 != nil }) else { continue }
      rows.append([field.name] + values.map { $0.map(displayText) ?? "-" })
    }
    return TextTable.styled(rows)
  }

  private static func displayText(_ value: JSON) -> String {
    if case .string(let text) = value { text } else { JSONWriter.text(value) }
  }
}
