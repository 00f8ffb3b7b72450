import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANModel
import SKANRun
import SKANServe
import SKANSystem
import SKANTraffic

/// `skan serve`: serves the reference endpoint to real phones and to everything else that speaks HTTP.
enum ServeCommand {
  static let spec = CommandSpec(
    "serve", "Serve the reference endpoint over HTTP, or run a command against it",
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
    // Requests of phones contain the key.
    environment.protectMemory()
    let host = options.host
    let script = try options.answers.map { (path) throws(CommandError) in try readAnswers(path, invocation) } ?? []
    let endpoint = try endpoint(options, invocation)
    let report: @Sendable (String) -> Void = { environment.printError([.remark($0)]) }
    let keep = try options.journal.map { (path) throws(CommandError) in
      try environment.requireJournal(path)
      return try environment.files.append(path, report)
    }
    let log = invocation.requestLog(options.log)
    let live =
      options.checks ? LiveCheck(TrafficContext(client: options.client, endpoint: endpoint), report: report) : nil
    let inbox = try PostbackReceiver(options.postbacks, models: options.model.models, invocation)
    defer { inbox?.close() }
    let service = ReferenceService(
      endpoint: endpoint, script: script,
      sites: SiteGuard(hosts: System.machineNames + [host] + options.hosts, origins: options.origins),
      postbacks: inbox?.keeper, now: environment.now,
      redactor: environment.redactor,
      keep: keep, report: report, log: log,
      inspection: live.map { live in { live.inspect($0, query: $1, $2, at: $3) } },
      hasPage: options.hasPage, client: options.client, latency: options.latency)
    let server = HTTPServer(host: host, port: options.port) { service.reply(to: $0, from: $1) }
    server.nextOfStream = { service.part(ofStream: $0) }
    server.streamEnded = { service.closeStream($0) }
    server.beforeSending = { service.flush() }
    server.onFailure = { failure, peer in service.record(failure, from: peer) }
    server.unixTime = { Int(environment.now().wholeSeconds) }
    let address: SocketAddress
    do throws(BindFailure) { address = try server.bind() } catch { throw failure(error, invocation) }
    try inbox?.start()
    if !address.isLoopback {
      environment.printError(
        [.remark("\(address.authority) can be reached by other machines, and does not authenticate clients")])
    }
    if !endpoint.hasModel {
      environment.printError([.remark("no --model is given: only /testing/api/v1/conversion_value has values")])
    }
    let wasHungUp = environment.catchHangups()
    announce(address, options, invocation)
    if options.opensPage { openPage(at: address, environment) }
    let program = try start(invocation.command, at: address, environment)
    var status: Int32?
    do throws(BindFailure) {
      try server.run(stopAfter: options.count.map { Int($0) }) {
        if wasHungUp() { readAgain(options, invocation, for: service, inbox, live) }
        guard let program else { return environment.isInterrupted() }
        status = program.status()
        return status != nil
      }
    } catch {
      throw failure(error, invocation)
    }
    let end = live?.end() ?? true ? ExitCode.ok : .expectationFailed
    if let status, status != 0 { throw .commandEnded(status: status) }
    return end
  }

  /// Starts the user's command, which gets the server's address in its environment; nil if there is none.
  private static func start(
    _ command: [String], at address: SocketAddress, _ environment: Environment
  ) throws(CommandError) -> StartedProgram? {
    if command.isEmpty { return nil }
    let variables = [(OptionRow.endpoint.variable, "http://\(address.localAuthority)")]
    return try environment.startProgram(command, variables, true)
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

  /// Reads the models and rates again. If one of them is invalid, the earlier ones stay in use.
  private static func readAgain(
    _ options: Options, _ invocation: Invocation, for service: ReferenceService, _ inbox: PostbackReceiver?,
    _ live: LiveCheck?
  ) {
    do throws(CommandError) {
      let endpoint = try endpoint(options, invocation)
      try inbox?.readAgain(invocation)
      service.use(endpoint)
      live?.use(endpoint)
      invocation.environment.printError([.remark("the models are read again")])
    } catch {
      invocation.environment.printError(error.lines(.bold) + [.remark("the models from before go on answering")])
    }
  }

  /// Prints the server's address. With a command it goes to stderr, since standard output belongs to the command.
  /// On a terminal, the line names the live page, too.
  private static func announce(_ address: SocketAddress, _ options: Options, _ invocation: Invocation) {
    let stream: TextStream = invocation.command.isEmpty ? .results : .messages
    let isWatched = options.hasPage && invocation.environment.terminalColumns(stream) != nil
    let page = isWatched ? "; live page: http://\(address.localAuthority)/" : ""
    let line = "listening on http://\(address.authority)\(page)"
    if !invocation.command.isEmpty { return invocation.environment.printError([.remark(line)]) }
    // A reader that is gone is no reason to stop serving.
    try? invocation.environment.write("\(line)\n")
  }
}

extension ServeCommand {
  /// Opens the live page with the system's program for URLs.
  private static func openPage(at address: SocketAddress, _ environment: Environment) {
    let url = "http://\(address.localAuthority)/"
    do throws(CommandError) {
      _ = try environment.startProgram([System.opener, url], [], false)
    } catch {
      environment.printError([.remark("the page cannot be opened: \(error.statement ?? ""); it is at \(url)")])
    }
  }
}

extension ServeCommand {
  static let noPage = Option<Bool>(flag: "no-page", "serve no live page at /")
  static let open = Option<Bool>(flag: "open", "open the live page in the browser")
  static let quiet = OptionRow.quiet.described("print no line for each request")
  static let verbose = OptionRow.verbose.described("also show the query of each request, without the SDK key")
  static let port = Option<UInt16>(
    "port", "N", .port, default: "8787", "where to listen (default 8787; 0 picks a free port)")
  static let host = Option<String>(
    "host", "ADDRESS", .text, default: "127.0.0.1", "on which address")
  static let model = OptionRow.model.described(
    "let this conversion model answer; with --postbacks it decodes them, too, also as APP_ID=FILE or "
      + "[APP=]from=DATE:FILE")
  /// In seconds.
  static let latency = Option<Double>(
    "latency", "DURATION", .seconds, default: "0s", "how long each answer takes (200ms)")
  static let answers = Option<String?>(
    "answers", "FILE", .file, "answers to give first, one per line as in lists; then the model answers")
  static let journal = Option<String?>(
    "journal", "FILE", .addedFile, "append every request and answer as a line of JSON")
  static let check = Option<Bool>(
    flag: "check", "check the traffic as 'skan check' does, live; exit 1 when there was an error")
  static let once = Option<Int64?>(
    "once", "N", .integer(in: 1 ... .max, "1 or more"), "stop after this number of requests")
  static let allowOrigin = Option<[String]>(
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
  static let allowHost = Option<[String]>(
    "allow-host", "NAME", .text, folding: [], "a name of this machine that it does not know itself (repeatable)"
  ) { (hosts, given) throws(CommandError) in
    for host in given.parts {
      guard !host.text.isEmpty, host.text.utf8.allSatisfy(\.isOfHost) else {
        throw host.mustBe("the name of a host, such as skan.test")
      }
      hosts.append(host.text)
    }
  }
}

extension GivenText {
  /// The comma-separated texts of the value.
  fileprivate var parts: [GivenText] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
      GivenText(text: String($0), name: name, invocation: invocation, project: project)
    }
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit, or one of `-._:[]`.
  fileprivate var isOfHost: Bool { isASCIILetterOrDigit || "-._:[]".utf8.contains(self) }
}

extension ServeCommand {
  /// The lines to print for requests.
  enum Log: Sendable { case off, plain, withQuery }

  struct Options: CommandOptions {
    let port: UInt16
    let host: String
    let model: ModelOptions
    let latency: Double
    /// The file of the answers to give first.
    let answers: String?
    let journal: String?
    let checks: Bool
    let client: ConversionClient?
    let count: Int64?
    let origins: [String]
    let hosts: [String]
    let log: Log
    let postbacks: PostbackReceiver.Options
    /// Whether there is the live page.
    let hasPage: Bool
    let opensPage: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      let hasCommand = !reader.invocation.command.isEmpty
      reader.declare(ServeCommand.journal, quiet, verbose, noPage, open, under: .output)
      let port = try reader[ServeCommand.port]
      // The command finds the address in its environment, so any free port will do.
      self.port = hasCommand && !reader.has(ServeCommand.port) ? 0 : port
      host = try reader[ServeCommand.host]
      (model, latency, answers) = try reader.under(.answer) { () throws(CommandError) in
        (
          try ModelOptions(reader, model: ServeCommand.model), try reader[ServeCommand.latency],
          try reader[ServeCommand.answers]
        )
      }
      journal = try reader[ServeCommand.journal]
      checks = try reader[check]
      client = try reader[CheckCommand.client]
      count = try reader[once]
      if count != nil, hasCommand {
        throw reader.refused(once, "and a command exclude each other: both say when to stop")
      }
      origins = try reader[allowOrigin]
      hosts = try reader[allowHost]
      log = try reader.choice((quiet, .off), (verbose, .withQuery)) ?? .plain
      postbacks = try reader[PostbackReceiver.Options.self]
      let page = try reader.oneOf([noPage, open])
      hasPage = page != noPage
      opensPage = page == open
    }
  }
}

extension Invocation {
  /// The log of requests that `serve` prints; nil for none.
  func requestLog(_ kind: ServeCommand.Log) -> RequestLog? {
    if kind == .off { return nil }
    let stream: TextStream = command.isEmpty ? .results : .messages
    let style = environment.styles[stream]
    let write = environment.watch(stream, isStyled: !style.isPlain)
    let redactor = environment.redactor
    return RequestLog(showsQuery: kind == .withQuery, marksParts: style.isColored, now: environment.now) {
      // Redacted before colors and line ends divide a key.
      write(style.isPlain ? $0 : RequestLines.styled($0, $1, redactor, style))
    }
  }
}

extension ServeCommand {
  /// Reads a file with one answer per line, as in event lists. Blank lines and comments are skipped.
  static func readAnswers(_ path: String, _ invocation: Invocation) throws(CommandError) -> [EndpointAnswer] {
    let bytes = try invocation.environment.readRequired(
      path, as: [.answers], hint: "it should hold answers, one per line")
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

extension Environment {
  /// Throws if the journal would be appended to a file of another kind. Called before the server starts.
  func requireJournal(_ path: String) throws(CommandError) {
    guard let head = files.head(of: path), !ContentKind.isJournal(beginning: head) else { return }
    let what = ContentKind(head)?.text(path.oneLine) ?? "this is no journal of 'skan serve'"
    throw .otherContent(
      file: path, "\(what); requests would be added to it: name another file for the journal")
  }
}

/// Styles the lines of requests for a terminal.
enum RequestLines {
  /// A line that is too long for the terminal continues behind the time.
  private static let indent = "00:00:00.000  ".count

  /// - Parameters:
  ///   - lines: whole lines, each with its line end.
  ///   - parts: the parts of the lines, in order.
  static func styled(
    _ lines: [UInt8], _ parts: [RequestLogPart], _ redactor: Redactor, _ style: TerminalStyle
  ) -> [UInt8] {
    var text = ""
    var parts = ArraySlice(parts)
    var start = 0
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      var styled = StyledText()
      start = line.startIndex
      while let part = parts.first, part.range.upperBound <= line.endIndex {
        styled.append(String(decoding: lines[start..<part.range.lowerBound], as: UTF8.self))
        styled.append(String(decoding: lines[part.range], as: UTF8.self), part.kind.role)
        start = part.range.upperBound
        parts.removeFirst()
      }
      styled.append(String(decoding: lines[start..<line.endIndex], as: UTF8.self))
      styled.indent = indent
      text += style.text(styled.mapText(redactor.redacted))
    }
    return Array(text.utf8)
  }
}

extension RequestLogPart.Kind {
  fileprivate var role: TextRole {
    switch self {
    case .time: .dim
    case .success: .success
    case .failure: .failure
    case .finding: .finding
    }
  }
}
