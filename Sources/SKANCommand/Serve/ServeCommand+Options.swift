import SKANServe
import SKANBase

extension ServeCommand {
  static let quiet = OptionRow.quiet.described("print no line for each request")
  static let verbose = OptionRow.verbose.described("the line of a request has its query, too, without the SDK key")
  static let port = Option<UInt16>(
    "port", "N", .port, default: "8787", "where to listen (default 8787; 0 picks a free port)")
  static let host = Option<String>(
    "host", "ADDRESS", .text, default: "127.0.0.1", "on which address (default 127.0.0.1)")
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

extension Invocation {
  /// The lines that `serve` prints for requests; nil with `--quiet`.
  func requestLog() throws(CommandError) -> RequestLog? {
    let asked = preferred([ServeCommand.quiet, ServeCommand.verbose])
    if asked.count > 1 { throw usage("\(name(of: .quiet)) and \(name(of: .verbose)) exclude each other") }
    if asked == [.quiet] { return nil }
    let stream: TextStream = command.isEmpty ? .results : .messages
    let style = environment.styles[stream]
    let write = environment.watchLines(stream, !style.isPlain)
    let key = environment.sdkKey
    let redactor = Redactor(key: key)
    return RequestLog(showsQuery: asked == [.verbose], marksParts: style.isColored, now: environment.now) {
      if !style.isPlain { return write(RequestLines.styled($0, $1, redactor, style)) }
      write(key == nil ? $0 : Array(redactor.redacted(String(decoding: $0, as: UTF8.self)).utf8))
    }
  }
}
