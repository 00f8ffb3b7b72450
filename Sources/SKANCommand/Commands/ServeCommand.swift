import SKANDevice
import SKANHTTP
import SKANJSON
import SKANRun
import SKANServe
import SKANText

/// `skan serve`: the reference endpoint for real phones and for everything else that speaks HTTP.
enum ServeCommand {
  private static let port = Option("port", value: "N", "where to listen (default 8787; 0 picks a free port)")
  private static let host = Option("host", value: "ADDRESS", "on which address (default 127.0.0.1)")
  private static let latency = Option("latency", value: "DURATION", "how long each answer takes (200ms)")
  private static let answers = Option(
    "answers", value: "FILE", "answers that come first, one a line as in lists; then the model again")
  private static let journal = Option("journal", value: "FILE", "append every request and answer as a line of JSON")
  private static let once = Option("once", value: "N", "stop after so many requests")
  private static let allowOrigin = Option(
    "allow-origin", value: "ORIGIN", "let pages of this site ask, as in https://tools.example (repeatable)",
    isRepeatable: true)
  private static let allowHost = Option(
    "allow-host", value: "NAME", "a name of this machine that it does not know itself (repeatable)", isRepeatable: true)

  static let spec = CommandSpec(
    "serve", "serve the reference endpoint over HTTP; SIGHUP lets it read its models again",
    options: [
      port, host, .model, .eventAlias, .eventAliasesFile, .rates, latency, answers, journal, once, allowOrigin,
      allowHost,
    ],
    examples: [
      "skan serve --model fixtures/models/mixed.json",
      "skan serve --port 0 --model com.example.app=fixtures/models/events.json --journal requests.jsonl",
    ]
  ) { (invocation) throws(CommandError) in
    let environment = invocation.environment
    let arguments = invocation.arguments
    let port = try invocation.integer(port) ?? 8787
    guard let number = UInt16(exactly: port) else {
      throw invocation.usage("--port must be from 0 to 65535, it is \(port)")
    }
    let count = try invocation.integer(once)
    if let count, count < 1 { throw invocation.usage("--once must be 1 or more, it is \(count)") }
    let delay = try invocation.duration(latency) ?? .zero
    let host = arguments.value(host) ?? "127.0.0.1"
    let script = try arguments.value(answers).map { (path) throws(CommandError) in try read(path, invocation) } ?? []
    let endpoint = try invocation.referenceEndpoint()
    let tell: @Sendable (String) -> Void = { environment.writeError("skan: \($0)\n") }
    let keep = try arguments.value(journal).map { (path) throws(CommandError) in
      try environment.files.append(path, tell)
    }
    let service = ReferenceService(
      endpoint: endpoint, script: script, sites: try sites(host, invocation), now: environment.now,
      keep: keep ?? { _ in }, tell: tell)
    let server = ReferenceServer(service, host: host, port: number, latency: delay.seconds, now: environment.now)
    do throws(HTTPBindFailure) {
      let address = try server.bind()
      if !address.isLoopback {
        environment.writeError(
          "skan: \(address.authority) can be reached by other machines, and asks nobody for a name\n")
      }
      if !endpoint.hasModel {
        environment.writeError("skan: no --model is given: only /testing/api/v1/conversion_value has values\n")
      }
      let wasHungUp = environment.takeHangups()
      try announce(address, environment)
      try server.run(stopAfter: count.map { Int($0) }) {
        if wasHungUp() { readAgain(invocation, for: service) }
        return environment.isInterrupted()
      }
    } catch {
      switch error {
      case .unknownHost, .foreignHost: throw invocation.usage(error.words)
      case .addressInUse, .noPermission, .system: throw .cannotListen(error.words)
      }
    }
    return .ok
  }

  /// Who may ask, beside clients that are no browsers.
  private static func sites(_ host: String, _ invocation: Invocation) throws(CommandError) -> SiteGuard {
    let hosts = list(allowHost, invocation)
    let origins = list(allowOrigin, invocation)
    for name in hosts
    where name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }) {
      throw invocation.bad(allowHost, name, "the name of a host, such as skan.test")
    }
    for origin in origins where origin != "null" && !SiteGuard.isOrigin(origin) {
      throw invocation.bad(allowOrigin, origin, "a site without a path, such as https://tools.example")
    }
    return SiteGuard(hosts: MachineName.all + [host] + hosts, origins: origins)
  }

  /// A variable of the environment holds several with commas between.
  private static func list(_ option: Option, _ invocation: Invocation) -> [String] {
    invocation.arguments.all(option).flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Reads the models and rates again; when one of them is broken, those before stay.
  private static func readAgain(_ invocation: Invocation, for service: ReferenceService) {
    do throws(CommandError) {
      service.use(try invocation.referenceEndpoint())
      invocation.environment.writeError("skan: the models are read again\n")
    } catch {
      invocation.environment.writeError("\(error.message ?? "")\nskan: the models from before go on answering\n")
    }
  }

  private static func announce(_ address: HTTPServerAddress, _ environment: Environment) throws(HTTPBindFailure) {
    // Whoever started the server and no longer listens is no reason not to serve.
    try? environment.write("listening on http://\(address.authority)\n")
  }

  /// One answer a line, as in event lists; blank lines and comments are skipped.
  private static func read(_ path: String, _ invocation: Invocation) throws(CommandError) -> [EndpointAnswer] {
    let bytes = try invocation.environment.readRequired(path, hint: "it should hold answers, one a line")
    var answers: [EndpointAnswer] = []
    var notes: [CommandError.SourceNote] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !EventListReader.isSkipped(line) {
      do throws(SourceProblems) {
        answers.append(try AnswerForm.read(Array(line)))
      } catch {
        notes += error.problems.map {
          ListProblem(file: path, line: index + 1, problem: $0, text: Array(line)).note
        }
      }
    }
    guard notes.isEmpty else { throw .content(file: path, notes) }
    return answers
  }
}
