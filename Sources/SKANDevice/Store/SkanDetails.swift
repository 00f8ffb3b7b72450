import SKANBase

/// What `getSkanDetails` returns: the entries that are set, every number as its decimal text, revenue as dictionaries.
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

  /// In the order in which a request carries them.
  package private(set) var entries: [(key: StoreEntry, value: Value)] = []

  /// Reads the store as `snippet` does.
  ///
  /// - Throws: ``PoisonedEntry`` when an entry is a string: it has no `stringValue`, and the app crashes.
  package init(of kept: borrowing KeptState, snippet: SnippetVersion) throws(PoisonedEntry) {
    let keys = snippet.rules.api.entries
    entries.reserveCapacity(keys.count)
    for key in keys {
      if let table = kept.revenue(key) {
        entries.append((key, .revenue(table)))
      } else if let value = kept.value(key) {
        guard let text = value.decimalText else { throw PoisonedEntry(key: key, value: value) }
        entries.append((key, .text(text)))
      }
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

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    let slots = StoreEntry.slotsByName
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: slots.count) { indices in
      unsafe indices.initialize(repeating: -1)
      for index in entries.indices { unsafe indices[entries[index].key.slot] = index }
      for slot in slots {
        let index = unsafe indices[slot]
        if index < 0 { continue }
        let (key, value) = entries[index]
        writer.key(key.name)
        switch value {
        case .text(let text): writer.append(text)
        case .revenue(let table): table.write(to: &writer)
        }
      }
    }
    writer.endObject()
  }
}

/// The entry of the store that makes reading it crash; see the article "Hazards".
package struct PoisonedEntry: Error, Sendable, Equatable {
  package var key: StoreEntry
  package var value: KeptValue
}
