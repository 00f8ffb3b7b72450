import SKANDevice
import SKANHTTP
import SKANBase

/// The `request` of an entry.
extension JSONNode {
  /// `headers`, each an object of name and value, or a pair of them as Slack writes it.
  var headers: HTTPFields {
    let pairs = pairs("headers")
    var fields = HTTPFields(lines: pairs.count, bytes: 64 * pairs.count)
    for pair in pairs { fields.append(pair.name, pair.value ?? "") }
    return fields
  }

  /// Gives a request whose URL has no query that of `queryString`, and compares the two where it has one: exporters decode
  /// `queryString` in different ways, and the URL counts.
  ///
  /// - Returns: what differs.
  func completeQuery(of request: inout HTTPRequest) throws(CaptureProblem) -> [String] {
    let listed = pairs("queryString")
    guard let query = request.query, !query.isEmpty else {
      if !listed.isEmpty { request.target.query = listed.formEncoded }
      return []
    }
    if listed.isEmpty { return [] }
    let parts = query.utf8.split(separator: UInt8(ascii: "&")).map { $0.prefix { $0 != UInt8(ascii: "=") } }
    // As nearly always.
    if parts.count == listed.count, zip(parts, listed).allSatisfy({ $0.elementsEqual($1.name.utf8) }) { return [] }
    let sent = parts.map { Substring($0).plainName }
    let names = Set(listed.map(\.name.plainName))
    guard let odd = sent.first(where: { !names.contains($0) }) ?? names.subtracting(sent).sorted().first else {
      return []
    }
    return ["\"queryString\" differs from the URL at \(JSONWriter.quoted(odd)); the URL counts"]
  }

  /// The body: `postData.text`, or else its `params` as a form.
  func form(of request: inout HTTPRequest, at location: CaptureLocation) throws(CaptureProblem) -> [UInt8] {
    guard let data = member("postData"), data.isObject else { return [] }
    if request.headers["Content-Type"] == nil, let type = data.text("mimeType"), !type.isEmpty {
      request.headers.append("Content-Type", type)
    }
    if let text = data.text("text"), !text.isEmpty {
      guard data.text("encoding") == "base64" else { return Array(text.utf8) }
      guard let bytes = decodedBase64(text) else {
        throw CaptureProblem("\"postData\" is not base64, as its \"encoding\" says", at: location)
      }
      return bytes
    }
    return Array(data.pairs("params").formEncoded.utf8)
  }

  /// An array of objects of name and value, or of pairs.
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
  /// Of decoded texts: a plus sign is escaped, so that it is not read as a space.
  var formEncoded: String {
    let text = percentEncoded
    return text.hasPlus ? text.replacing("+", with: "%2B") : text
  }
}

extension StringProtocol {
  /// A name without what exporters decode in different ways.
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
