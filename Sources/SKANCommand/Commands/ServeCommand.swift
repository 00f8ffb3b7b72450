import SKANDevice
import SKANHTTP
import SKANJSON
import SKANRun
import SKANServe
import SKANText

/// `skan serve`: the reference endpoint for real phones and for everything else that speaks HTTP.
enum ServeCommand {
  private static let port = Option<UInt16>(
    "port", "N", .port, default: "8787", "where to listen (default 8787; 0 picks a free port)")
  private static let host = Option<String>(
    "host", "ADDRESS", .text, default: "127.0.0.1", "on which address (default 127.0.0.1)")
  private static let model = OptionRow.model.described(
    "let this conversion model answer; with --postbacks it decodes them, too, also as APP_ID=FILE or "
      + "[APP=]from=DATE:FILE")
  /// In seconds.
  private static let latency = Option<Double>(
    "latency", "DURATION", .seconds, default: "0s", "how long each answer takes (200ms)")
  private static let answers = Option<String?>(
    "answers", "FILE", .file, "answers that come first, one a line as in lists; then the model again")
  private static let journal = Option<String?>(
    "journal", "FILE", .file, "append every request and answer as a line of JSON")
  private static let check = Option<Bool>(
    flag: "check", "check the traffic as 'skan check' does, live; exit 1 when there was an error")
  private static let once = Option<Int64?>(
    "once", "N", .integer(in: 1 ... .max, "1 or more"), "stop after this number of requests")
  private static let allowOrigin = Option<[String]>(
    "allow-origin", "ORIGIN", .url, folding: [],
    "let pages of this site ask, as in https://tools.example (repeatable)"
  ) { (origins, given) throws(CommandError) in
    for origin in given.parts {
      guard origin.text == "null" || SiteGuard.isOrigin(origin.text) else {
        throw origin.mustBe("a site without a path, such as https://tools.example")
      }
      origins.append(origin.text)
    }
  }
  private static let allowHost = Option<[String]>(
    "allow-host", "NAME", .text, folding: [], "a name of this machine that it does not know itself (repeatable)"
  ) { (hosts, given) throws(CommandError) in
    for host in given.parts {
      guard !host.text.isEmpty, host.text.utf8.allSatisfy(\.isOfHost) else {
        throw host.mustBe("the name of a host, such as skan.test")
      }
      hosts.append(host.text)
    }
  }

  static let spec = CommandSpec(
    "serve", "serve the reference endpoint over HTTP; SIGHUP lets it read its models again",
    options: [
      port, host, model, .eventAlias, .eventAliasesFile, .rates, latency, answers, journal, check, once,
      allowOrigin, allowHost,
    ] + PostbackInbox.options,
    examples: [
      "skan serve --model fixtures/models/mixed.json",
      "skan serve --model fixtures/models/mixed.json --check --journal requests.ndjson",
      "skan serve --port 0 --model com.example.app=fixtures/models/events.json --journal requests.jsonl",
      "skan serve --postbacks received.jsonl",
      "skan serve --postbacks received.jsonl --model fixtures/models/mixed.json --campaigns campaigns.csv",
    ]
  ) { (invocation) throws(CommandError) in
    let environment = invocation.environment
    let port = try invocation[port]
    let count = try invocation[once]
    let latency = try invocation[latency]
    let host = try invocation[host]
    let script = try invocation[answers].map { (path) throws(CommandError) in try read(path, invocation) } ?? []
    let endpoint = try invocation.referenceEndpoint()
    let report: @Sendable (String) -> Void = { environment.writeError("skan: \($0)\n") }
    let keep = try invocation[journal].map { (path) throws(CommandError) in
      try environment.files.append(path, report)
    }
    let live = invocation[check] ? LiveCheck(report: report) : nil
    let inbox = try PostbackInbox(invocation)
    defer { inbox?.close() }
    let service = ReferenceService(
      endpoint: endpoint, script: script, sites: try sites(host, invocation),
      postbacks: inbox?.keeper, now: environment.now,
      keep: keep ?? { _ in }, report: report,
      inspection: live.map { live in { live.inspect($0, $1, at: $2) } })
    let server = ReferenceServer(service, host: host, port: port, latency: latency, now: environment.now)
    let address: HTTPServerAddress
    do throws(HTTPBindFailure) { address = try server.bind() } catch { throw failure(error, invocation) }
    try inbox?.start()
    do throws(HTTPBindFailure) {
      if !address.isLoopback {
        environment.writeError(
          "skan: \(address.authority) can be reached by other machines, and asks no client for a name\n")
      }
      if !endpoint.hasModel {
        environment.writeError("skan: no --model is given: only /testing/api/v1/conversion_value has values\n")
      }
      let wasHungUp = environment.catchHangups()
      try announce(address, environment)
      try server.run(stopAfter: count.map { Int($0) }) {
        if wasHungUp() { readAgain(invocation, for: service, inbox) }
        return environment.isInterrupted()
      }
    } catch {
      throw failure(error, invocation)
    }
    return live?.end() ?? .ok
  }

  private static func failure(_ error: HTTPBindFailure, _ invocation: Invocation) -> CommandError {
    switch error {
    case .unknownHost, .foreignHost: invocation.usage(error.message)
    case .addressInUse, .noPermission, .system: .cannotListen(error.message)
    }
  }

  /// Who may ask, beside clients that are no browsers.
  private static func sites(_ host: String, _ invocation: Invocation) throws(CommandError) -> SiteGuard {
    let hosts = try invocation[allowHost]
    let origins = try invocation[allowOrigin]
    return SiteGuard(hosts: MachineName.all + [host] + hosts, origins: origins)
  }

  /// Reads the models and rates again; when one of them is broken, those before stay.
  private static func readAgain(_ invocation: Invocation, for service: ReferenceService, _ inbox: PostbackInbox?) {
    do throws(CommandError) {
      let endpoint = try invocation.referenceEndpoint()
      try inbox?.readAgain(invocation)
      service.use(endpoint)
      invocation.environment.writeError("skan: the models are read again\n")
    } catch {
      invocation.environment.writeError("\(error.message ?? "")\nskan: the models from before go on answering\n")
    }
  }

  private static func announce(_ address: HTTPServerAddress, _ environment: Environment) throws(HTTPBindFailure) {
    // That the reader of this text has gone is not a reason to stop serving.
    try? environment.write("listening on http://\(address.authority)\n")
  }

  /// One answer a line, as in event lists; blank lines and comments are skipped.
  private static func read(_ path: String, _ invocation: Invocation) throws(CommandError) -> [EndpointAnswer] {
    let bytes = try invocation.environment.readRequired(path, hint: "it should hold answers, one a line")
    var answers: [EndpointAnswer] = []
    var notes: [SourceNote] = []
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

extension GivenText {
  /// Those of a variable of the environment, which holds several with commas between.
  fileprivate var parts: [GivenText] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
      GivenText(text: String($0), name: name, invocation: invocation)
    }
  }
}

extension UInt8 {
  /// An ASCII letter or digit, or one of `-._:[]`.
  fileprivate var isOfHost: Bool { isASCIILetterOrDigit || "-._:[]".utf8.contains(self) }
}
