import SKANServe
import SKANBase

extension ServeCommand {
  static let quiet = OptionRow.quiet.described("print no line for each request")
  static let verbose = OptionRow.verbose.described("the line of a request has its query, too, without the SDK key")
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
    "answers", "FILE", .file, "answers that come first, one a line as in lists; then the model again")
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
  /// Those of a variable of the environment, which holds several with commas between.
  fileprivate var parts: [GivenText] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
      GivenText(text: String($0), name: name, invocation: invocation, project: project)
    }
  }
}

extension UInt8 {
  /// An ASCII letter or digit, or one of `-._:[]`.
  fileprivate var isOfHost: Bool { isASCIILetterOrDigit || "-._:[]".utf8.contains(self) }
}

extension ServeCommand {
  /// Which lines are printed for requests.
  enum Log: Sendable { case off, plain, withQuery }

  struct Options: CommandOptions {
    let port: UInt16
    let host: String
    let model: ModelOptions
    let latency: Double
    /// The file of answers that come first.
    let answers: String?
    let journal: String?
    let checks: Bool
    let count: Int64?
    let origins: [String]
    let hosts: [String]
    let log: Log
    let postbacks: PostbackInbox.Options

    init(_ reader: OptionReader) throws(CommandError) {
      let hasCommand = !reader.invocation.command.isEmpty
      let port = try reader[ServeCommand.port]
      // The command finds the address in its environment, so that any free port will do.
      self.port = hasCommand && !reader.has(ServeCommand.port) ? 0 : port
      host = try reader[ServeCommand.host]
      model = try ModelOptions(reader, model: ServeCommand.model)
      latency = try reader[ServeCommand.latency]
      answers = try reader[ServeCommand.answers]
      journal = try reader[ServeCommand.journal]
      checks = try reader[check]
      count = try reader[once]
      if count != nil, hasCommand {
        throw reader.refused(once, "and a command exclude each other: both say when to stop")
      }
      origins = try reader[allowOrigin]
      hosts = try reader[allowHost]
      log = try reader.choice((quiet, .off), (verbose, .withQuery)) ?? .plain
      postbacks = try PostbackInbox.Options(reader)
    }
  }
}

extension Invocation {
  /// The lines that `serve` prints for requests; nil for none.
  func requestLog(_ kind: ServeCommand.Log) -> RequestLog? {
    if kind == .off { return nil }
    let stream: TextStream = command.isEmpty ? .results : .messages
    let style = environment.styles[stream]
    let write = environment.watchLines(stream, !style.isPlain)
    let key = environment.sdkKey
    let redactor = Redactor(key: key)
    return RequestLog(showsQuery: kind == .withQuery, marksParts: style.isColored, now: environment.now) {
      if !style.isPlain { return write(RequestLines.styled($0, $1, redactor, style)) }
      write(key == nil ? $0 : Array(redactor.redacted(String(decoding: $0, as: UTF8.self)).utf8))
    }
  }
}
