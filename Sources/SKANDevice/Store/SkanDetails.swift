import SKANBase

/// The result of `getSkanDetails`: the entries that are set, with numbers as decimal text and revenue as dictionaries.
///
/// SKAN 3 has no such method; its four entries are returned in the same form.
package struct SkanDetails: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    case revenue(RevenueTable)

    /// The value of a query parameter: a text unchanged, sums as JSON text.
    var requestText: String {
      switch self {
      case .text(let text): text
      case .revenue(let table): table.requestText
      }
    }
  }

  private let kept: KeptState
  private let api: EndpointAPI

  /// Reads the store like the snippet.
  ///
  /// - Throws: ``PoisonedEntry`` if an entry is a string: it has no `stringValue`, and the app crashes.
  package init(of kept: KeptState, snippet: SnippetVersion) throws(PoisonedEntry) {
    api = snippet.rules.api
    if let poison = kept.poison(in: api) { throw poison }
    self.kept = kept
  }

  /// The entries, in the order of a request.
  package var entries: [(key: StoreEntry, value: Value)] {
    api.entries.compactMap { key in
      if let table = kept.revenue(key) { return (key, .revenue(table)) }
      return kept.value(key)?.decimalText.map { (key, .text($0)) }
    }
  }

  /// The text of an entry in a request; nil if it is not set.
  subscript(entry: StoreEntry) -> String? { entries.first { $0.key == entry }?.value.requestText }

  package static func == (left: SkanDetails, right: SkanDetails) -> Bool {
    left.entries.elementsEqual(right.entries) { $0.key == $1.key && $0.value == $1.value }
  }

  /// The entries as query parameters.
  package var queryItems: [QueryItem] {
    entries.map { key, value in QueryItem(key.name, value.requestText) }
  }
}

extension KeptState {
  /// The parameters that the app's server appends to its own requests. SKAN 3 omits a conversion value that is not set,
  /// where the guide's sample crashes.
  ///
  /// - Throws: ``PoisonedEntry`` if reading the store crashes the app.
  package func metadata(of snippet: SnippetVersion) throws(PoisonedEntry) -> [QueryItem] {
    let details = try SkanDetails(of: self, snippet: snippet)
    let api = snippet.rules.api
    guard api.sendsUnset else { return details.queryItems }
    return api.forwarded.compactMap { entry in
      guard let name = entry.forwardedName(in: api), let text = details[entry] ?? entry.unsetText else {
        return nil
      }
      return QueryItem(name, text)
    }
  }
}

/// An object whose members are sorted by name.
extension SkanDetails: JSONWritable {
  package static var jsonForm: JSONForm {
    .object(StoreEntry.all.map { ($0.name, $0.isRevenue ? RevenueTable.jsonForm : .text) }, required: [], others: nil)
  }

  package func write(to writer: inout JSONWriter) { kept.writeDetails(in: api, to: &writer) }
}

extension KeptState {
  /// The first entry, in the order of `getSkanDetails`, whose reading crashes the app; nil if there is none.
  func poison(in api: EndpointAPI) -> PoisonedEntry? {
    // SKAN 3 stores only numbers.
    if api == .v1 || odd == nil { return nil }
    for entry in StoreEntry.asAnswered {
      if let value = value(entry), value.isString { return PoisonedEntry(key: entry, value: value) }
    }
    return nil
  }

  /// Writes the result of `getSkanDetails`; null if it crashes the app.
  ///
  /// - Parameter owner: the object under which the writer remembers the entries.
  package func writeDetails(of snippet: SnippetVersion, to writer: inout JSONWriter, owner: ObjectIdentifier) {
    let api = snippet.rules.api
    if poison(in: api) == nil { writeDetails(in: api, to: &writer, owner: owner) } else { writer.null() }
  }

  fileprivate func writeDetails(in api: EndpointAPI, to writer: inout JSONWriter, owner: ObjectIdentifier? = nil) {
    let (slots, names) = (api.slotsByName, StoreEntry.quotedNames)
    writer.beginObject()
    writer.beginMembers(of: owner)
    for position in slots.indices {
      writeEntry(slots[position], names, to: &writer)
      writer.endMember(position)
    }
    writer.endObject()
  }

  /// Writes the result of `getSkanDetails`; null if it crashes the app.
  ///
  /// - Parameter difference: from other details, whose equal entries are copied.
  package func writeDetails(
    of snippet: SnippetVersion, to writer: inout JSONWriter, copyingExcept difference: Difference
  ) {
    let api = snippet.rules.api
    if poison(in: api) != nil { return writer.null() }
    writer.beginObject()
    copyEntries(in: api, except: difference, to: &writer)
    writer.endObject()
  }

  /// Writes the entries sorted by name, copying those that do not differ if the writer remembers the other ones.
  ///
  /// - Parameter hasSumsAsText: whether sums are written as in a request.
  func copyEntries(
    in api: EndpointAPI, except difference: Difference, hasSumsAsText: Bool = false, to writer: inout JSONWriter
  ) {
    let (slots, names) = (api.slotsByName, StoreEntry.quotedNames)
    let canCopy = writer.hasMembers(of: difference.owner) && !difference.isWhole
    let differing = difference.slots | (hasSumsAsText ? StoredSums.slotBits : 0)
    var rest = canCopy ? differing : .max
    var (position, copied) = (0, 0)
    while rest != 0, position < slots.count {
      let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: slots[position])
      if rest & bit != 0 {
        if canCopy { writer.copyMembers(copied..<position) }
        writeEntry(slots[position], names, hasSumsAsText: hasSumsAsText, to: &writer)
        copied = position + 1
        rest &= ~bit
      }
      position += 1
    }
    if canCopy { writer.copyMembers(copied..<slots.count) }
  }

  /// Writes the entry of a slot as a member; nothing if it is empty.
  @inline(__always)
  private func writeEntry(
    _ slot: Int, _ names: borrowing WrittenNames, hasSumsAsText: Bool = false, to writer: inout JSONWriter
  ) {
    if StoredSums.slots.contains(slot) {
      guard let table = sums[slot] else { return }
      writer.key(slot, of: names)
      if hasSumsAsText { writer.append(quotedSums: table) } else { table.write(to: &writer) }
    } else {
      guard let value = value(inSlot: slot) else { return }
      writer.key(slot, of: names)
      writer.append(decimal: value)
    }
  }

  /// The entries in which a store may differ from another one.
  package struct Difference {
    /// The object under which a writer remembers the entries of the other one.
    fileprivate let owner: ObjectIdentifier
    /// A bit for each slot.
    fileprivate let slots: UInt32

    fileprivate var isWhole: Bool { slots == .max }

    /// Whether the stores are equal.
    package var isEmpty: Bool { slots == 0 }
  }

  /// The entries in which this store may differ from another one: all, if either has odd values.
  ///
  /// - Parameter owner: the object under which a writer remembers the entries of the other one.
  package func difference(from other: KeptState, owner: ObjectIdentifier) -> Difference {
    if odd != nil || other.odd != nil { return Difference(owner: owner, slots: .max) }
    let ofSums = sums.isIdentical(to: other.sums) ? 0 : StoredSums.slotBits
    return Difference(owner: owner, slots: values.slotsDiffering(from: other.values) | ofSums)
  }
}

extension JSONWriter {
  /// Adds the decimal text of a value, which needs no escapes.
  mutating func append(decimal value: KeptValue) {
    if case .integer(let number) = value, (0..<10).contains(number) {
      return text.append(word: 0x22_30_22 | UInt64(truncatingIfNeeded: number) << 8, count: 3)
    }
    text.append(UInt8(ascii: "\""))
    text.append(decimal: value)
    text.append(UInt8(ascii: "\""))
  }
}

/// The entry of the store whose reading crashes the app; see the article "Hazards".
package struct PoisonedEntry: Error, Sendable, Equatable {
  package var key: StoreEntry
  package var value: KeptValue
}
