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
  package init(of kept: KeptState, in api: EndpointAPI) throws(PoisonedEntry) {
    self.api = api
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
  package func metadata(in api: EndpointAPI) throws(PoisonedEntry) -> [QueryItem] {
    let details = try SkanDetails(of: self, in: api)
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
  package func writeDetails(in api: EndpointAPI, to writer: inout JSONWriter) {
    if poison(in: api) != nil { return writer.null() }
    writer.beginObject()
    for slot in api.slotsByName {
      if StoredSums.slots.contains(slot) {
        guard let table = sums[slot] else { continue }
        writer.key(slot, of: StoreEntry.quotedNames)
        table.write(to: &writer)
      } else if let value = value(inSlot: slot) {
        writer.key(slot, of: StoreEntry.quotedNames)
        writer.append(decimal: value)
      }
    }
    writer.endObject()
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
