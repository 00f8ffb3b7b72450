import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// The texts of one request that the page shows besides its line. Both are as they are shown and copied: laid out over
/// lines, with an escape for each hidden character within a line.
package struct PageRequest: JSONObjectWritable {
  fileprivate let answer: String
  fileprivate let curl: String?

  /// - Parameters:
  ///   - line: a line of the journal.
  ///   - origin: the scheme, the host and the port to which the command sends the request.
  /// - Returns: nil if the line is not JSON.
  init?(_ line: [UInt8], origin: String) {
    guard let line = try? JSONReader.read(line) else { return nil }
    answer = Self.shown(line.text("answer") ?? "")
    curl = PageCommand(line, origin: origin)?.text
  }

  package static let fields = JSONFields<PageRequest> {
    JSONField("answer", "the body of the answer; JSON has an indent, and everything else in it is as it was sent") {
      $0.answer
    }
    JSONField("curl", "the request as a command of a shell; null for one that curl cannot repeat") { $0.curl }
  }

  /// A text with an escape for each hidden character except its line ends.
  static func shown(_ text: String) -> String {
    laidOut(text).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { String($0).oneLine }.joined(separator: "\n")
  }

  /// The most bytes of JSON that is laid out, and the most levels of its indent.
  private static let most = (bytes: 1 << 16, levels: 16)

  /// An object or an array of JSON with an indent; other text unchanged. Numbers and keys are not read, so that those
  /// that are odd or occur twice stay visible.
  private static func laidOut(_ text: String) -> String {
    guard text.utf8.count <= most.bytes, let node = try? JSONReader.read(Array(text.utf8), dialect: .phone),
      node.value.isContainer
    else { return text }
    var lines: [UInt8] = []
    var (level, isInString, isEscaped) = (0, false, false)
    func newLine() { lines += [0x0A] + Array(repeating: 0x20, count: min(level, most.levels) * 2) }
    for byte in text.utf8 {
      if isInString {
        lines.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        lines.append(byte)
        level += 1
        newLine()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        level -= 1
        let isEmpty = lines.last == 0x20
        while isEmpty, lines.last == 0x20 || lines.last == 0x0A { lines.removeLast() }
        if !isEmpty { newLine() }
        lines.append(byte)
      case UInt8(ascii: ","):
        lines.append(byte)
        newLine()
      case UInt8(ascii: ":"): lines += [byte, 0x20]
      default:
        isInString = byte == UInt8(ascii: "\"")
        lines.append(byte)
      }
    }
    return String(decoding: lines, as: UTF8.self)
  }
}

/// A request of the journal as a command that sends it again, with the SDK key from the shell.
private struct PageCommand {
  private let method: String
  private let path: String
  private let at: String
  private let origin: String
  private var query: [QueryItem]
  /// The form or the JSON in the body; nil without a body.
  private var body: (form: [QueryItem], json: String?)?

  /// - Returns: nil for what was not HTTP, and for parameters that could not be read.
  init?(_ line: JSONNode, origin: String) {
    guard let method = line.text("method"), let path = line.text("path"), path.hasPrefix("/"),
      let members = line.member("query")?.value.members, let at = line.member("at")?.value
    else { return nil }
    (self.method, self.path, self.origin, self.at) = (method, path, origin, JSONWriter.text(at))
    query = members.map { QueryItem($0.key, $0.value.text) }
    guard let body = line.member("body") else { return }
    // The journal keeps no text of a body that is neither a form nor JSON.
    guard let text = body.value.text, !text.isEmpty else { return nil }
    if text.hasPrefix("{") {
      self.body = ([], text)
    } else {
      guard let form = SentParameters(text) else { return nil }
      self.body = (form.items.map { QueryItem($0.name, $0.value) }, nil)
    }
  }

  var text: String {
    let isHead = method == "HEAD" && body == nil
    // Without a body, the data is the query. In a path, curl would expand brackets.
    let flags =
      "-s" + (body == nil ? "G" : "") + (isHead ? "I" : "") + (path.contains { "[]{}".contains($0) } ? "g" : "")
    let sendsBody = body.map { $0.json != nil || !$0.form.isEmpty } ?? false
    let usual = sendsBody ? "POST" : isHead ? "HEAD" : "GET"
    let address = origin + path + (body == nil || query.isEmpty ? "" : "?" + withKey(query).strictlyEncoded)
    var parts = ["curl \(flags) \(address.quotedWithKeyOfShell)"]
    if method != usual { parts.append("-X \(method.quotedForShell)") }
    parts.append("-H '\(ReferenceEndpoint.deviceTimeHeader): \(at)'")
    if let json = body?.json { parts += ["-H 'Content-Type: application/json'", "--data-raw \(json.quotedForShell)"] }
    return (parts + (body?.form ?? query).map(data)).joined(separator: " \\\n  ")
  }

  private func withKey(_ items: [QueryItem]) -> [QueryItem] {
    items.map { $0.name == QueryParameter.sdkKey.name ? QueryItem($0.name, .keyOfShell) : $0 }
  }

  /// A parameter as data. A name is encoded here, and its value by curl.
  private func data(_ item: QueryItem) -> String {
    let name = item.name.percentEncoded()
    guard let value = item.value else { return "--data \(name.quotedForShell)" }
    if item.name == QueryParameter.sdkKey.name { return "--data-urlencode \"\(name)=$SKAN_SDK_KEY\"" }
    // Without a name, curl would leave out the equals sign. No word of a shell has the character U+0000.
    if name.isEmpty || value.utf8.contains(0) { return "--data \("\(name)=\(value.percentEncoded())".quotedForShell)" }
    return "--data-urlencode \("\(name)=\(value)".quotedForShell)"
  }
}
