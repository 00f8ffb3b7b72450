/// Writes JSON as UTF-8 into one buffer; equal values give equal bytes.
///
/// Control characters, line separators and other characters that are hidden or change text direction are escaped.
/// Slashes are not.
public struct JSONWriter: ~Copyable {
  /// How the text is laid out. The first bit of the raw value stands for indentation, the second for keeping the order
  /// of keys and the notation of numbers: both are tested for every value.
  public enum Layout: UInt8, Sendable {
    /// One line without spaces, keys sorted: a result in a stream.
    case compact = 0b00
    /// Two spaces of indentation, keys sorted: a result for a person.
    case indented = 0b01
    /// One line without spaces, keys in the order given, 5.0 distinct from 5: a step of a list.
    case line = 0b10
    /// Two spaces of indentation, keys in the order given, 5.0 distinct from 5: a file that a person edits and that
    /// must read back exactly.
    case file = 0b11

    @inline(__always)
    package var isIndented: Bool { rawValue & 0b01 != 0 }

    @inline(__always)
    package var isLiteral: Bool { rawValue & 0b10 != 0 }
  }

  package let layout: Layout
  /// The text written so far.
  public var text = ByteText()
  private var depth = 0
  /// Whether the open object or array has a member or item.
  package var hasItems = false

  package init(_ layout: Layout = .compact) { self.layout = layout }

  /// The bytes written so far.
  package var bytes: [UInt8] { text.array }

  /// The text written so far.
  package var string: String { text.string }

  // MARK: Values

  // As words, because `null` and flags are frequent: their letters in ASCII, the first in the lowest byte.

  @inline(__always)
  package mutating func null() { text.append(word: 0x6C_6C_75_6E, count: 4) }

  @inline(__always)
  package mutating func append(_ flag: Bool) {
    text.append(word: flag ? 0x65_75_72_74 : 0x65_73_6C_61_66, count: flag ? 4 : 5)
  }

  @inline(__always)
  package mutating func append(_ number: Int64) { text.append(number) }

  @inline(__always)
  package mutating func append(_ number: UInt64) { text.append(number) }

  package mutating func append(_ number: Double) {
    if layout.isLiteral { text.append(number.description) } else { text.append(number) }
  }

  @inline(__always)
  package mutating func append(_ string: String) { text.appendQuoted(string) }

  /// Adds UTF-8 text; invalid bytes become U+FFFD.
  package mutating func append(utf8: [UInt8]) { unsafe utf8.withUnsafeBufferPointer { unsafe append(utf8: $0) } }

  /// Adds UTF-8 text; invalid bytes become U+FFFD.
  package mutating func append(utf8: UnsafeBufferPointer<UInt8>) { unsafe text.appendQuoted(utf8) }

  /// Adds a text that needs no escapes.
  package mutating func append(plain: UnsafeBufferPointer<UInt8>) {
    text.append(UInt8(ascii: "\""))
    unsafe text.append(plain)
    text.append(UInt8(ascii: "\""))
  }

  /// Adds the text that `write` adds, quoted and escaped.
  package mutating func append(quoting write: (inout ByteText) -> Void) { text.appendQuoted(write) }

  /// Adds the text that `write` adds, which needs no escapes, in quotes.
  @inline(__always)
  package mutating func append(quotingPlain write: (inout ByteText) -> Void) {
    text.append(UInt8(ascii: "\""))
    write(&text)
    text.append(UInt8(ascii: "\""))
  }

  package mutating func append(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let flag): append(flag)
    case .integer(let number): append(number)
    case .unsigned(let number): append(number)
    case .double(let number): append(number)
    case .string(let string): append(string)
    case .array(let items): array(items) { $1.append($0) }
    case .object(let members):
      object(count: members.count, key: { members[$0].key }) { $1.append(members[$0].value) }
    }
  }

  // MARK: Objects and arrays

  /// Begins an object.
  @inline(__always)
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the open object.
  @inline(__always)
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins a member of the open object; the caller writes its value next.
  package mutating func key(_ name: String) {
    beginItem()
    text.appendQuoted(name)
    text.append(UInt8(ascii: ":"))
    if layout.isIndented { text.append(UInt8(ascii: " ")) }
  }

  /// Begins a member of the open object; its name, which `write` adds, must need no escapes.
  @inline(__always)
  public mutating func key(quoting write: (inout ByteText) -> Void) {
    beginItem()
    text.append(UInt8(ascii: "\""))
    write(&text)
    text.append(UInt8(ascii: "\""))
    text.append(UInt8(ascii: ":"))
    if layout.isIndented { text.append(UInt8(ascii: " ")) }
  }

  /// Writes an object whose keys are known only at run time; they are sorted if the layout sorts keys.
  package mutating func object(count: Int, key name: (Int) -> String, _ value: (Int, inout JSONWriter) -> Void) {
    let positions = layout.isLiteral ? nil : KeyOrder.positions(count, name)
    beginObject()
    for index in 0..<count {
      let position = positions?[index] ?? index
      key(name(position))
      value(position, &self)
    }
    endObject()
  }

  package mutating func array<Item>(_ items: [Item], _ write: (Item, inout JSONWriter) -> Void) {
    beginArray()
    for item in items {
      beginItem()
      write(item, &self)
    }
    endArray()
  }

  /// Begins an array; the caller calls ``beginItem()`` before each item.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  package mutating func endArray() { end(UInt8(ascii: "]")) }

  @inline(__always)
  private mutating func begin(_ bracket: UInt8) {
    text.append(bracket)
    depth += 1
    hasItems = false
  }

  @inline(__always)
  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if layout.isIndented, hasItems { beginLine() }
    text.append(bracket)
    hasItems = true
  }

  /// Begins an item of the open array; the caller writes its value next.
  @inline(__always)
  public mutating func beginItem() {
    if hasItems { text.append(UInt8(ascii: ",")) }
    hasItems = true
    if layout.isIndented { beginLine() }
  }

  @inline(never)
  private mutating func beginLine() { text.append("\n" + String(repeating: "  ", count: depth)) }
}

extension JSONWriter {
  /// `value` as text, without a line end.
  package static func text(_ value: some JSONWritable, layout: Layout = .compact) -> String {
    String(writing: { write(value, layout: layout, into: &$0) })
  }

  package static func text(_ value: JSON, layout: Layout = .compact) -> String {
    let value: some JSONWritable = value
    return text(value, layout: layout)
  }

  /// Adds the text of `value`.
  package static func write(_ value: some JSONWritable, layout: Layout = .compact, into bytes: inout [UInt8]) {
    var text = ByteText()
    write(value, layout: layout, into: &text)
    text.append(to: &bytes)
  }

  /// Adds the text of `value`.
  package static func write(_ value: some JSONWritable, layout: Layout = .compact, into text: inout ByteText) {
    var writer = JSONWriter(layout)
    swap(&writer.text, &text)
    value.write(to: &writer)
    swap(&writer.text, &text)
  }

  package static func write(_ value: JSON, layout: Layout = .compact, into bytes: inout [UInt8]) {
    let value: some JSONWritable = value
    write(value, layout: layout, into: &bytes)
  }

  /// `string` in quotes, with the escapes that a line of output needs.
  package static func quoted(_ string: String) -> String {
    String(writing: { $0.appendQuoted(string) })
  }

}

extension String {
  /// The text on one line for a person: characters that are hidden or move others are escaped.
  package var oneLine: String {
    var text = self
    let isOneLine = text.withUTF8 { unsafe $0.needsNoEscape(keepsQuotes: true) }
    return isOneLine ? self : String(writing: { $0.append(oneLine: self) })
  }
}

extension Double {
  /// The shortest text that reads back as this number; whole numbers have no fraction: `5`, `-0`, `9.99`, `1e-50`.
  package var jsonText: String { String(writing: { $0.append(self) }) }
}

private enum KeyOrder {
  /// The positions of the members in code point order of their keys; nil if they are already in that order.
  static func positions(_ count: Int, _ name: (Int) -> String) -> [Int]? {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { beginnings in
      for position in 0..<count { unsafe beginnings.initializeElement(at: position, to: name(position).beginning) }
      func precedes(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = unsafe (beginnings[left], beginnings[right])
        return one == other ? name(left).literallyPrecedes(name(right)) : one < other
      }
      // Moving positions is cheaper than moving members.
      let positions = 0..<count
      return positions.dropFirst().allSatisfy { precedes($0 - 1, $0) } ? nil : positions.sorted(by: precedes)
    }
  }
}

extension String {
  /// The first eight bytes as a number, which nearly always decides the order of two texts.
  fileprivate var beginning: UInt64 {
    var text = self
    return text.withUTF8 { bytes in
      if bytes.count >= 8 { return unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self).bigEndian }
      var number: UInt64 = 0
      for index in bytes.indices { unsafe number = number << 8 | UInt64(bytes[index]) }
      return bytes.isEmpty ? 0 : number << UInt64(8 * (8 - bytes.count))
    }
  }
}

// MARK: Prepared names

/// The text that begins a member, prepared as bytes.
package struct WrittenName: Sendable {
  /// At most 64 bytes, so that all are copied at once, together with the unused ones after the name.
  private var bytes = SIMD64<UInt8>()
  private let count: Int

  /// The bytes that writing a name may need, with a comma before it and a space after it.
  fileprivate static var room: Int { 66 }

  /// Prepares the name of a JSON member.
  init(_ name: String) { self.init(text: JSONWriter.quoted(name) + ":") }

  fileprivate init(text: String) {
    count = text.utf8.count
    for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
  }

  /// Adds the name to a text, which must have room for it (``ByteText/makeRoomForName()``).
  @inline(__always)
  fileprivate func write(to text: inout ByteText) {
    unsafe UnsafeMutableRawBufferPointer(text.bytes).storeBytes(
      of: bytes, toByteOffset: text.count, as: SIMD64<UInt8>.self)
    text.count &+= count
  }
}

/// Member names, each prepared.
package struct WrittenNames: Sendable {
  fileprivate let names: [WrittenName]

  /// Prepares the names of JSON members.
  package init(_ names: [String]) { self.names = names.map { WrittenName($0) } }

  /// - Parameter text: the text that begins a member with this name.
  package init(_ names: [String], as text: (String) -> String) {
    self.names = names.map { WrittenName(text: text($0)) }
  }
}

extension ByteText {
  /// Makes room for a ``WrittenName``.
  @inline(__always)
  fileprivate mutating func makeRoomForName() {
    if unsafe bytes.count &- count < WrittenName.room { grow(by: WrittenName.room) }
  }

  /// Adds the text that begins a member.
  @inline(__always)
  package mutating func append(_ index: Int, of names: borrowing WrittenNames) {
    makeRoomForName()
    names.names[index].write(to: &self)
  }
}

extension JSONWriter {
  /// Begins a member of the open object; the caller writes its value next.
  @inline(__always)
  package mutating func key(_ index: Int, of names: WrittenNames) { key(names.names[index]) }

  /// Begins a member of the open object; the caller writes its value next.
  @inline(__always)
  private mutating func key(_ name: @autoclosure () -> WrittenName) {
    if unsafe layout.isIndented || text.bytes.count &- text.count < WrittenName.room { prepareKey() }
    if hasItems, !layout.isIndented {
      unsafe text.bytes[text.count] = UInt8(ascii: ",")
      text.count &+= 1
    }
    // Loaded only now, because the call above would spill it.
    name().write(to: &text)
    unsafe text.bytes[text.count] = UInt8(ascii: " ")
    text.count &+= layout.isIndented ? 1 : 0
    hasItems = true
  }

  @inline(never)
  private mutating func prepareKey() {
    if layout.isIndented { beginItem() }
    text.makeRoomForName()
  }

  /// Adds a member whose value `write` adds. If it adds nothing, the member is absent.
  @inline(__always)
  mutating func member(_ name: @autoclosure () -> WrittenName, _ write: (inout JSONWriter) -> Void) {
    let (start, hadItems) = (text.count, hasItems)
    key(name())
    let end = text.count
    write(&self)
    if text.count > end { return }
    text.count = start
    hasItems = hadItems
  }
}
