import SKANBase

/// The format of a capture.
package enum CaptureFormat: Sendable, Equatable {
  case har
  case journal
  case urls
  case log(AccessLogForm)

  /// Recognizes the format of a capture.
  ///
  /// - Parameter head: the beginning of the file, without a byte order mark.
  /// - Throws: the kind of a file that is not a capture.
  package init(_ head: ArraySlice<UInt8>) throws(CaptureFormatProblem) {
    if let packing = CaptureFormatProblem(packed: head) { throw packing }
    if head.isFlowDump { throw .flowDump }
    let lines = head.split(separator: UInt8(ascii: "\n")).lazy.map { $0.trimming(while: \.isLineSpace) }
      .filter { !$0.isEmpty }
    // A head without lines means an empty file.
    guard let first = lines.first else { throw CaptureFormatProblem("the file is empty") }
    if first.first == UInt8(ascii: "{") {
      self = try Self.json(first)
      return
    }
    if first.first == UInt8(ascii: "[") {
      throw CaptureFormatProblem("this is a JSON array, such as Charles's own format; export the session as HAR")
    }
    if first.starts(with: "#Version:".utf8) || first.starts(with: "#Fields:".utf8) {
      self = .log(.cloudFront)
      return
    }
    let line = lines.first { $0.first != UInt8(ascii: "#") } ?? first
    if line.first == UInt8(ascii: "{") {
      self = try Self.json(line)
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
    guard let form = AccessLogForm.allCases.first(where: { $0.reads(text) }) else {
      throw CaptureFormatProblem(
        "this is no capture: a HAR, a journal of 'skan serve', one URL a line, or an access log "
          + "(combined, ALB, CloudFront)")
    }
    self = .log(form)
  }

  /// Recognizes the format of a line of JSON, or of the first line of a longer JSON text.
  private static func json(_ line: ArraySlice<UInt8>) throws(CaptureFormatProblem) -> CaptureFormat {
    guard let node = try? JSONReader.read(line) else { return .har }
    if node.member("log") != nil { return .har }
    if node.member("op") != nil { throw CaptureFormatProblem("this is an event list; 'skan replay' runs it") }
    if node.member("path") != nil, node.member("query") != nil { return .journal }
    throw CaptureFormatProblem("this is neither a HAR, which has \"log\", nor a line of a journal of 'skan serve'")
  }
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

  init(_ message: String) { self.message = message }

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
    message = row.message
  }
}
