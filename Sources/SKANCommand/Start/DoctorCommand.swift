import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem

/// `skan doctor`: checks whether this machine and an app's Info.plist are ready for a test.
enum DoctorCommand {
  // Variables and the project file are checked, but do not set these options: the network is used only if the command
  // line asks for it.
  static let endpoint = Option<Endpoint?>(
    "endpoint", "URL", .endpoint,
    "ask this endpoint whether it answers a JSON object, and look for its exception in the Info.plist (the only use of the network)"
  )
  static let plist = Option<String?>(
    "plist", "Info.plist", .namedFile, "check an app's Info.plist, XML or binary")
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
    /// The property list of `--plist`, or of the argument.
    let plist: String?
    let state: String
    let maxTime: Double
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      endpoint = try reader[DoctorCommand.endpoint]
      let option = try reader[DoctorCommand.plist]
      let invocation = reader.invocation
      var argument: String?
      if !invocation.positional.isEmpty {
        argument = try ValueParser.namedFile.parse(invocation.argument(0, named: "PLIST"))
      }
      if option != nil, argument != nil {
        throw reader.refused(DoctorCommand.plist, "and an argument both name the property list")
      }
      plist = option ?? argument
      state = try reader[DoctorCommand.state]
      maxTime = try reader[DoctorCommand.maxTime]
      isJSON = try reader[json]
    }
  }

  static let spec = CommandSpec(
    "doctor", "Check this machine and an app's Info.plist; exit 1 on a problem",
    arguments: ["PLIST"], isLastOptional: true,
    examples: [
      "skan doctor", "skan doctor MyApp/Info.plist", "skan doctor --endpoint http://localhost:8080",
      "skan doctor --plist MyApp/Info.plist --endpoint http://my-mac.local:8787",
    ], readsSettings: false
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let endpoint = options.endpoint
    var findings = try DoctorChecks(environment).machine(state: options.state)
    if let path = options.plist {
      let bytes = try environment.readRequired(path, as: [.plist], hint: "it should be an app's Info.plist")
      findings += PlistChecks.findings(bytes, host: endpoint.flatMap { TestedHost($0) })
    }
    if let endpoint {
      findings.append(DoctorChecks(environment).reach(endpoint, seconds: options.maxTime))
    }
    let isWell = !findings.contains { $0.status == .wrong }
    if options.isJSON {
      try environment.write("\(fields.text((isWell, findings)))\n")
    } else {
      let lines = TextTable.styled(findings.map(\.cells), firsts: findings.map(\.status.role))
      try environment.print(lines)
    }
    return isWell ? .ok : .expectationFailed
  }
}

/// The checks of this machine.
struct DoctorChecks {
  private let environment: Environment

  init(_ environment: Environment) { self.environment = environment }

  /// The checks that need no network.
  func machine(state: String) throws(CommandError) -> [DoctorFinding] {
    [writable(state), device(state)] + project + variables + [sdkKey, openssl, clock]
  }

  private func writable(_ path: String) -> DoctorFinding {
    do throws(CommandError) {
      try environment.files.requireReplaceable(path)
      return .ok("writing", "\(path) can be written")
    } catch {
      return .wrong("writing", reason(error))
    }
  }

  private func device(_ path: String) -> DoctorFinding {
    do throws(CommandError) {
      guard let bytes = try environment.files.read(path) else {
        return .note("device file", "\(path) is not there yet; 'skan register' makes it")
      }
      let profile = try DeviceFile(bytes, path: path).phone.device.profile
      return .ok("device file", "\(path) is a phone: \(profile.snippet.rawValue) on iOS \(profile.ios.text)")
    } catch {
      return .wrong("device file", reason(error))
    }
  }

  private var project: [DoctorFinding] {
    let check = "project file"
    do throws(CommandError) {
      guard let project = try environment.project(of: .skan) else { return [.note(check, "is absent")] }
      let findings = project.singles.compactMap { single in
        finding(
          check, single.value.place, SettingVerdict(option: single.option, single.project, environment, of: .skan))
      }
      return findings.isEmpty ? [.ok(check, "\(project.path) is well formed")] : findings
    } catch {
      return [.wrong(check, reason(error))]
    }
  }

  private var variables: [DoctorFinding] {
    let check = "variables"
    do throws(CommandError) { try VariableNames.check(environment, of: .skan) } catch {
      return [.wrong(check, reason(error))]
    }
    let set = environment.variables(VariableNames.prefix).filter { !$0.value.isEmpty }.sorted { $0.name < $1.name }
    if set.isEmpty { return [.ok(check, "no SKAN_… variable is set")] }
    let findings = set.compactMap {
      finding(check, $0.name, SettingVerdict(variable: $0.name, $0.value, environment, of: .skan))
    }
    return findings + [.note(check, "set: \(set.map(\.name).joined(separator: ", "))")]
  }

  /// The finding about a value; nil if it is valid.
  private func finding(_ check: String, _ place: String, _ verdict: SettingVerdict) -> DoctorFinding? {
    if let problem = verdict.problem { return .wrong(check, reason(problem)) }
    if verdict.isOpen {
      return .note(
        check,
        "\(place): not evaluated, because @- is standard input, which can be read only once")
    }
    return nil
  }

  /// Whether there is an SDK key. The key itself is never shown.
  private var sdkKey: DoctorFinding {
    guard let text = environment.variable(VariableNames.sdkKey), !text.isEmpty else {
      return .note("SDK key", "\(VariableNames.sdkKey) is not set; only production needs it")
    }
    guard let key = environment.sdkKey else { return .wrong("SDK key", "\(VariableNames.sdkKey) holds only blanks") }
    return key == text
      ? .ok("SDK key", "\(VariableNames.sdkKey) is set")
      : .note("SDK key", "\(VariableNames.sdkKey) has blanks or lines around the key, which are ignored")
  }

  private var openssl: DoctorFinding {
    do throws(SigningError) {
      // A well-formed signature of no message.
      _ = try environment.signatures.verify([], signature: "MAYCAQECAQE=", by: .apple)
      return .ok("signatures", "can be made and checked")
    } catch {
      return .wrong("signatures", error.message)
    }
  }

  private var clock: DoctorFinding {
    let now = environment.now()
    // The program did not exist before, and a clock that is a lifetime ahead was set by mistake.
    guard let first = Instant(iso8601: "2026-01-01T00:00:00Z"), let last = Instant(iso8601: "2100-01-01T00:00:00Z"),
      now >= first, now < last
    else {
      return .wrong("clock", "this machine says that it is \(now.toSecond); without --at, a phone uses its time")
    }
    return .ok("clock", "it is \(now.toSecond)")
  }

  /// Checks whether an endpoint answers with a JSON object and without a server error. The request has no parameters,
  /// so a refusal is expected.
  func reach(_ endpoint: Endpoint, seconds: Double) -> DoctorFinding {
    let check = "endpoint"
    if case .embedded = endpoint { return .ok(check, "embedded answers in process") }
    let target = endpoint.target(for: .skan4)
    let request = HTTPRequest(method: "GET", target: target)
    switch environment.send(request, HTTPAnswerLimits(seconds: seconds)) {
    case .success(let exchange):
      let (status, body) = (exchange.response.status, exchange.response.body)
      let answer = "\(target.text) answers with status \(status)"
      if status >= 500 { return .wrong(check, "\(answer): the server fails; read its log") }
      // The test endpoint occasionally answers with an empty body, as it documents.
      if body.isEmpty, status < 300 { return .note(check, "\(answer) and without a body; a phone reads a JSON object") }
      guard case .object? = (try? JSONReader.read(body))?.value else {
        // Redacted before it is cut and escaped, since a partial key could not be recognized.
        let text = environment.redactor.redacted(String(decoding: body, as: UTF8.self))
        let beginning = body.isEmpty ? "nothing" : JSONWriter.quoted(String(text.prefix(60)))
        return .wrong(check, "\(answer) and \(beginning), where a phone reads a JSON object; is it the right address?")
      }
      return .ok(check, "\(answer) and a JSON object to a request that is not from a phone")
    case .failure(let failure): return .wrong(check, failure.message(url: target.text))
    }
  }

  /// The first line of an error's message, without the program's name.
  private func reason(_ error: CommandError) -> String {
    error.statement?.split(separator: "\n").first.map(String.init) ?? "it failed"
  }
}

extension Instant {
  /// The instant without its fraction of a second.
  fileprivate var toSecond: Instant { Instant(microseconds: wholeSeconds * 1_000_000) }
}

/// A finding of `skan doctor`.
struct DoctorFinding: Sendable, Equatable, JSONObjectWritable {
  enum Status: String, CaseIterable, JSONWritable {
    case ok
    /// Worth knowing, but not wrong.
    case note
    case wrong

    var role: TextRole {
      switch self {
      case .ok: .success
      case .note: .dim
      case .wrong: .failure
      }
    }
  }

  /// The source of a rule.
  enum Evidence: String, CaseIterable, JSONWritable {
    /// Apple's documentation.
    case apple
    /// Concluded from Apple's documentation.
    case inferred
    /// The program itself.
    case ours
  }

  let check: String
  let status: Status
  let message: String
  var evidence = Evidence.ours

  static func ok(_ check: String, _ message: String, _ evidence: Evidence = .ours) -> DoctorFinding {
    DoctorFinding(check: check, status: .ok, message: message, evidence: evidence)
  }

  static func note(_ check: String, _ message: String, _ evidence: Evidence = .ours) -> DoctorFinding {
    DoctorFinding(check: check, status: .note, message: message, evidence: evidence)
  }

  static func wrong(_ check: String, _ message: String, _ evidence: Evidence = .ours) -> DoctorFinding {
    DoctorFinding(check: check, status: .wrong, message: message, evidence: evidence)
  }

  static let fields = JSONFields<DoctorFinding> {
    JSONField("check") { $0.check }
    JSONField("status") { $0.status }
    JSONField("message") { $0.message }
    JSONField("evidence") { $0.evidence }
  }

  /// The cells of a table's row.
  var cells: [String] {
    [status.rawValue, check, message.oneLine + (evidence == .inferred ? " (inferred)" : "")]
  }
}
