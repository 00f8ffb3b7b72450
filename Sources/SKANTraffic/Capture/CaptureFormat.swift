import SKANBase

/// The format of a capture.
package enum CaptureFormat: Sendable, Equatable {
  case har
  case journal
  case urls
  case log(LogForm)

  /// Recognizes the format of a capture.
  ///
  /// - Parameters:
  ///   - head: the beginning of the file, without a byte order mark.
  ///   - fields: the names that a log has for the parts of its requests, if the user gives them.
  /// - Throws: the kind of a file that is not a capture.
  package init(_ head: ArraySlice<UInt8>, fields: LogFields? = nil) throws(CaptureFormatProblem) {
    if let packing = CaptureFormatProblem(packed: head) { throw packing }
    if head.isFlowDump { throw .flowDump }
    let lines = head.split(separator: UInt8(ascii: "\n")).map { $0.trimming(while: \.isLineSpace) }
      .filter { !$0.isEmpty }
    // A head without lines means an empty file.
    guard let first = lines.first else { throw CaptureFormatProblem("the file is empty") }
    if first.first == UInt8(ascii: "[") { throw CaptureFormatProblem(array: head) }
    let line = lines.first { $0.first != UInt8(ascii: "#") } ?? first
    let isObject = line.first == UInt8(ascii: "{")
    let node = isObject ? try? JSONReader.read(line, dialect: .export) : nil
    if let node, let format = try Self.object(node) {
      self = format
      return
    }
    let text = String(decoding: line, as: UTF8.self)
    if text.contains("://"), text.prefix(8).lowercased().hasPrefix("http") {
      let scheme = text.prefix { $0 != ":" }
      if !scheme.contains(" ") {
        self = .urls
        return
      }
    }
    // What is no object may be the first line of a longer text of JSON, or a damaged one of a log in JSON.
    let isPartOfObject = isObject && node == nil
    if let form = try LogForm(lines, fields: fields), form.isJSON || !isPartOfObject {
      self = .log(form)
    } else if isPartOfObject {
      self = .har
    } else {
      throw CaptureFormatProblem(isObject: isObject, isNamed: fields != nil)
    }
  }

  /// Recognizes a line that is an object; nil for one that may be in a log.
  private static func object(_ node: JSONNode) throws(CaptureFormatProblem) -> CaptureFormat? {
    if node.member("log")?.isObject == true { return .har }
    if node.member("op") != nil { throw CaptureFormatProblem("this is an event list; 'skan replay' runs it") }
    if node.member("path") != nil, node.member("query") != nil, node.member("answer") != nil { return .journal }
    return nil
  }
}

extension CaptureFormat {
  /// The formats of captures and what each is, for help and manual.
  package static let rows: [(name: String, text: String)] =
    [
      ("HAR 1.2", "everything; from Charles, Proxyman, mitmproxy, Chrome, Firefox and others"),
      ("journal of skan serve", "decoded parameters, answers and times"),
      ("URLs", "one on each line; lines that begin with # are comments"),
      ("combined", "the access log of Apache and nginx"), ("ALB", "the log of an AWS Application Load Balancer"),
      ("W3C", "a table with a line #Fields:, from CloudFront or IIS; columns separated by tabs or blanks"),
      ("CloudFront real-time", "a table of all fields, without a line that names them"),
    ] + LogFields.known.map(\.row) + [
      ("Docker", "the files of json-file: the member log of each object is a line of one of these logs"),
      ("other logs", "JSON on each line, or a table: --fields names the members, or the columns by number"),
    ]
}

extension ArraySlice<UInt8> {
  /// Whether these bytes begin a file of mitmproxy: it writes each flow as a netstring of an object, which begins with
  /// a member's name.
  fileprivate var isFlowDump: Bool {
    var rest = self
    for digits in [3...10, 1...2] {
      let number = rest.prefix { $0.isASCIIDigit }
      guard digits.contains(number.count), rest.dropFirst(number.count).first == UInt8(ascii: ":") else { return false }
      rest = rest.dropFirst(number.count + 1)
    }
    let name = rest.prefix { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    return name.count >= 2 && rest.dropFirst(name.count).first == UInt8(ascii: ";")
  }
}

/// The kind of a file that is not a capture, in a sentence.
package struct CaptureFormatProblem: Error, Sendable, Equatable {
  package let message: String
  /// Whether the file is an access log, which a command makes readable.
  package let isLog: Bool

  init(_ message: String, isLog: Bool = false) { (self.message, self.isLog) = (message, isLog) }

  /// A text of no format of captures.
  ///
  /// - Parameters:
  ///   - isObject: whether it begins with an object of JSON.
  ///   - isNamed: whether the user gives the names of a log.
  fileprivate init(isObject: Bool, isNamed: Bool) {
    if isNamed {
      self.init("no line has the members or columns that --fields names")
    } else if isObject {
      self.init(
        "this is neither a HAR, which has \"log\", nor a line of a journal of 'skan serve', nor a log whose members "
          + "are known; for another log, name its members, as in --fields time=ts,method=verb,url=uri,status=code")
    } else {
      self.init(
        "this is no capture: a HAR, a journal of 'skan serve', one URL per line, or an access log (combined, ALB, "
          + "CloudFront, W3C, or JSON on each line)")
    }
  }

  /// An array of JSON.
  fileprivate init(array head: ArraySlice<UInt8>) {
    let text = String(decoding: head, as: UTF8.self)
    let isLog = LogFields.known.contains { fields in
      fields.missing { name in text.contains("\"\(name.split(separator: ".").last ?? "")\"") }.isEmpty
    }
    self.init(
      isLog
        ? "this is a log in an array of JSON, and a log has an object on each line: jq -c '.[]' FILE | skan check -"
        : "this is a JSON array, such as Charles's own format; export the session as HAR", isLog: isLog)
  }

  /// A file of flows that mitmproxy saved.
  fileprivate static let flowDump = CaptureFormatProblem(
    "this is a dump of mitmproxy's flows; export it as HAR: mitmdump -nr FILE --set hardump=FILE.har")

  /// Recognizes a compressed file, or one in UTF-16.
  init?(packed head: ArraySlice<UInt8>) {
    let magic: [(bytes: [UInt8], message: String)] = [
      ([0x1F, 0x8B], "this is packed by gzip twice; unpack it first (gunzip)"),
      (
        [0x50, 0x4B, 0x03, 0x04], "this is a ZIP archive, as Charles and Proxyman save their sessions; export it as HAR"
      ),
      ([0x78, 0x9C], "this is packed by zlib, as mitmproxy writes *.zhar; export it as *.har"),
      ([0x78, 0xDA], "this is packed by zlib, as mitmproxy writes *.zhar; export it as *.har"),
      ([0xFF, 0xFE], "this is UTF-16; a HAR is UTF-8"), ([0xFE, 0xFF], "this is UTF-16; a HAR is UTF-8"),
    ]
    guard let row = magic.first(where: { head.starts(with: $0.bytes) }) else { return nil }
    self.init(row.message)
  }
}
