import SKANBase

/// The form of an access log's lines.
package enum LogForm: Sendable, Equatable {
  /// The format of Apache and nginx.
  case combined
  /// AWS Application Load Balancer.
  case loadBalancer
  /// A table: the W3C's extended log format of CloudFront and IIS, or CloudFront's real-time logs.
  case columns(LogColumns)
  /// An object of JSON on each line.
  case json(LogFields)
  /// The lines that a container printed, each in an object of JSON, as Docker's driver `json-file` keeps them.
  indirect case docker(LogForm)
}

extension LogForm {
  /// The most lines of a file that are examined.
  private static let mostLines = 100

  /// Recognizes a log by the first line that is a request, since other lines may precede it: of clients that do not
  /// speak HTTP, or of a program that starts.
  ///
  /// - Parameters:
  ///   - lines: the lines of the beginning of a file.
  ///   - fields: the names of the parts of requests that the user gives, if any.
  /// - Returns: nil for a text that is not a log.
  /// - Throws: the kind of a log that cannot be read.
  init?(_ lines: [ArraySlice<UInt8>], fields: LogFields?) throws(CaptureFormatProblem) {
    if let named = try LogColumns(headOf: lines, fields: fields) {
      self = .columns(named)
      return
    }
    let (slash, brace) = (UInt8(ascii: "/"), UInt8(ascii: "{"))
    // A line without a slash has neither a path nor a URL.
    let entries = lines.filter { $0.first != UInt8(ascii: "#") }.prefix(Self.mostLines)
      .filter { $0.first == brace || $0.contains(slash) }.map { LogEntry($0) }
    let contained = entries.compactMap { $0.contained.map { Array($0.utf8)[...] } }
    if !contained.isEmpty {
      guard let form = try LogForm(contained, fields: fields) else {
        throw CaptureFormatProblem(
          "this is Docker's file of what a container printed, and no line of it is a request in an access log",
          isLog: true)
      }
      self = .docker(form)
      return
    }
    var fallback: LogForm?
    for entry in entries {
      let found = try Self.form(of: entry, fields: fields)
      if let form = found.form, found.isCertain {
        self = form
        return
      }
      fallback = fallback ?? found.form
    }
    guard let fallback else { return nil }
    self = fallback
  }

  /// The form of a line, and whether it is the line of a request.
  private static func form(
    of entry: LogEntry, fields: LogFields?
  ) throws(CaptureFormatProblem) -> (form: LogForm?, isCertain: Bool) {
    if let node = entry.node {
      let all = fields.map { [$0] } ?? LogFields.known
      let fields = all.first { $0.missing { node.plainText(at: $0) != nil }.isEmpty }
      return (fields.map(LogForm.json), fields != nil)
    }
    if let problem = CaptureFormatProblem(classicLoadBalancer: entry.text) { throw problem }
    let tables = fields.map { [LogColumns(fields: $0)] } ?? [LogColumns.standard, .realTime]
    for form in [.combined, .loadBalancer] + tables.map(LogForm.columns) {
      switch form.line(entry.text) {
      case .request(let request)? where request.isPlausible: return (form, true)
      case .notHTTP?: return (form, false)
      case .request?, nil: break
      }
    }
    let fallback: LogForm? = CombinedLogLine.begins(entry.text) ? .combined : nil
    return (fallback, false)
  }

  /// Whether each line is an object of JSON.
  var isJSON: Bool {
    switch self {
    case .json, .docker: true
    case .combined, .loadBalancer, .columns: false
    }
  }

  /// A line of a format that is not JSON; nil for a line in another format.
  fileprivate func line(_ text: String) -> LoggedLine? {
    switch self {
    case .combined: CombinedLogLine(text)?.line
    case .loadBalancer: LoadBalancerLine(text)?.line
    case .columns(let columns): try? columns.line(text, zone: { _ in 0 })
    case .json, .docker: nil
    }
  }

  /// Whether the keys are those of a log in JSON.
  ///
  /// - Parameter names: the keys of its first object, and those of the objects in it after a dot.
  package static func isLog(_ names: [String]) -> Bool {
    // A key with keys in it is no text.
    let texts = Set(names).subtracting(
      names.compactMap { name in name.firstIndex(of: ".").map { String(name[..<$0]) } })
    return LogFields.known.contains { $0.missing(texts.contains).isEmpty }
      || texts.contains(LogEntry.contained) && !LogEntry.besides.isDisjoint(with: texts)
  }
}

/// A line of a log, in which a line of a container may be.
private struct LogEntry {
  /// The member of Docker's objects that is the line of a container.
  static let contained = "log"
  /// The members of which one stands beside it.
  static let besides: Set<String> = ["stream", "time"]

  let text: String
  /// The object; nil for a line that is not JSON.
  let node: JSONNode?
  /// The line of a container; nil for a line of another format.
  let contained: String?

  init(_ line: ArraySlice<UInt8>) {
    text = String(decoding: line, as: UTF8.self)
    node = line.first == UInt8(ascii: "{") ? try? JSONReader.read(line, dialect: .export) : nil
    contained = node?.containedLine
  }
}

extension JSONNode {
  /// The line of a container in an object of Docker's, without its end; nil for another object.
  var containedLine: String? {
    guard let line = text(LogEntry.contained), LogEntry.besides.contains(where: { text($0) != nil }) else { return nil }
    return String(line.trimming { $0.isNewline || $0 == " " })
  }

  /// The text or the number of a member, or of a member of an inner object, whose names are joined by dots.
  func plainText(at path: String) -> String? {
    if let found = member(path) { return found.content.plainText }
    guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    return member(String(path[..<dot]))?.plainText(at: String(path[path.index(after: dot)...]))
  }
}

extension JSONNode.Content {
  /// A text or a number as a text; nil for other values.
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .double(let number): "\(number)"
    case .null, .bool, .array, .object: nil
    }
  }
}

/// The columns of a log: those that its `#Fields:` line names, or those of a format without such a line.
package struct LogColumns: Sendable, Equatable {
  private let fields: LogFields
  /// The position of each column; nil for columns that are named by their numbers, from 1.
  private let index: [String: Int]?

  /// CloudFront's standard logs.
  static let standard = LogColumns([
    "date", "time", "x-edge-location", "sc-bytes", "c-ip", "cs-method", "cs(Host)", "cs-uri-stem", "sc-status",
    "cs(Referer)", "cs(User-Agent)", "cs-uri-query", "cs(Cookie)", "x-edge-result-type", "x-edge-request-id",
    "x-host-header", "cs-protocol",
  ])

  /// CloudFront's real-time logs with all fields, which have no line of names.
  /// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html
  static let realTime = LogColumns([
    "timestamp", "c-ip", "time-to-first-byte", "sc-status", "sc-bytes", "cs-method", "cs-protocol", "cs-host",
    "cs-uri-stem", "cs-bytes", "x-edge-location", "x-edge-request-id", "x-host-header", "time-taken",
    "cs-protocol-version", "c-ip-version", "cs-user-agent", "cs-referer", "cs-cookie", "cs-uri-query",
  ])

  private static let header = "#Fields:"

  private init(_ names: [String], fields: LogFields = .w3c) {
    self.fields = fields
    index = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Columns that are named by their numbers.
  init(fields: LogFields) { (self.fields, index) = (fields, nil) }

  /// The columns of a `#Fields:` line; nil for another comment.
  init?(comment: String, fields: LogFields? = nil) {
    guard comment.hasPrefix(Self.header) else { return nil }
    let names = comment.dropFirst(Self.header.count).split(whereSeparator: { $0 == " " || $0 == "\t" })
    self.init(names.map(String.init), fields: fields ?? .w3c)
  }

  /// The columns of the `#Fields:` line at the beginning of a file; nil for a file without one.
  ///
  /// - Throws: if columns are missing without which no request can be read.
  fileprivate init?(headOf lines: [ArraySlice<UInt8>], fields: LogFields?) throws(CaptureFormatProblem) {
    let comments = lines.filter { $0.first == UInt8(ascii: "#") }.map { String(decoding: $0, as: UTF8.self) }
    guard let named = comments.lazy.compactMap({ LogColumns(comment: $0, fields: fields) }).first else { return nil }
    let missing = named.missing
    if !missing.isEmpty {
      throw CaptureFormatProblem(
        missingColumns: missing, isOfIIS: comments.contains { $0.contains("Internet Information Services") })
    }
    self = named
  }

  /// The columns without which no request can be read, of those that the log does not have.
  private var missing: [String] { fields.missing { index?[$0] != nil } }

  /// A line of the log; nil for a line in another format. Columns are separated by tabs, or by blanks in a line without
  /// tabs.
  ///
  /// - Throws: why a column is not valid.
  func line(_ text: String, zone: LocalOffset? = nil) throws(LogFlaw) -> LoggedLine? {
    let separator: Character = text.utf8.contains(UInt8(ascii: "\t")) ? "\t" : " "
    let values = text.split(separator: separator, omittingEmptySubsequences: separator == " ")
    return try fields.line(zone: zone) { name in
      guard let position = index.map({ $0[name] }) ?? Int(name).map({ $0 - 1 }), values.indices.contains(position),
        values[position] != "-"
      else { return nil }
      return String(values[position])
    }
  }
}

extension LoggedRequest {
  /// Whether this looks like a request: the columns of another table could be taken for those of a log.
  fileprivate var isPlausible: Bool {
    (target.path.hasPrefix("/") || !target.origin.isEmpty) && RequestLine("\(method) /") != nil
  }
}

extension CaptureFormatProblem {
  /// Columns that a log of the W3C's format lacks.
  fileprivate init(missingColumns names: [String], isOfIIS: Bool) {
    let advice =
      isOfIIS
      ? "this command makes IIS log them: appcmd set config -section:system.applicationHost/sites "
        + "/siteDefaults.logFile.logExtFileFlags:\"Date,Time,ClientIP,Method,UriStem,UriQuery,HttpStatus,Host\" "
        + "/commit:apphost"
      : "let the server log them"
    self.init(
      "the \"#Fields:\" of this log lack \(names.joined(separator: ", ")), without which no request can be checked; "
        + advice, isLog: true)
  }

  /// A line of an AWS Classic Load Balancer: that of an Application Load Balancer without its first field.
  fileprivate init?(classicLoadBalancer line: String) {
    guard line.utf8.first?.isASCIIDigit == true, LoadBalancerLine("http \(line)") != nil else { return nil }
    self.init(
      "this is a log of a Classic Load Balancer; make one of an Application Load Balancer of it: "
        + "sed 's/^/http /' FILE | skan check -", isLog: true)
  }
}
