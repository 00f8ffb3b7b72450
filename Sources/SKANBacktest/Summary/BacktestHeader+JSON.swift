import SKANDevice
import SKANBase

/// A header as a partial holds it.
extension BacktestHeader {
  var json: JSON {
    .object([
      ("model", model.json), ("other", other.map(\.json) ?? .null), ("currency", .string(currency)),
      ("group_column", .optional(groupColumn)), ("options", .string(options.hexText)),
      ("mapping", .optional(mapping?.hexText)),
      ("names", .array(names.map(JSON.string))),
    ])
  }

  /// Nil when it is something else.
  init?(_ json: JSON) {
    guard let model = json["model"].flatMap({ ModelSummary($0) }), let currency = json["currency"]?.text,
      let options = json["options"]?.text.flatMap({ UInt64($0, radix: 16) }), let names = json["names"]?.items,
      let other = json["other"], let groupColumn = json["group_column"], let mapping = json["mapping"]
    else { return nil }
    self.model = model
    self.currency = currency
    self.options = options
    self.groupColumn = groupColumn.text
    self.mapping = mapping.text.flatMap { UInt64($0, radix: 16) }
    self.names = names.compactMap(\.text)
    if case .null = other {
      self.other = nil
    } else {
      guard let summary = ModelSummary(other) else { return nil }
      self.other = summary
    }
  }
}

extension BacktestHeader.ModelSummary {
  fileprivate var json: JSON {
    .object([
      ("name", .string(name)), ("hash", .string(hash.hexText)), ("fine", .array(fine.map(\.json))),
      ("coarse", .array(ConversionWindow.allCases.map { .array(coarse[$0].map(\.json)) })),
      ("locks", .array(ConversionWindow.allCases.map { .optional(locks[$0]) })),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.text, let hash = json["hash"]?.text.flatMap({ UInt64($0, radix: 16) }),
      let fine = json["fine"]?.items, let coarse = json["coarse"]?.items, let locks = json["locks"]?.items,
      fine.count == 64, coarse.count == 3, locks.count == 3
    else { return nil }
    self.name = name
    self.hash = hash
    self.fine = fine.map { BacktestHeader.Value($0) }
    self.coarse = PerWindow(repeating: [])
    self.locks = PerWindow(repeating: nil)
    for window in ConversionWindow.allCases {
      let values = coarse[window.rawValue].items ?? []
      guard values.count == 3 else { return nil }
      self.coarse[window] = values.map { BacktestHeader.Value($0) }
      self.locks[window] = locks[window.rawValue].text
    }
  }
}

extension BacktestHeader.Value {
  /// Null for a value that no mapping gives.
  fileprivate var json: JSON {
    meaning.map { .array([.string($0), decoded.map { .integer(Int64($0)) } ?? .null]) } ?? .null
  }

  fileprivate init(_ json: JSON) {
    let items = json.items ?? []
    meaning = items.first?.text
    decoded = items.count > 1 ? items[1].number : nil
  }
}

extension JSON {
  var number: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }
  /// Whole numbers alone.
  var numbers: [Int]? {
    guard let items else { return nil }
    let numbers = items.compactMap(\.number)
    return numbers.count == items.count ? numbers : nil
  }
}
