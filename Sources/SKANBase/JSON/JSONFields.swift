/// A value that is written as JSON of a known form.
package protocol JSONWritable: SendableMetatype {
  static var jsonForm: JSONForm { get }

  /// The keys of the object, or of each object in the list, with a line of text for each.
  static var jsonKeys: [JSONKeyText] { get }

  func write(to writer: inout JSONWriter)
}

/// A key of an object, and one line of text about it.
package typealias JSONKeyText = (name: String, text: String)

extension JSONWritable {
  package static var jsonKeys: [JSONKeyText] { [] }

  /// The value as ``JSON``.
  package var json: JSON {
    var writer = JSONWriter(.line)
    write(to: &writer)
    return writer.value()
  }
}

extension JSONWriter {
  /// The written value, read back.
  fileprivate func value() -> JSON { (try? JSONReader.read(bytes, dialect: .export).value) ?? .null }
}

/// A value that is written as an object described by ``JSONFields``.
package protocol JSONObjectWritable: JSONWritable {
  static var fields: JSONFields<Self> { get }
}

extension JSONObjectWritable {
  package static var jsonForm: JSONForm { fields.form }

  package static var jsonKeys: [JSONKeyText] { fields.keys }

  package func write(to writer: inout JSONWriter) { Self.fields.write(self, to: &writer) }
}

/// A key of a JSON object: its name, its form, a line of text, the function that writes its value, and for objects that
/// are read back the function that reads it.
package struct JSONField<Value>: Sendable {
  package let name: String
  /// Whether every object has the key.
  package let isRequired: Bool
  package let text: String
  // Computed on demand: a command that reads or writes an object does not need the forms of everything it can contain.
  private let makeForm: @Sendable () -> JSONForm
  private let makeKeys: @Sendable () -> [JSONKeyText]
  /// Writes the value, or nothing if the member is absent.
  fileprivate let write: @Sendable (Value, inout JSONWriter) -> Void
  /// Reads the value; leaves the member as it is if the key is absent, or after a problem. Returns false if the object
  /// is of no use then.
  fileprivate let read: Reading?

  package typealias Reading = @Sendable (inout Value, inout JSONObjectReader) -> Bool

  private init(
    _ name: String, _ text: String, form: @escaping @Sendable () -> JSONForm,
    keys: @escaping @Sendable () -> [JSONKeyText] = { [] }, isRequired: Bool, read: Reading? = nil,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    (self.name, self.text, self.isRequired) = (name, text, isRequired)
    (makeForm, makeKeys, self.write, self.read) = (form, keys, write, read)
  }

  package var form: JSONForm { makeForm() }

  /// The form with the text about the key.
  package var described: JSONForm { described(form) }

  fileprivate func described(_ form: JSONForm) -> JSONForm { text.isEmpty ? form : .described(text, form) }

  /// The keys of the value if it is an object, or of each object if it is a list.
  package var keys: [JSONKeyText] { makeKeys() }

  /// A key that is always present.
  ///
  /// - Parameter form: nil for the form of the value's type.
  package init<Member: JSONWritable>(
    _ name: String, _ text: String = "", as form: JSONForm? = nil,
    _ member: @escaping @Sendable (Value) -> Member
  ) {
    self.init(name, text, of: Member.self, as: form) { value, writer in member(value).write(to: &writer) }
  }

  /// A key that is absent if there is no value.
  package init<Member: JSONWritable>(
    optional name: String, _ text: String = "", as form: JSONForm? = nil,
    _ member: @escaping @Sendable (Value) -> Member?
  ) {
    self.init(optional: name, text, of: Member.self, as: form) { value, writer in member(value)?.write(to: &writer) }
  }

  /// A key whose value is an object with the given fields.
  package init<Member>(
    _ name: String, _ text: String = "", object fields: @autoclosure @escaping @Sendable () -> JSONFields<Member>,
    _ member: @escaping @Sendable (Value) -> Member
  ) {
    self.init(name, text, form: { fields().form }, keys: { fields().keys }, isRequired: true) { value, writer in
      fields().write(member(value), to: &writer)
    }
  }

  /// A key whose value is a list of objects with the given fields.
  package init<Item>(
    _ name: String, _ text: String = "", list fields: @autoclosure @escaping @Sendable () -> JSONFields<Item>,
    _ items: @escaping @Sendable (Value) -> [Item]
  ) {
    self.init(name, text, form: { .list(fields().form) }, keys: { fields().keys }, isRequired: true) { value, writer in
      writer.array(items(value), fields().write)
    }
  }

  /// A key whose value is a list of objects; absent if the list is nil.
  package init<Item>(
    optional name: String, _ text: String = "", list fields: @autoclosure @escaping @Sendable () -> JSONFields<Item>,
    _ items: @escaping @Sendable (Value) -> [Item]?
  ) {
    self.init(name, text, form: { .list(fields().form) }, keys: { fields().keys }, isRequired: false) { value, writer in
      if let items = items(value) { writer.array(items, fields().write) }
    }
  }

  /// A key whose value is an object; absent if the object is nil.
  package init<Member>(
    optional name: String, _ text: String = "",
    object fields: @autoclosure @escaping @Sendable () -> JSONFields<Member>,
    _ member: @escaping @Sendable (Value) -> Member?
  ) {
    self.init(optional: name, text, object: fields()) { value, writer in
      if let member = member(value) { fields().write(member, to: &writer) }
    }
  }

  /// A key that is always present and whose value a function writes.
  package init(
    _ name: String, _ text: String = "", as form: JSONForm,
    writing write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(name, text, form: { form }, isRequired: true, write: write)
  }

  /// A key whose value a function writes. It is for objects written millions of times: the function writes a concrete
  /// type instead of returning a generic value.
  ///
  /// - Parameters:
  ///   - type: the type of the value, for its form.
  ///   - form: nil for the form of the type.
  package init<Member: JSONWritable>(
    _ name: String, _ text: String, of type: Member.Type, as form: JSONForm? = nil,
    writing write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(
      name, text, form: { form ?? Member.jsonForm }, keys: { Member.jsonKeys }, isRequired: true, write: write)
  }

  /// A key that is absent if the function writes nothing.
  package init<Member: JSONWritable>(
    optional name: String, _ text: String, of type: Member.Type, as form: JSONForm? = nil,
    writing write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(
      name, text, form: { form ?? Member.jsonForm }, keys: { Member.jsonKeys }, isRequired: false, write: write)
  }

  /// A key whose value is an object with the given fields; absent if the function writes nothing.
  package init<Member>(
    optional name: String, _ text: String,
    object fields: @autoclosure @escaping @Sendable () -> JSONFields<Member>,
    writing write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(name, text, form: { fields().form }, keys: { fields().keys }, isRequired: false, write: write)
  }

  /// A key that is read back; if it is absent, the member keeps its value.
  ///
  /// - Parameter usual: the value that is not written; nil if every value is.
  package init<Member: JSONReadable & Equatable & Sendable>(
    _ name: String, _ text: String = "", as form: JSONForm? = nil,
    at path: any WritableKeyPath<Value, Member> & Sendable, unless usual: Member? = nil
  ) {
    self.init(name, text, form, isRequired: usual == nil) {
      $0[keyPath: path] = $1
    } write: {
      if usual == nil || $0[keyPath: path] != usual { $0[keyPath: path].write(to: &$1) }
    }
  }

  /// A key that is read back, and that an object must have.
  package init<Member: JSONReadable>(
    required name: String, _ text: String = "", as form: JSONForm? = nil,
    at path: any WritableKeyPath<Value, Member> & Sendable
  ) {
    self.init(name, text, form, isRequired: true, isNeeded: true) {
      $0[keyPath: path] = $1
    } write: {
      $0[keyPath: path].write(to: &$1)
    }
  }

  /// A key that is absent if there is no value, and read back.
  package init<Member: JSONReadable>(
    optional name: String, _ text: String = "", as form: JSONForm? = nil,
    at path: any WritableKeyPath<Value, Member?> & Sendable
  ) {
    self.init(name, text, form, isRequired: false) { (value, member: Member) in
      value[keyPath: path] = member
    } write: {
      $0[keyPath: path]?.write(to: &$1)
    }
  }

  private init<Member: JSONReadable>(
    _ name: String, _ text: String, _ form: JSONForm?, isRequired: Bool, isNeeded: Bool = false,
    set: @escaping @Sendable (inout Value, Member) -> Void,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(
      name, text, form: { form ?? Member.jsonForm }, keys: { Member.jsonKeys }, isRequired: isRequired,
      read: {
        let member = Member.read(JSONKey(name), as: form, from: &$1)
        if let member { set(&$0, member) }
        return !isNeeded || $1.require(JSONKey(name), member) != nil
      }, write: write)
  }

  /// A key whose value functions read and write; absent if nothing is written.
  package init(
    optional name: String, _ text: String = "", as form: @escaping @autoclosure @Sendable () -> JSONForm,
    reading read: @escaping @Sendable (inout Value, inout JSONObjectReader) -> Void,
    writing write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(
      name, text, form: form, isRequired: false,
      read: {
        read(&$0, &$1)
        return true
      }, write: write)
  }

  /// This key for a type that contains the value.
  package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Value) -> JSONField<Whole> {
    JSONField<Whole>(name, text, form: makeForm, keys: makeKeys, isRequired: isRequired) { [write] whole, writer in
      write(part(whole), &writer)
    }
  }

  /// This key for a type that may contain the value; absent if it does not.
  package func optional<Whole>(of part: @escaping @Sendable (Whole) -> Value?) -> JSONField<Whole> {
    JSONField<Whole>(name, text, form: makeForm, keys: makeKeys, isRequired: false) { [write] whole, writer in
      if let part = part(whole) { write(part, &writer) }
    }
  }
}

/// The keys of an object, one row each. The written object, its schema, the values that can be expected, and the tables
/// in help and manual are all derived from the rows.
package final class JSONFields<Value>: Sendable {
  /// The rows in the order of the documentation, which is also the order of writing if keys are not sorted.
  package let rows: [JSONField<Value>]
  package let names: [String]
  /// The keys for the reader of an object that is read back; empty for other objects.
  package let known: JSONKeys
  private let declared: Members
  private let sorted: Members

  /// The members in the order of writing. A linked chain, because this type is generic and an array would look up its
  /// element type for each object.
  private struct Members: Sendable {
    let first: Member?

    init(_ rows: [JSONField<Value>], _ order: [Int]) {
      var first: Member?
      for index in order.reversed() { first = Member(rows[index], next: first) }
      self.first = first
    }

    func write(_ value: Value, to writer: inout JSONWriter) { first?.write(value, to: &writer) }

    func read(into value: inout Value, from reader: inout JSONObjectReader) -> Bool {
      first?.read(into: &value, from: &reader) ?? true
    }
  }

  private final class Member: Sendable {
    let name: WrittenName
    let value: @Sendable (Value, inout JSONWriter) -> Void
    let read: JSONField<Value>.Reading?
    let next: Member?

    init(_ row: JSONField<Value>, next: Member?) {
      (name, value, read, self.next) = (WrittenName(row.name), row.write, row.read, next)
    }

    func read(into whole: inout Value, from reader: inout JSONObjectReader) -> Bool {
      let isUsable = read?(&whole, &reader) ?? true
      return next?.read(into: &whole, from: &reader) ?? true && isUsable
    }

    // Each member calls the next one: a loop would retain and release each member.
    func write(_ whole: Value, to writer: inout JSONWriter) {
      writer.member(name) { value(whole, &$0) }
      next?.write(whole, to: &writer)
    }
  }

  // Uses indices instead of sequences and key paths, which look up generic types at each start.
  package init(_ rows: [JSONField<Value>]) {
    let names = rows.indices.map { rows[$0].name }
    (self.rows, self.names) = (rows, names)
    known = JSONKeys(rows.indices.contains { rows[$0].read != nil } ? names : [])
    declared = Members(rows, Array(names.indices))
    sorted = Members(rows, names.indices.sorted { names[$0].literallyPrecedes(names[$1]) })
  }

  package convenience init(@Rows _ rows: () -> [JSONField<Value>]) { self.init(rows()) }

  package var keys: [JSONKeyText] { rows.map { ($0.name, $0.text) } }

  package var form: JSONForm {
    .object(rows.map { ($0.name, $0.described) }, required: rows.filter(\.isRequired).map(\.name), others: nil)
  }

  /// The form that a reader accepts, which may require fewer keys than are written.
  ///
  /// - Parameter forms: the keys that have another form when read.
  package func form(requiring required: [String], _ forms: [String: JSONForm] = [:]) -> JSONForm {
    .object(rows.map { ($0.name, $0.described(forms[$0.name] ?? $0.form)) }, required: required, others: nil)
  }

  /// The rows of these keys, in the order given.
  package func only(_ names: [String]) -> JSONFields {
    JSONFields(names.compactMap { self.names.firstIndex(of: $0) }.map { rows[$0] })
  }

  /// Reads the keys into a value, which has the values of absent keys; problems stay in the reader.
  ///
  /// - Returns: false if a required key gives no value.
  @discardableResult
  package func read(into value: inout Value, from reader: inout JSONObjectReader) -> Bool {
    declared.read(into: &value, from: &reader)
  }

  package func write(_ value: Value, to writer: inout JSONWriter) {
    writer.beginObject()
    if writer.layout.isLiteral { declared.write(value, to: &writer) } else { sorted.write(value, to: &writer) }
    writer.endObject()
  }

  /// The object on one line.
  package func text(_ value: Value) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.string
  }

  /// The object as ``JSON``, limited to the given keys.
  package func json(_ value: Value, keys: Set<String>? = nil) -> JSON {
    var writer = JSONWriter(.line)
    writer.beginObject()
    Members(rows, rows.indices.filter { keys?.contains(names[$0]) ?? true }).write(value, to: &writer)
    writer.endObject()
    return writer.value()
  }

  @resultBuilder package enum Rows {
    package static func buildExpression(_ row: JSONField<Value>) -> [JSONField<Value>] { [row] }

    package static func buildExpression(_ rows: [JSONField<Value>]) -> [JSONField<Value>] { rows }

    package static func buildPartialBlock(first: [JSONField<Value>]) -> [JSONField<Value>] { first }

    package static func buildPartialBlock(
      accumulated: consuming [JSONField<Value>], next: [JSONField<Value>]
    ) -> [JSONField<Value>] {
      for index in next.indices { accumulated.append(next[index]) }
      return accumulated
    }
  }
}

// MARK: Values of one token, and lists

extension JSON: JSONWritable {
  package static var jsonForm: JSONForm { .any }

  package func write(to writer: inout JSONWriter) { writer.append(self) }

  package var json: JSON { self }
}

extension String: JSONWritable {
  package static var jsonForm: JSONForm { .text }

  package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension Bool: JSONWritable {
  package static var jsonForm: JSONForm { .bool }

  package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension Double: JSONWritable {
  package static var jsonForm: JSONForm { .number }

  package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension Int64: JSONWritable {
  package static var jsonForm: JSONForm { .integer }

  package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension Int: JSONWritable {
  package static var jsonForm: JSONForm { .count }

  package func write(to writer: inout JSONWriter) { writer.append(Int64(self)) }

  package var json: JSON { .integer(Int64(self)) }
}

extension JSONWritable where Self: RawRepresentable<String> & CaseIterable {
  package static var jsonForm: JSONForm { .names(allCases.map(\.rawValue)) }

  package func write(to writer: inout JSONWriter) { writer.append(rawValue) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  package static var jsonForm: JSONForm { Wrapped.jsonForm.orNull }

  package static var jsonKeys: [JSONKeyText] { Wrapped.jsonKeys }

  package func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

/// A map is written with sorted keys in every layout.
extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  package static var jsonForm: JSONForm { .map(of: Value.jsonForm) }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      writer.key(key)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package static var jsonForm: JSONForm { .list(Element.jsonForm) }

  package static var jsonKeys: [JSONKeyText] { Element.jsonKeys }

  package func write(to writer: inout JSONWriter) { writer.array(self) { $0.write(to: &$1) } }
}
