import SKANBase
import SKANRun

/// `skan doctor`: whether this machine, and an app's Info.plist, are fit for a test.
enum DoctorCommand {
  // A variable or a project file is looked at, and does not ask for anything: the network is used only when the command
  // line says so.
  static let endpoint = Option<Endpoint?>(
    "endpoint", "URL", .endpoint,
    "ask this endpoint whether it answers a JSON object, and look for its exception in the Info.plist (the only use of the network)",
    hasVariable: false)
  static let plist = Option<String?>(
    "plist", "Info.plist", .namedFile, "check an app's Info.plist, XML or binary", hasVariable: false)
  private static let state = OptionRow.state.described("the device file", hasVariable: false)
  private static let maxTime = OptionRow.maxTime.described(
    "the longest that the endpoint may take", hasVariable: false)
  private static let json = OptionRow.json.described("print it as one JSON object on a line", hasVariable: false)

  static let fields = JSONFields<(ok: Bool, checks: [DoctorFinding])> {
    JSONField("ok") { $0.ok }
    JSONField("checks") { $0.checks }
  }

  struct Options: CommandOptions {
    let endpoint: Endpoint?
    let plist: String?
    let state: String
    let maxTime: Double
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      endpoint = try reader[DoctorCommand.endpoint]
      plist = try reader[DoctorCommand.plist]
      state = try reader[DoctorCommand.state]
      maxTime = try reader[DoctorCommand.maxTime]
      isJSON = try reader[json]
    }
  }

  static let spec = CommandSpec(
    .doctor, "Check this machine and an app's Info.plist; exit 1 on a problem",
    examples: [
      "skan doctor", "skan doctor --endpoint http://localhost:8080",
      "skan doctor --plist MyApp/Info.plist --endpoint http://my-mac.local:8787",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let endpoint = options.endpoint
    var findings = try DoctorChecks(environment).machine(state: options.state)
    if let path = options.plist {
      let bytes = try environment.readRequired(path, hint: "it should be an app's Info.plist")
      findings += PlistChecks.findings(bytes, host: endpoint.flatMap { TestedHost($0) })
    }
    if let endpoint {
      findings.append(DoctorChecks(environment).reach(endpoint, seconds: options.maxTime))
    }
    let isWell = !findings.contains { $0.status == .wrong }
    let redactor = Redactor(key: environment.sdkKey)
    if options.isJSON {
      try environment.write(redactor.redacted("\(fields.text((isWell, findings)))\n"))
    } else {
      let lines = TextTable.styled(findings.map(\.cells), firsts: findings.map(\.status.role))
      try environment.print(lines.map { $0.mapText(redactor.redacted) })
    }
    return isWell ? .ok : .expectationFailed
  }
}
