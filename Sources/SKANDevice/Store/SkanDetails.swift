import SKANBase

/// The result of `getSkanDetails`: the entries that are set, every number as its decimal text, revenue as dictionaries.
///
/// SKAN 3 has no such method; its four entries are given in the same manner.
package struct SkanDetails: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    case revenue(RevenueTable)

    /// The value of a query parameter: a text as it is, sums as JSON text.
    var requestText: String {
      switch self {
      case .text(let text): text
      case .revenue(let table): table.requestText
      }
    }
  }

  private let kept: KeptState
  private let api: EndpointAPI

  /// Reads the store as `snippet` does.
  ///
  /// - Throws: ``PoisonedEntry`` when an entry is a string: it has no `stringValue`, and the app crashes.
  package init(of kept: KeptState, snippet: SnippetVersion) throws(PoisonedEntry) {
    api = snippet.rules.api
    if let poison = kept.poison(in: api) { throw poison }
    self.kept = kept
  }

  /// In the order in which a request carries them.
  package var entries: [(key: StoreEntry, value: Value)] {
    api.entries.compactMap { key in
      if let table = kept.revenue(key) { return (key, .revenue(table)) }
      return kept.value(key)?.decimalText.map { (key, .text($0)) }
    }
  }

  /// The text of an entry in a request; nil where it is not set.
  subscript(entry: StoreEntry) -> String? { entries.first { $0.key == entry }?.value.requestText }

  package static func == (left: SkanDetails, right: SkanDetails) -> Bool {
    left.entries.elementsEqual(right.entries) { $0.key == $1.key && $0.value == $1.value }
  }

  /// As query parameters.
  package var queryItems: [QueryItem] {
    entries.map { key, value in QueryItem(key.name, value.requestText) }
  }
}

extension KeptState {
  /// What the app's server appends to its own requests. SKAN 3 leaves out a conversion value that is not set, where the guide's
  /// sample crashes.
  ///
  /// - Throws: ``PoisonedEntry`` when reading the store crashes the app.
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

/// An object, its members in the order of their names.
extension SkanDetails: JSONWritable {
  package static var jsonForm: JSONForm {
    .object(StoreEntry.all.map { ($0.name, $0.isRevenue ? RevenueTable.jsonForm : .text) }, required: [], others: nil)
  }

  package func write(to writer: inout JSONWriter) { kept.writeDetails(in: api, to: &writer) }
}

extension KeptState {
  /// The first entry, in the order of `getSkanDetails`, that makes reading the store crash the app; nil where none does.
  func poison(in api: EndpointAPI) -> PoisonedEntry? {
    // SKAN 3 keeps numbers alone, and no number is odd enough to be a string.
    if api == .v1 || odd == nil { return nil }
    for entry in StoreEntry.asAnswered {
      if let value = value(entry), value.isString { return PoisonedEntry(key: entry, value: value) }
    }
    return nil
  }

  /// Writes what `getSkanDetails` returns, null where it crashes the app.
  package func writeDetails(of snippet: SnippetVersion, to writer: inout JSONWriter) {
    let api = snippet.rules.api
    if poison(in: api) == nil { writeDetails(in: api, to: &writer) } else { writer.null() }
  }

  fileprivate func writeDetails(in api: EndpointAPI, to writer: inout JSONWriter) {
    writer.beginObject()
    let names = StoreEntry.quotedNames
    for slot in api.slotsByName {
      if StoredSums.slots.contains(slot) {
        guard let table = sums[slot] else { continue }
        writer.key(slot, of: names)
        table.write(to: &writer)
      } else {
        let isAnswered = slot < StoredValues.byteCount
        guard let value = isAnswered ? answered(slot) : values[number: slot].map(KeptValue.integer) else { continue }
        writer.key(slot, of: names)
        writer.append(decimal: value)
      }
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Adds the decimal text of a value, which has nothing to escape.
  mutating func append(decimal value: KeptValue) {
    text.append(UInt8(ascii: "\""))
    text.append(decimal: value)
    text.append(UInt8(ascii: "\""))
  }
}

/// The entry of the store that makes reading it crash; see the article "Hazards".
package struct PoisonedEntry: Error, Sendable, Equatable {
  package var key: StoreEntry
  package var value: KeptValue
}
