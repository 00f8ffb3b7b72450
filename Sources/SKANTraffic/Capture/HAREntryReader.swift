import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Converts an entry of a HAR 1.2, in the variants that exporters write, to a request.
struct HAREntryReader {
  private let hosts: TrafficHosts
  private let zone: LocalOffset?
  private let document = JSONDocument()

  init(hosts: TrafficHosts, zone: LocalOffset?) {
    self.hosts = hosts
    self.zone = zone
  }

  /// - Throws: why the entry cannot be read.
  func read(_ bytes: UnsafeBufferPointer<UInt8>, at location: CaptureLocation) throws(CaptureProblem) -> CaptureEntry {
    do throws(JSONError) {
      try unsafe document.readTolerantly(bytes)
    } catch {
      throw CaptureProblem("the entry is not JSON: \(error.message)", at: location)
    }
    let entry = document.root
    if entry.text("_resourceType") == "websocket" { return .webSocket }
    guard let request = entry.member("request"), let url = request.text("url"), !url.isEmpty else {
      throw CaptureProblem("the entry has no \"request\" with a \"url\"", at: location)
    }
    let scheme = Self.scheme(of: url)
    if scheme == "ws" || scheme == "wss" { return .webSocket }
    let method = request.text("method") ?? "GET"
    // A URL's fragment is not sent.
    let text = String(url.prefix { $0 != "#" })
    var target = HTTPTarget(text)
    if method.uppercased() == "CONNECT" {
      let authority = String(text.prefix { !"/?".contains($0) })
      return .undecrypted(host: TrafficHosts.host(of: target.origin.isEmpty ? authority : target.origin))
    }
    if target.origin.isEmpty {
      if let scheme { return .other("\(scheme):") }
      guard let whole = Self.whole(text, headers: request.headers) else {
        throw CaptureProblem(
          "the \"url\" of the request has no host, and its headers have no valid \"Host\" or \":authority\"",
          at: location)
      }
      target = whole
    }
    switch hosts.destination(of: target) {
    case .otherHost: return .other(TrafficHosts.host(of: target.origin))
    case .otherPath: return .other(TrafficHosts.place(of: target))
    case .endpoint: break
    }
    let at = try time(of: entry, at: location)
    var message = HTTPRequest(method: method, target: target, headers: request.headers)
    var notes = EntryNotes()
    notes.remarks = try request.completeQuery(of: &message)
    let form = request.form(of: &message, &notes)
    message.body = form ?? []
    var captured = CapturedRequest(message, at: at, answer: entry.answer(&notes), location: location)
    captured.hasUnreadForm = form == nil
    captured.answeredAt = entry.duration.flatMap { at.advanced(by: $0) }
    notes.remarks += captured.useDeviceTime()
    return .request(captured, remarks: notes.remarks, problems: notes.problems)
  }

  /// The scheme of a URL, in lower case; nil for one that begins with a host, with or without a port, or with a path.
  private static func scheme(of url: String) -> String? {
    let name = url.utf8.prefix { !"/?#:".utf8.contains($0) }
    let rest = url.utf8[name.endIndex...]
    guard rest.first == UInt8(ascii: ":"), name.first?.isASCIILetter == true,
      name.allSatisfy({ $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }), !rest.beginsWithPort
    else { return nil }
    return String(Substring(name)).lowercased()
  }

  /// The target of a URL without a scheme: `//host/path`, `host/path`, or a path on the host that the headers name.
  ///
  /// - Returns: nil where no host is known.
  private static func whole(_ url: String, headers: HTTPFields) -> HTTPTarget? {
    let isOfAuthority = url.hasPrefix("//")
    let text = isOfAuthority ? String(url.dropFirst(2)) : url
    let name = text.utf8.prefix { !"/?#:".utf8.contains($0) }
    let isHost =
      name.contains(UInt8(ascii: ".")) || name.elementsEqual("localhost".utf8) || name.first == UInt8(ascii: "[")
      || !name.isEmpty && (isOfAuthority || text.utf8[name.endIndex...].beginsWithPort)
    let origin = "\(headers[":scheme"] == "http" ? "http" : "https")://"
    if isHost {
      let target = HTTPTarget(origin + text)
      return TrafficHosts.host(of: target.origin).isEmpty ? nil : target
    }
    guard !isOfAuthority, let named = headers["Host"] ?? headers[":authority"] else { return nil }
    let host = TrafficHosts.host(of: named)
    return host.isEmpty ? nil : HTTPTarget(origin + host + ("/?".contains(text.prefix(1)) ? "" : "/") + text)
  }

  private func time(of entry: JSONNode, at location: CaptureLocation) throws(CaptureProblem) -> Instant {
    guard let text = entry.text("startedDateTime") else {
      throw CaptureProblem("the entry has no \"startedDateTime\"", at: location)
    }
    do throws(Instant.CaptureMistake) {
      return try Instant(captured: text, zone: zone)
    } catch {
      throw CaptureProblem(error.message("\"startedDateTime\"", text), at: location)
    }
  }
}

extension Substring.UTF8View {
  /// Whether the text is a colon and a port, at its end or before a path, a query or a fragment.
  fileprivate var beginsWithPort: Bool {
    guard first == UInt8(ascii: ":") else { return false }
    let digits = dropFirst().prefix(while: \.isASCIIDigit)
    return !digits.isEmpty && (digits.endIndex == endIndex || "/?#".utf8.contains(self[digits.endIndex]))
  }
}

extension CapturedRequest {
  /// Uses the time that a phone in virtual time states as the time of the request.
  ///
  /// - Returns: a remark if the stated time is invalid.
  fileprivate mutating func useDeviceTime() -> [String] {
    let name = ReferenceEndpoint.deviceTimeHeader
    guard let text = request.headers[name] else { return [] }
    guard let time = Double(text).flatMap({ Instant(unixSeconds: $0) }) else {
      return ["\(name) is not Unix seconds: \(JSONWriter.quoted(String(text.prefix(40)))); the capture's time counts"]
    }
    recordedAt = at
    at = time
    // The capture's clock measures how long the answer took, and a virtual clock does not run with it.
    answeredAt = nil
    return []
  }
}

/// What an entry says that is not as it should be, although its request is read.
struct EntryNotes {
  var remarks: [String] = []
  /// The parts that cannot be read.
  var problems: [String] = []
}

extension JSONNode {
  /// The bytes of the member `text`, decoded from base64 if its `encoding` says so; nil for one that cannot be read.
  ///
  /// Some exporters write `base64` beside a plain text, or an object of JSON in place of its text. These are taken as
  /// they stand, with a remark.
  ///
  /// - Parameters:
  ///   - name: the object's name in messages.
  ///   - loss: what follows for the request if the text cannot be read.
  fileprivate func body(_ name: String, or loss: String, _ notes: inout EntryNotes) -> [UInt8]? {
    guard let node = member("text") else { return nil }
    guard let text = node.content.text else {
      if case .array = node.content {
      } else if !node.isObject {
        notes.problems.append("the \"text\" of \(name) is not a string; \(loss)")
        return nil
      }
      notes.remarks.append("the \"text\" of \(name) is not a string; it is used unchanged")
      return unsafe Array(node.source)
    }
    guard self.text("encoding")?.lowercased() == "base64" else { return Array(text.utf8) }
    if let bytes = decodedBase64(text) { return bytes }
    guard text.isPlain else {
      notes.problems.append("\(name) is not base64, as its \"encoding\" says; \(loss)")
      return nil
    }
    notes.remarks.append("\(name) is not base64, as its \"encoding\" says; its text is used unchanged")
    return Array(text.utf8)
  }
}

extension String {
  /// Whether this is a text to read, rather than damaged base64: JSON, a page, a sentence or a form.
  fileprivate var isPlain: Bool {
    guard let first = utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return true }
    if "{[<\"".utf8.contains(first) || utf8.contains(where: " &".utf8.contains) { return true }
    // Base64 has equals signs at its end alone.
    return utf8.trimmingSuffix { $0 == UInt8(ascii: "=") }.contains(UInt8(ascii: "="))
  }
}

/// Decodes a base64 text, which may have line breaks; nil if it is invalid.
func decodedBase64(_ text: String) -> [UInt8]? {
  Data(base64Encoded: text, options: .ignoreUnknownCharacters).flatMap { data in
    text.utf8.allSatisfy(\.mayBeInBase64) ? Array(data) : nil
  }
}

extension UInt8 {
  fileprivate var mayBeInBase64: Bool {
    isASCIILetterOrDigit || "+/=\r\n".utf8.contains(self)
  }
}

extension JSONNode {
  /// How long the request and its answer took: the entry's `time`, in milliseconds. Exporters that do not know it write
  /// 0 or -1, and others leave it out; then it is nil, as it is for a time beyond a day.
  fileprivate var duration: TimeSpan? {
    guard let milliseconds = member("time")?.value.double, milliseconds > 0, milliseconds <= 86_400_000 else {
      return nil
    }
    return TimeSpan(seconds: milliseconds / 1000)
  }
}

/// Reads the `request` of an entry.
extension JSONNode {
  /// The members of `headers`: objects with name and value, or pairs as Slack writes them.
  var headers: HTTPFields {
    let pairs = pairs("headers")
    var fields = HTTPFields(lines: pairs.count, bytes: 64 * pairs.count)
    for pair in pairs { fields.append(pair.name, pair.value ?? "") }
    return fields
  }

  /// Sets the query from `queryString` if the URL has none, and otherwise compares the two. Exporters decode
  /// `queryString` in different ways, so the URL takes precedence.
  ///
  /// - Returns: remarks about differences.
  func completeQuery(of request: inout HTTPRequest) throws(CaptureProblem) -> [String] {
    let listed = pairs("queryString")
    guard let query = request.query, !query.isEmpty else {
      if !listed.isEmpty { request.target.query = listed.asSent }
      return []
    }
    if listed.isEmpty { return [] }
    let parts = query.utf8.split(separator: UInt8(ascii: "&")).map { $0.prefix { $0 != UInt8(ascii: "=") } }
    // The usual case.
    if parts.count == listed.count, zip(parts, listed).allSatisfy({ $0.elementsEqual($1.name.utf8) }) { return [] }
    let sent = parts.map { Substring($0).plainName }
    let names = Set(listed.map(\.name.plainName))
    guard let odd = sent.first(where: { !names.contains($0) }) ?? names.subtracting(sent).sorted().first else {
      return []
    }
    return ["\"queryString\" differs from the URL at \(JSONWriter.quoted(odd)); the URL counts"]
  }

  /// The body: `postData.text`, or else its `params` as a form; nil for one that cannot be read.
  fileprivate func form(of request: inout HTTPRequest, _ notes: inout EntryNotes) -> [UInt8]? {
    guard let data = member("postData"), data.isObject else { return [] }
    if request.headers["Content-Type"] == nil, let type = data.text("mimeType"), !type.isEmpty {
      request.headers.append("Content-Type", type)
    }
    if let text = data.member("text"), !text.isNull, text.content.text != "" {
      return data.body("\"postData\"", or: "the parameters in it are not checked", &notes)
    }
    return Array(data.pairs("params").asSent.utf8)
  }

  /// Reads an array of objects with name and value, or of pairs.
  private func pairs(_ key: String) -> [QueryItem] {
    guard case .array(let items)? = member(key)?.content else { return [] }
    return items.compactMap { item in
      if let name = item.text("name") { return QueryItem(name, item.text("value")) }
      guard case .array(let pair) = item.content, pair.count == 2, let name = pair[0].content.text,
        let value = pair[1].content.text
      else { return nil }
      return QueryItem(name, value)
    }
  }
}

extension [QueryItem] {
  /// The items as a form. Exporters list them decoded or as they were sent. They are as sent if escapes of `%` are in
  /// them and nothing that a client would have escaped (*inferred*).
  fileprivate var asSent: String {
    let texts = flatMap { [$0.name, $0.value ?? ""] }
    guard texts.contains(where: { $0.utf8.contains(UInt8(ascii: "%")) }), texts.allSatisfy(\.isPercentEncoded) else {
      return formEncoded
    }
    return map { item in item.value.map { "\(item.name)=\($0)" } ?? item.name }.joined(separator: "&")
  }

  /// Encodes decoded texts as a form, with `+` escaped so that it is not read as a space.
  var formEncoded: String {
    let text = percentEncoded
    return text.hasPlus ? text.replacing("+", with: "%2B") : text
  }
}

extension String {
  /// Whether the text has only characters that stand in a query, and each `%` begins an escape.
  fileprivate var isPercentEncoded: Bool {
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy({ $0.hexValue != nil }) else { return false }
      } else if !byte.isASCIILetterOrDigit, !"-._~!$'()*+,;=:@/?".utf8.contains(byte) {
        return false
      }
    }
    return true
  }
}

extension StringProtocol {
  /// The name without characters that exporters decode in different ways.
  fileprivate var plainName: String {
    var name: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        rest = rest.dropFirst(2)
      } else if byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") {
        name.append(byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }
}

extension JSONNode {
  /// The answer of an entry.
  fileprivate func answer(_ notes: inout EntryNotes) -> CapturedAnswer {
    guard let response = member("response"), response.isObject else { return .notCaptured }
    let status = Int(clamping: response.integer("status") ?? response.text("status").flatMap { Int64($0) } ?? 0)
    guard status > 0 else {
      return .failure(response.text("_error") ?? text("_error") ?? response.text("statusText") ?? "")
    }
    guard let content = response.member("content"), content.isObject else { return .status(status) }
    guard let text = content.member("text"), !text.isNull else {
      // An empty body, rather than one that the exporter left out.
      let isEmpty = content.integer("size") == 0 && (response.integer("bodySize") ?? 0) <= 0
      return isEmpty && !response.announcesBody ? .response(status: status, body: []) : .status(status)
    }
    let body = content.body("the answer's \"content\"", or: "what the answer says is not known", &notes)
    return body.map { .response(status: status, body: $0) } ?? .unreadable(status)
  }

  private var announcesBody: Bool { headers["Content-Length"].flatMap { Int($0) } ?? 0 > 0 }
}

extension JSONDocument {
  /// The most characters of an entry that are repaired.
  private static let mostRepairs = 64
  /// Reads an exporter's JSON. An unpaired surrogate, a control character and an invalid UTF-8 byte, which occur in
  /// bodies of web pages, are replaced by U+FFFD, a space and a question mark.
  func readTolerantly(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    do throws(JSONError) {
      return try unsafe read(text, dialect: .export)
    } catch {
      guard error.isOfText else { throw error }
      var mended = unsafe Array(text)
      var error = error
      for _ in 0..<Self.mostRepairs {
        guard error.mend(&mended) else { throw error }
        if let next = problem(of: mended) { error = next } else { return }
      }
      throw error
    }
  }

  private func problem(of text: [UInt8]) -> JSONError? {
    unsafe text.withUnsafeBufferPointer { text in
      do throws(JSONError) {
        try unsafe read(text, dialect: .export)
        return nil
      } catch {
        return error
      }
    }
  }
}

extension JSONError {
  /// Whether the error is about a character of a text.
  fileprivate var isOfText: Bool { [.loneSurrogate, .controlCharacter, .invalidUTF8].contains(problem) }

  /// Replaces the invalid character; false where that is not possible.
  fileprivate func mend(_ text: inout [UInt8]) -> Bool {
    guard isOfText, text.indices.contains(offset) else { return false }
    switch problem {
    case .controlCharacter: text[offset] = UInt8(ascii: " ")
    case .invalidUTF8: text[offset] = UInt8(ascii: "?")
    default:
      guard text[offset...].starts(with: "\\u".utf8), offset + 6 <= text.count else { return false }
      text.replaceSubrange(offset..<offset + 6, with: "\\uFFFD".utf8)
    }
    return true
  }
}
