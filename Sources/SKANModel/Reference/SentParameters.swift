import SKANBase
import SKANDevice

/// The parameters of a request in the order of sending: a query, or a form in a body. They are parsed once for
/// answering, checking and recording.
///
/// All values of a repeated name are kept, both decoded and as encoded. The last value of each known name has a slot.
///
///     let sent = SentParameters("n=a+b&x&n=c%2Bd")
///     sent?["n"]                 // "c+d"
///     sent?.items.map(\.name)    // ["n", "x", "n"]
package struct SentParameters: Sendable {
  /// A `name=value`.
  package struct Item: Sendable, Equatable {
    /// The decoded name.
    package let name: String
    /// The value as sent; nil for a bare name, without `=`.
    package let raw: String?
    /// The value with percent escapes and `+` decoded; nil for a bare name.
    package let value: String?
  }

  /// An item by its ranges in ``bytes``.
  private struct Entry {
    /// The index of the name in ``names``; nil for another name.
    var known: Int?
    var name: Range<Int>
    /// Nil for a bare name.
    var value: (raw: Range<Int>, decoded: Range<Int>)?

    func moved(by distance: Int) -> Entry {
      func moved(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound + distance..<range.upperBound + distance
      }
      return Entry(
        known: known, name: moved(name), value: value.map { (moved($0.raw), moved($0.decoded)) })
    }
  }

  /// The names that have a slot: those of ``QueryParameter`` in the order of its cases, then those that only the app's
  /// server sends.
  static let names = QueryParameter.names + RequestParameter.all.map(\.name).filter { !phoneNames.contains($0) }
  private static let phoneNames = Set(QueryParameter.names)
  private static let index = NameIndex(names)
  private static let emptySlots = [Int32](repeating: -1, count: names.count)

  /// The text as sent, followed by the decoded parts that differ from it.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// For each of ``names`` the index of the last entry with a value; -1 if there is none.
  private var slots = emptySlots
  /// Whether a value has a name that is not in ``QueryParameter``.
  private var hasOthers = false

  /// No parameters.
  package init() {}

  /// Parses a query.
  ///
  /// - Returns: nil if an escape is broken or the bytes are not UTF-8.
  package init?(_ text: String) {
    var text = text
    let isRead = text.withUTF8 { unsafe read($0) }
    if !isRead { return nil }
  }

  /// Parses a form (`application/x-www-form-urlencoded`).
  ///
  /// - Returns: nil if an escape is broken or the bytes are not UTF-8.
  package init?(_ text: [UInt8]) {
    let isRead = unsafe text.withUnsafeBufferPointer { unsafe read($0) }
    if !isRead { return nil }
  }

  /// Parses the parameters of a request: its query, then its form.
  ///
  /// - Parameter form: the body of a POST; empty for other methods.
  /// - Returns: nil if either cannot be parsed.
  package init?(query: String?, form: [UInt8] = []) {
    guard let all = SentParameters(query ?? "") else { return nil }
    self = all
    if form.isEmpty { return }
    guard let more = SentParameters(form) else { return nil }
    self = all.joined(with: more)
  }

  /// These parameters followed by others.
  package func joined(with others: SentParameters) -> SentParameters {
    var all = self
    all.bytes += others.bytes
    for entry in others.entries { all.add(entry.moved(by: bytes.count)) }
    return all
  }

  private mutating func read(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.isEmpty { return true }
    bytes.reserveCapacity(text.count * 2)
    unsafe bytes.append(contentsOf: text)
    entries.reserveCapacity(16)
    let index = Self.index
    var start = 0
    while start < text.count {
      if unsafe text[start] == UInt8(ascii: "&") {
        start += 1
        continue
      }
      let name = unsafe text.part(from: start, endsAtEquals: true)
      guard let decoded = unsafe decoded(name, of: text) else { return false }
      // A part without escapes has the same range decoded.
      let known =
        name.isPlain
        ? unsafe index.index(of: UnsafeBufferPointer(rebasing: text[decoded])) : self.index(ofNameAt: decoded)
      var entry = Entry(known: known, name: decoded)
      start = name.range.upperBound
      if start < text.count, unsafe text[start] == UInt8(ascii: "=") {
        let value = unsafe text.part(from: start + 1, endsAtEquals: false)
        guard let decoded = unsafe self.decoded(value, of: text) else { return false }
        entry.value = (value.range, decoded)
        start = value.range.upperBound
      }
      add(entry)
      start += 1
    }
    return true
  }

  /// The range of a part's decoded text; nil if it cannot be decoded.
  private mutating func decoded(_ part: (range: Range<Int>, isPlain: Bool), of text: UnsafeBufferPointer<UInt8>)
    -> Range<Int>?
  {
    if part.isPlain { return part.range }
    let start = bytes.count
    return unsafe text.decode(part.range, into: &bytes) ? start..<bytes.count : nil
  }

  @inline(__always)
  private mutating func add(_ entry: Entry) {
    if entry.value != nil {
      if let known = entry.known { slots[known] = Int32(truncatingIfNeeded: entries.count) }
      if entry.known.map({ $0 >= QueryParameter.names.count }) ?? true { hasOthers = true }
    }
    entries.append(entry)
  }

  private func index(ofNameAt place: Range<Int>) -> Int? {
    unsafe bytes.withUnsafeBufferPointer { unsafe Self.index.index(of: UnsafeBufferPointer(rebasing: $0[place])) }
  }

  /// The index of a name in ``names``.
  static func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { unsafe index.index(of: $0) }
  }

  private func text(_ place: Range<Int>) -> String { String(decoding: bytes[place], as: UTF8.self) }

  /// All parameters in order.
  package var items: [Item] {
    entries.map {
      Item(name: text($0.name), raw: $0.value.map { text($0.raw) }, value: $0.value.map { text($0.decoded) })
    }
  }

  /// The index in ``names`` for the name of each parameter; nil for other names.
  var knownNames: [Int?] { entries.map(\.known) }

  /// The value of the last parameter of that name; nil if it is absent or a bare name.
  package subscript(name: String) -> String? { value(name).map { text($0.decoded) } }

  /// The value of a name, still encoded.
  package func raw(_ name: String) -> String? { value(name).map { text($0.raw) } }

  /// The value at an index of ``names``.
  subscript(known known: Int) -> String? { value(known).map { text($0.decoded) } }

  /// The decoded value of a parameter of the phone.
  func bytes(of parameter: QueryParameter) -> ArraySlice<UInt8>? { value(parameter.rawValue).map { bytes[$0.decoded] } }

  private func value(_ known: Int) -> (raw: Range<Int>, decoded: Range<Int>)? {
    slots[known] < 0 ? nil : entries[Int(slots[known])].value
  }

  private func value(_ name: String) -> (raw: Range<Int>, decoded: Range<Int>)? {
    if let known = Self.index(of: name) { return value(known) }
    return entries.last { $0.known == nil && $0.value != nil && bytes[$0.name].elementsEqual(name.utf8) }?.value
  }
}

// MARK: Other names

extension SentParameters {
  /// Assigns the values of other names to parameters of the phone, and clears all other slots.
  mutating func rename(_ names: [(parameter: QueryParameter, name: String)]) {
    let given = slots
    slots = Self.emptySlots
    for (parameter, name) in names {
      if let known = Self.index(of: name) { slots[parameter.rawValue] = given[known] }
    }
  }

  /// Sets the value of a parameter of the phone.
  mutating func set(_ parameter: QueryParameter, to value: String) {
    let start = bytes.count
    bytes += value.utf8
    add(Entry(known: parameter.rawValue, name: start..<start, value: (start..<bytes.count, start..<bytes.count)))
  }
}

// MARK: Without secrets

extension SentParameters {
  /// The decoded values as an object for a journal, sorted by name and without secrets (``SecretParameter``). For a
  /// repeated name the last value counts.
  package var redactedJSON: JSON {
    let values = Dictionary(items.map { (SecretParameter.redacted(text: $0.name), $0.redactedValue) }) { $1 }
    return .object(
      values.sorted { $0.key.literallyPrecedes($1.key) }.map { ($0.key, .optional($0.value)) })
  }

  /// Adds the parameters that have a value as an object on one line, sorted by name and without secrets.
  package func writeRedacted(to writer: inout JSONWriter) {
    var rest = (hasOthers ? others : [])[...]
    func write(_ other: (name: String, value: String), to writer: inout JSONWriter) {
      writer.key(SecretParameter.redacted(text: other.name))
      writer.append(
        SecretParameter.isSecret(other.name) ? SecretParameter.mark : SecretParameter.redacted(text: other.value))
    }
    writer.beginObject()
    for index in 0..<QueryParameter.names.count where slots[index] >= 0 {
      guard let place = value(index)?.decoded else { continue }
      while let other = rest.first, other.name.literallyPrecedes(QueryParameter.names[index]) {
        write(other, to: &writer)
        rest.removeFirst()
      }
      writer.key(index, of: QueryParameter.quotedNames)
      if index == QueryParameter.sdkKey.rawValue {
        writer.append(SecretParameter.mark)
        continue
      }
      unsafe bytes.withUnsafeBufferPointer { bytes in
        let value = unsafe UnsafeBufferPointer(rebasing: bytes[place])
        // Nearly every value is plain: it contains no secret and needs no escape.
        let plainEnd = unsafe value.firstOffset(from: 0, to: value.count) { word in
          word.controlMarks | word.marks(UInt8(ascii: "\"")) | word.marks(UInt8(ascii: "\\"))
            | word.marks(UInt8(ascii: "=")) | word.marks(UInt8(ascii: ":")) | word.marks(0x7F) | word
        }
        if plainEnd == value.count {
          unsafe writer.append(plain: value)
        } else if unsafe value[plainEnd...].contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
          writer.append(SecretParameter.redacted(text: text(place)))
        } else {
          unsafe writer.append(utf8: value)
        }
      }
    }
    for other in rest { write(other, to: &writer) }
    writer.endObject()
  }

  /// The values whose names are not in ``QueryParameter``, sorted by name. For a repeated name the last value counts.
  /// Names are compared by code points.
  private var others: [(name: String, value: String)] {
    var values: [[UInt8]: String] = [:]
    for entry in entries where entry.known.map({ $0 >= QueryParameter.names.count }) ?? true {
      if let value = entry.value { values[Array(bytes[entry.name])] = text(value.decoded) }
    }
    return values.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }.sorted {
      $0.name.literallyPrecedes($1.name)
    }
  }
}

extension SentParameters.Item {
  fileprivate var redactedValue: String? {
    value.map { SecretParameter.isSecret(name) ? SecretParameter.mark : SecretParameter.redacted(text: $0) }
  }
}

// MARK: The encoding

extension UnsafeBufferPointer<UInt8> {
  /// The name or the value that begins at a position, and whether it is plain: ASCII without an escape or `+`.
  @inline(__always)
  fileprivate func part(from start: Int, endsAtEquals: Bool) -> (range: Range<Int>, isPlain: Bool) {
    var position = unsafe mark(from: start)
    var isPlain = true
    while position < count {
      let byte = unsafe self[position]
      if byte == UInt8(ascii: "&") || (endsAtEquals && byte == UInt8(ascii: "=")) { break }
      if byte != UInt8(ascii: "=") { isPlain = false }
      position = unsafe mark(from: position + 1)
    }
    return (start..<position, isPlain)
  }

  /// The first offset from `start` on of `&`, `=`, `%`, `+` or a non-ASCII byte; the count if there is none.
  @inline(__always)
  private func mark(from start: Int) -> Int {
    unsafe firstOffset(from: start, to: count) { word in
      word.marks(UInt8(ascii: "&")) | word.marks(UInt8(ascii: "=")) | word.marks(UInt8(ascii: "%"))
        | word.marks(UInt8(ascii: "+")) | word
    }
  }

  /// Appends a part of a query with percent escapes and `+` decoded.
  ///
  /// - Returns: false if an escape is broken or the result is not UTF-8.
  fileprivate func decode(_ part: Range<Int>, into bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    var isASCII = true
    var position = part.lowerBound
    while position < part.upperBound {
      var byte = unsafe self[position]
      if byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      } else if byte == UInt8(ascii: "%") {
        guard position + 2 < part.upperBound, let high = unsafe self[position + 1].hexValue,
          let low = unsafe self[position + 2].hexValue
        else { return false }
        byte = UInt8(high << 4 | low)
        position += 2
      }
      if byte >= 0x80 { isASCII = false }
      bytes.append(byte)
      position += 1
    }
    return isASCII || String(validating: bytes[start...], as: UTF8.self) != nil
  }
}
