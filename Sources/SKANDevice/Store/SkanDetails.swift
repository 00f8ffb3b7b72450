import SKANBase

/// What `getSkanDetails` returns: the entries that are set, every number as its decimal text, revenue as dictionaries.
///
/// SKAN 3 has no such method; its four entries are given in the same manner.
package struct SkanDetails: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    case revenue(RevenueTable)
  }

  /// In the order in which a request carries them.
  package private(set) var entries: [(key: KeptKey, value: Value)] = []

  /// Reads the store as `snippet` does.
  ///
  /// - Throws: ``PoisonedEntry`` when an entry is a string: it has no `stringValue`, and the app crashes.
  package init(of kept: borrowing KeptState, snippet: SnippetVersion) throws(PoisonedEntry) {
    let keys = snippet.isSKAN4 ? KeptKey.skan4 : KeptKey.skan3
    entries.reserveCapacity(keys.count)
    for key in keys {
      switch kept.entry(key) {
      case nil: continue
      case .revenue(let table): entries.append((key, .revenue(table)))
      case .value(let value):
        guard let text = value.decimalText else { throw PoisonedEntry(key: key, value: value) }
        entries.append((key, .text(text)))
      }
    }
  }

  package static func == (left: SkanDetails, right: SkanDetails) -> Bool {
    left.entries.elementsEqual(right.entries) { $0.key == $1.key && $0.value == $1.value }
  }

  /// As an object, its members in the order of their names.
  package var json: JSON {
    var members: [(key: String, value: JSON)] = []
    members.reserveCapacity(entries.count)
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: KeptKey.ranks) { indices in
      unsafe indices.initialize(repeating: -1)
      for index in entries.indices { unsafe indices[entries[index].key.rank] = index }
      for rank in 0..<KeptKey.ranks {
        let index = unsafe indices[rank]
        if index < 0 { continue }
        let (key, value) = entries[index]
        switch value {
        case .text(let text): members.append((key.name, .string(text)))
        case .revenue(let table):
          members.append((key.name, .object(table.sums.map { ($0.currency, .double($0.amount)) })))
        }
      }
    }
    return .object(members)
  }

  /// As query parameters: texts as they are, dictionaries as JSON text.
  package var queryItems: [QueryItem] {
    entries.map { key, value in
      switch value {
      case .text(let text): QueryItem(key.name, text)
      case .revenue(let table): QueryItem(key.name, table.requestText)
      }
    }
  }
}

/// The entry of the store that makes reading it crash; see the article "Hazards".
package struct PoisonedEntry: Error, Sendable, Equatable {
  package var key: KeptKey
  package var value: KeptValue
}
