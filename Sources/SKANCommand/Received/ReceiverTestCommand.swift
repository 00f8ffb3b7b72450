import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning

/// `skan receiver-test`: makes deliveries with known correct answers to any receiver of postbacks.
enum ReceiverTestCommand {
  private static let model = Option<ModelArgument?>(
    "model", "[APP=]FILE", .model,
    "send values of this conversion model, for its app; --expected contains their meaning",
    hasVariable: true)
  private static let sign = PostbacksCommand.sign.described(
    "sign with your own private P-256 key, whose public half the receiver trusts")
  private static let kid = PostbacksCommand.kid
  private static let expected = Option<OutputFile?>(
    "expected", "OUT.json", .outputFile,
    "write what the receiver's own report must show, in the form of 'skan report --json'")
  private static let reportJUnit = ReplayCommand.reportJUnit.described(
    "write a report in JUnit's form, with one case per delivery")
  private static let framework = Option<PostbackProtocol?>(
    "protocol", "NAME", .choice, "deliver only postbacks of SKAdNetwork (skan) or of AdAttributionKit (aak)")
  private static let strict = OptionRow.strict.described(
    "exit 1 also for advice: a wrong answer to what only networks, proxies and strangers send")

  struct Options: CommandOptions {
    let model: ModelArgument?
    /// The file of the private key.
    let keyFile: String?
    /// The name of that key; nil for the default.
    let keyID: String?
    let expected: OutputFile?
    let actual: ActualCounts.Source?
    let junit: OutputFile?
    /// Nil for both.
    let framework: PostbackProtocol?
    let isStrict: Bool
    let pace: Double
    let maxTime: Double
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(strict, under: .expectations)
      reader.declare(ReceiverTestCommand.expected, reportJUnit, .json, .quiet, under: .output)
      model = try reader[ReceiverTestCommand.model]
      keyFile = try reader[sign]
      keyID = try reader[kid, OptionReader.Condition(keyFile != nil, "belongs to \(sign.flag)")]
      let table = "names a file; standard output has the table"
      expected = try reader.output(ReceiverTestCommand.expected, replacing: [.counts], standardOutputIsTaken: table)
      actual = try reader[ActualCounts.option]
      junit = try reader.output(reportJUnit, replacing: [], standardOutputIsTaken: table)
      framework = try reader[ReceiverTestCommand.framework]
      isStrict = try reader[strict]
      pace = try reader[TestedReceiver.pace] ?? 0
      maxTime = try reader[.maxTime]
      isJSON = try reader[.json]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    "receiver-test", "Test a receiver with postbacks that it must accept or refuse",
    arguments: ["URL"],
    examples: [
      "skan receiver-test http://localhost:8080", KeyProblem.makePrivate,
      "skan receiver-test http://localhost:8080/postbacks --sign key.pem --expected expected.json",
      "skan receiver-test http://localhost:8080 --sign key.pem --actual http://localhost:8080/counts.json",
      "skan receiver-test http://localhost:8080 --sign key.pem --kid apple-cas-identifier/0",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    var report = ReceiverTestReport(
      Output(environment, isQuiet: options.isQuiet), isJSON: options.isJSON)
    let receiver = try TestedReceiver(
      invocation.argument(0, named: "URL"), pace: options.pace, maxTime: options.maxTime, note: report.note,
      environment)
    var actual = options.actual.map { ActualCounts($0, maxTime: options.maxTime, environment) }
    let time = environment.now()
    let signer = try PostbackSigner(keyFile: options.keyFile, isQuiet: options.isQuiet, environment)
    let (app, models, chosen) = try models(options.model, invocation)
    var plan: ReceiverPlan
    do throws(SigningError) {
      plan = try ReceiverPlan(
        app: app, seed: UInt64(bitPattern: time.microseconds), model: chosen, lacksSlash: receiver.lacksSlash,
        sign: signer.signature(of:))
      if options.framework != .skAdNetwork {
        try plan.addAdAttributionKit(
          keyID: options.keyID ?? AdAttributionKitKeys.simulatedKeyID, sign: signer.numbers(of:))
      }
      if options.framework == .adAttributionKit { plan.keepOnly(.adAttributionKit) }
    } catch {
      throw environment.isInterrupted() ? .interrupted : CommandError(error, keyFile: signer.keyName)
    }
    if !signer.signs {
      report.note("the postbacks are unsigned; sign them (--sign) for a receiver that checks signatures")
    }
    do throws(ActualCounts.Problem) { try actual?.begin() } catch { return report.fail(error) }
    for delivery in plan.deliveries {
      guard let finding = try receiver.deliver(delivery) else { return report.unreachable(receiver) }
      try report.show(finding)
    }
    try report.end()
    if report.findings.first?.outcome == .wrong("404") {
      report.note("nothing takes postbacks at \(receiver.name): name the receiver's whole address")
    }
    if let file = options.expected {
      let json = plan.expectedReport(report.findings, by: models, at: time)
      try file.write(Array((JSONWriter.text(json) + "\n").utf8), environment)
    }
    let counts = plan.expectedCounts(report.findings, by: models, at: time)
    var comparison: ReceiverComparison?
    var problem: ActualCounts.Problem?
    do throws(ActualCounts.Problem) {
      if let (made, note) = try actual?.compare(with: counts) {
        comparison = made
        if let note { report.note(note) }
      }
    } catch {
      problem = error
    }
    try report.show(counts, comparison, of: actual?.name ?? "")
    if let file = options.junit {
      let junit = report.findings.junit(
        comparison, isStrict: options.isStrict, receiver: receiver.name, at: time)
      try file.write(junit, environment)
    }
    let hasFailed = report.findings.contains { options.isStrict ? $0.failed : $0.breaksMust }
    let ending = problem.map(report.fail) ?? .ok
    if ending == .interrupted { return ending }
    return hasFailed || !(comparison?.differences.isEmpty ?? true) ? .expectationFailed : ending
  }

  /// The app whose postbacks are sent, the models that decode them, and the model that their values follow.
  private static func models(
    _ argument: ModelArgument?, _ invocation: Invocation
  ) throws(CommandError) -> (AppStoreID, DecodingModels, ConversionModel?) {
    var models = DecodingModels()
    let sample = AppStoreID.sample
    guard let argument else { return (sample, models, nil) }
    let name = invocation.name(of: model)
    if argument.from != nil { throw invocation.usage("\(name): from=DATE is for postbacks that were received") }
    let apps = try invocation.decodedApps(argument, name)
    guard apps.count == 1, let (app, model) = apps.first else {
      throw invocation.usage(
        "\(name): \(argument.path) holds \(apps.count) models: name one, as in \(argument.path)#APP_ID")
    }
    do throws(DecodingModels.Overlap) {
      try models.add(model, file: argument.path, for: app, from: nil)
    } catch {
      throw invocation.usage("\(name): \(argument.path) is there twice")
    }
    return (app ?? sample, models, model)
  }
}

/// The output of `skan receiver-test`.
struct ReceiverTestReport {
  private let output: Output
  private let isJSON: Bool
  private(set) var findings: [ReceiverFinding] = []

  /// The maximum number of differing counts to show.
  private static let mostDifferences = 20

  init(_ output: Output, isJSON: Bool) {
    self.output = output
    self.isJSON = isJSON
  }

  func note(_ text: String) { output.note(.remark(text)) }

  /// Prints a finding as soon as it is available, since the deliveries take some seconds.
  mutating func show(_ finding: ReceiverFinding) throws(CommandError) {
    findings.append(finding)
    if isJSON { return try output.result(JSONWriter.text(finding)) }
    var line = StyledText(finding.name.padded(to: 15, atLeast: 2), finding.role)
    line.append(finding.delivery.id.padded(to: 23, atLeast: 2))
    line.indent = line.text.columns
    line.append(finding.answer.oneLine)
    try output.line(line)
  }

  /// Prints the causes of the wrong answers, and the counts.
  func end() throws(CommandError) {
    let causes = ReceiverCause.all(of: findings)
    for cause in causes { try show(cause) }
    if isJSON { return try output.result(Self.countFields.text(findings)) }
    let rest = ReceiverFinding.names.map { name in
      "\(findings.count { $0.name == name }) \(name.replacing("-", with: " "))"
    }
    try output.line("\(findings.count.counted("delivery", "deliveries")): \(rest.joined(separator: ", "))")
    // Some deliveries are named after the code that a receiver must report for them.
    let ids = findings.filter(\.failed).map(\.delivery.id)
    if let code = ids.lazy.compactMap({ id in CodeCatalog.all.first { $0.code == id } }).first {
      output.note(ExplanationHint.line(code))
    }
  }

  private func show(_ cause: ReceiverCause) throws(CommandError) {
    if isJSON { return try output.result(JSONWriter.text(cause)) }
    let isMust = cause.level == .must
    try output.line("\(isMust ? "wrong" : "advice", isMust ? .failure : .finding): \(cause.text)")
    let ids = cause.findings.map(\.delivery.id).joined(separator: ", ")
    try output.line("  \(cause.findings.count == 1 ? "delivery" : "deliveries"): \(ids)")
    let right = cause.example.right.rawValue
    try output.line("  answered \(cause.answer.oneLine), \(cause.level.rawValue) be \(right): \(cause.example.why)")
  }

  /// Prints the receiver's own counts, which no answer shows.
  ///
  /// - Parameters:
  ///   - comparison: the comparison of the counts; nil if they are not given.
  ///   - name: the source of the counts.
  func show(
    _ counts: ReceiverCounts, _ comparison: ReceiverComparison?, of name: String
  ) throws(CommandError) {
    if isJSON {
      try output.result(Self.expectedFields.text(counts))
      guard let comparison else { return }
      for difference in comparison.differences { try output.result(JSONWriter.text(difference)) }
      return try output.result(Self.comparisonFields.text((name, comparison)))
    }
    for (sentence, ids) in openPoints { try output.line("open: \(ids.joined(separator: ", ")): \(sentence)") }
    guard let comparison else {
      let text = counts.summary.map { "now compare: \($0)" }
      let none = "no counts to compare: unsigned postbacks count nowhere, and --sign signs them"
      return try output.line(StyledText(text ?? none))
    }
    for difference in comparison.differences.prefix(Self.mostDifferences) {
      let hint = difference.hint.map { ": \($0)" } ?? ""
      try output.line(
        "\("wrong", .failure): \(difference.path.oneLine) is \(difference.actualText), must be \(difference.expectedText)\(hint)"
      )
    }
    let rest = comparison.differences.count - Self.mostDifferences
    if rest > 0 { try output.line("and \(rest) more") }
    let sent = counts.summary ?? "nothing that counts, since it is unsigned"
    try output.line(
      "counts of \(name): \(comparison.agreed) agree, \(comparison.differences.count) differ; sent: \(sent)")
  }

  /// The points that Apple leaves open, with the deliveries that concern them.
  private var openPoints: [(sentence: String, ids: [String])] {
    var points: [(sentence: String, ids: [String])] = []
    for finding in findings where finding.isEvaluated {
      guard let open = finding.delivery.open?.rawValue else { continue }
      if let index = points.firstIndex(where: { $0.sentence == open }) {
        points[index].ids.append(finding.delivery.id)
      } else {
        points.append((open, [finding.delivery.id]))
      }
    }
    return points
  }

  private static let countFields = JSONFields<[ReceiverFinding]> {
    JSONField("deliveries") { $0.count }
    ReceiverFinding.names.map { name in
      JSONField<[ReceiverFinding]>(name.replacing("-", with: "_")) { findings in findings.count { $0.name == name } }
    }
  }

  private static let expectedFields = JSONFields<ReceiverCounts> { JSONField("expected") { $0 } }

  private static let comparisonFields = JSONFields<(name: String, comparison: ReceiverComparison)> {
    JSONField("compared") { $0.name }
    JSONField("agreed") { $0.comparison.agreed }
    JSONField("differing") { $0.comparison.differences.count }
  }

  /// One object for each delivery, one for each cause of wrong answers, one for the expected counts, one for each count
  /// that differs, and one for the comparison.
  static var form: JSONForm {
    .anyOf([
      ReceiverFinding.jsonForm, ReceiverCause.jsonForm, countFields.form, expectedFields.form,
      ReceiverComparison.Difference.jsonForm, comparisonFields.form,
    ])
  }

  /// Prints the reason why the test cannot be started or finished.
  func fail(_ problem: ActualCounts.Problem) -> ExitCode {
    output.error(problem.lines)
    return problem.code
  }

  /// Prints that the receiver cannot be reached.
  func unreachable(_ receiver: TestedReceiver) -> ExitCode {
    output.error([.remark(receiver.failure ?? "no connection")])
    return .unavailable
  }
}

extension ReceiverFinding {
  fileprivate var role: TextRole? {
    switch name {
    case "ok": .success
    case "wrong": .failure
    case "advice": .finding
    default: nil
    }
  }
}
