import SKANSystem
import SKANDevice
import SKANHTTP
import SKANModel
import SKANServe

/// `skan serve`: the reference endpoint for real phones and for everything else that speaks HTTP.
enum ServeCommand {
  static let spec = CommandSpec(
    .serve, "Serve the reference endpoint over HTTP, or run a command against it",
    commandExample: "npm test",
    examples: [
      "skan serve --model fixtures/models/mixed.json",
      "skan serve --model fixtures/models/mixed.json --check --journal requests.ndjson",
      "skan serve --port 0 --model com.example.app=fixtures/models/events.json --journal requests.jsonl",
      "skan serve --model fixtures/models/mixed.json -- skan session",
      "skan serve --postbacks received.jsonl",
      "skan serve --postbacks received.jsonl --model fixtures/models/mixed.json --campaigns campaigns.csv",
    ]
  ) { (options: Options, invocation) throws(CommandError) in try run(options, invocation) }

  private static func run(_ options: Options, _ invocation: Invocation) throws(CommandError) -> ExitCode {
    let environment = invocation.environment
    // Phones send the key.
    environment.protectMemory()
    let host = options.host
    let script = try options.answers.map { (path) throws(CommandError) in try readAnswers(path, invocation) } ?? []
    let endpoint = try endpoint(options, invocation)
    let report: @Sendable (String) -> Void = { environment.printError(.remark($0)) }
    let keep = try options.journal.map { (path) throws(CommandError) in
      try environment.requireJournal(path)
      return try environment.files.append(path, report)
    }
    let log = invocation.requestLog(options.log)
    let live = options.checks ? LiveCheck(report: report) : nil
    let inbox = try PostbackInbox(options.postbacks, models: options.model.models, invocation)
    defer { inbox?.close() }
    let service = ReferenceService(
      endpoint: endpoint, script: script,
      sites: SiteGuard(hosts: System.machineNames + [host] + options.hosts, origins: options.origins),
      postbacks: inbox?.keeper, now: environment.now,
      redact: environment.sdkKey.map { key in Redactor(key: key).redacted },
      keep: keep, report: report, log: log,
      inspection: live.map { live in { live.inspect($0, query: $1, $2, at: $3) } })
    let server = ReferenceServer(
      service, host: host, port: options.port, latency: options.latency, now: environment.now)
    let address: SocketAddress
    do throws(BindFailure) { address = try server.bind() } catch { throw failure(error, invocation) }
    try inbox?.start()
    if !address.isLoopback {
      environment.printError(
        .remark("\(address.authority) can be reached by other machines, and asks no client for a name"))
    }
    if !endpoint.hasModel {
      environment.printError(.remark("no --model is given: only /testing/api/v1/conversion_value has values"))
    }
    let wasHungUp = environment.catchHangups()
    announce(address, invocation)
    let program = try start(invocation.command, at: address, environment)
    var status: Int32?
    do throws(BindFailure) {
      try server.run(stopAfter: options.count.map { Int($0) }) {
        if wasHungUp() { readAgain(options, invocation, for: service, inbox) }
        guard let program else { return environment.isInterrupted() }
        status = program.status()
        return status != nil
      }
    } catch {
      throw failure(error, invocation)
    }
    let end = live?.end() ?? .ok
    if let status, status != 0 { throw .commandEnded(status: status) }
    return end
  }

  /// Starts the user's command, which finds the server in its environment; nil without one.
  private static func start(
    _ command: [String], at address: SocketAddress, _ environment: Environment
  ) throws(CommandError) -> StartedProgram? {
    if command.isEmpty { return nil }
    return try environment.startProgram(command, [(OptionRow.endpoint.variable, "http://\(address.localAuthority)")])
  }

  private static func failure(_ error: BindFailure, _ invocation: Invocation) -> CommandError {
    switch error {
    case .unknownHost, .foreignHost: invocation.usage(error.message)
    case .addressInUse, .noPermission, .system: .cannotListen(error.message)
    }
  }

  /// The endpoint that answers phones.
  private static func endpoint(
    _ options: Options, _ invocation: Invocation
  ) throws(CommandError) -> ReferenceEndpoint {
    try invocation.referenceEndpoint(options.model, decodes: options.postbacks.file != nil)
  }

  /// Reads the models and rates again; when one of them is broken, those before stay.
  private static func readAgain(
    _ options: Options, _ invocation: Invocation, for service: ReferenceService, _ inbox: PostbackInbox?
  ) {
    do throws(CommandError) {
      let endpoint = try endpoint(options, invocation)
      try inbox?.readAgain(invocation)
      service.use(endpoint)
      invocation.environment.printError(.remark("the models are read again"))
    } catch {
      invocation.environment.printError(error.lines(.bold) + [.remark("the models from before go on answering")])
    }
  }

  /// Says where the server is; what a command prints on standard output stays its own.
  private static func announce(_ address: SocketAddress, _ invocation: Invocation) {
    let line = "listening on http://\(address.authority)"
    if !invocation.command.isEmpty { return invocation.environment.printError(.remark(line)) }
    // That the reader of this text has gone is not a reason to stop serving.
    try? invocation.environment.write("\(line)\n")
  }
}
