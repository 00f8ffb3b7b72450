import SKANBase

/// The parameters of a request in the order in which they were sent: a query, or a form in a body.
///
/// Nothing is lost: of a name that is given twice both values are here, and each value also as it was encoded.
package struct SentParameters: Sendable, Equatable {
  /// One `name=value`.
  package struct Item: Sendable, Equatable {
    /// Decoded.
    package let name: String
    /// The value's bytes as they were sent; nil for a bare name, without `=`.
    package let raw: String?
    /// The value decoded: percent escapes, and `+` for a space; nil for a bare name.
    package let value: String?
    /// The index of the name in ``ForwardedParameter/all``; nil for a name that is not there.
    let parameter: Int?

    init(name: String, raw: String? = nil, value: String? = nil) {
      self.name = name
      self.raw = raw
      self.value = value
      parameter = ForwardedParameter.index(of: name)
    }
  }

  /// All of them.
  package private(set) var items: [Item] = []

  /// Those of a request without any.
  package init() {}

  /// Reads a query or the text of a form (`application/x-www-form-urlencoded`).
  ///
  /// - Returns: nil when an escape is broken or the bytes are not UTF-8.
  package init?(_ text: some Sequence<UInt8>) {
    let isRead = unsafe Array(text).withUnsafeBufferPointer { unsafe read($0) }
    if !isRead { return nil }
  }

  /// The parameters of a request: its query, then its form.
  ///
  /// - Parameter form: the body of a POST; empty for another method.
  /// - Returns: nil when one of them cannot be read.
  package init?(query: String?, form: [UInt8] = []) {
    guard let all = SentParameters(Array((query ?? "").utf8)), let more = SentParameters(form) else { return nil }
    self = all.joined(with: more)
  }

  /// These, and then others.
  package func joined(with others: SentParameters) -> SentParameters {
    var all = self
    all.items += others.items
    return all
  }

  private mutating func read(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var bytes: [UInt8] = []
    func decoded(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
      bytes.removeAll(keepingCapacity: true)
      return unsafe QueryBytes.decode(part, into: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
    var start = 0
    while start < text.count {
      let end = unsafe text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.count
      let equals = unsafe text[start..<end].firstIndex(of: UInt8(ascii: "="))
      defer { start = end + 1 }
      if start == end { continue }
      guard let name = unsafe decoded(text[start..<(equals ?? end)]) else { return false }
      guard let equals else {
        items.append(Item(name: name))
        continue
      }
      let raw = unsafe text[(equals + 1)..<end]
      guard let value = unsafe decoded(raw) else { return false }
      items.append(unsafe Item(name: name, raw: String(decoding: raw, as: UTF8.self), value: value))
    }
    return true
  }

  /// The value of the last item of that name; nil when there is none, and for a bare name.
  package subscript(name: String) -> String? { item(name)?.value }

  /// The last item of that name that has a value.
  package func item(_ name: String) -> Item? {
    // Most names are looked for often, and numbers compare sooner than texts.
    if let parameter = ForwardedParameter.index(of: name) { return item(parameter) }
    return items.last { $0.parameter == nil && $0.value != nil && $0.name.isLiterally(name) }
  }

  /// The last item with a value of a row of ``ForwardedParameter/all``.
  func item(_ parameter: Int) -> Item? { items.last { $0.parameter == parameter && $0.value != nil } }
}
