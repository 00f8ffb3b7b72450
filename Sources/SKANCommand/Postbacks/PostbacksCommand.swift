import SKANDevice
import SKANHTTP
import SKANBase
import SKANRun
import SKANSigning
import SKANSystem

/// `skan postbacks`: what has left the phone and what is still to leave. Nothing is written unless it is delivered.
enum PostbacksCommand {
  static let tier = Option<ShownTiers?>(
    "tier", "0-3|all", .tiers, "show another postback data tier than the ad's own, or all side by side")
  static let sign = Option<String?>("sign", "KEY.pem", .file, "sign the bodies with your own private P-256 key")
  static let send = Option<PostbackURL?>(
    "send", "URL", .postbackURL,
    "deliver what has left by now: to the ad network at this address, and a copy to the developer"
  )
  static let developer = Option<DeveloperCopy?>(
    "developer", "URL|none", .developerCopy, "where the copy goes (default: Apple's path on the server of --send)")

  static let spec = CommandSpec(
    "postbacks", "show the simulated postbacks, and deliver them if you like",
    options: [tier, sign, send, developer, .maxTime, .maxAnswer] + CommandLineTool.stepOptions,
    examples: [
      "skan postbacks --at +45d", "skan postbacks --tier all", "skan postbacks --expect postbacks.0.state=scheduled",
      KeyProblem.makePrivate, "skan postbacks --at +45d --sign key.pem --send http://localhost:8080/postback",
    ],
    sections: [
      CommandSpec.Section(
        heading:
          "What Apple's documentation leaves open ('skan install --setting NAME=VALUE'; the default comes first):",
        rows: FrameworkSetting.all.map {
          ($0.name, "\($0.values.joined(separator: ", ")): \($0.meaning) (\($0.doubt))")
        })
    ],
    resultKeys: ShownResult.keysOfPostbacks
  ) { (invocation) throws(CommandError) in
    let tiers = try invocation.tiers()
    let signer = try PostbackSigner(invocation)
    let courier = try PostbackCourier(invocation, signer, Redactor(key: invocation.environment.sdkKey))
    let execution = try StepExecution(invocation)
    let store = try DeviceStore(invocation)
    let step = Step(.postbacks, time: try invocation.time())
    var ending = ExitCode.ok
    let look = { (file: inout DeviceFile) throws(CommandError) in try invocation.run([step], on: &file, execution) }
    var file: DeviceFile
    let results: [StepResult]
    if let courier {
      (file, results) = try store.changingExisting { (file) throws(CommandError) in
        let results = try look(&file)
        for result in results {
          ending = try courier.deliver(result.postbacks ?? [], by: result.endedAt, of: &file) {
            (file) throws(CommandError) in try store.save(file)
          }
        }
        return (file, results)
      }
    } else {
      file = try store.read()
      results = try look(&file)
    }
    guard let result = results.last else { return ending }
    let view = PostbackView(result, deliveries: file.deliveries, signer: signer, tiers: tiers)
    // What is expected is expected of what is shown: of that tier, signed, and with the deliveries.
    let isAsked = invocation[.json] || invocation.has(.expect)
    let shown = isAsked ? try view.shown() : nil
    if invocation[.json], var result = shown {
      result.verdicts = try invocation.verdicts(on: result)
      try execution.output.result(JSONWriter.text(result))
    } else {
      for line in try view.lines() { try execution.output.line(line) }
    }
    let verdict = try invocation.verdict(results, execution, shown: shown)
    return verdict == .ok ? ending : verdict
  }
}

/// Which postback data tiers are shown.
enum ShownTiers: Sendable {
  /// The ad's own.
  case own
  case one(Int64)
  case all
}

extension Invocation {
  fileprivate func tiers() throws(CommandError) -> ShownTiers {
    let ways = preferred([PostbacksCommand.tier, PostbacksCommand.send])
    if ways.count > 1 {
      throw usage(
        "\(self.name(of: PostbacksCommand.tier)) shows what another tier would let through, "
          + "\(self.name(of: PostbacksCommand.send)) delivers what the ad's own does: not both at once")
    }
    if ways == [PostbacksCommand.send] { return .own }
    return try self[PostbacksCommand.tier] ?? .own
  }
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
