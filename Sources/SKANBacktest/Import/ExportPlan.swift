import SKANBase
import SKANDevice
import SKANModel

/// A mapping resolved for the columns of one part of an export: every column has a slot.
@safe final class ExportPlan {
  /// The meanings of an event's name for its row, as bits.
  struct Traits: OptionSet {
    let rawValue: UInt8
    static let install = Traits(rawValue: 1)
    static let session = Traits(rawValue: 2)
    static let revenueOnly = Traits(rawValue: 4)
    static let adRevenue = Traits(rawValue: 8)
    /// A purchase, by its name.
    static let purchase = Traits(rawValue: 16)
  }

  struct Condition {
    let slot: Int
    let values: [[UInt8]]
    let traits: Traits
  }

  struct Filter {
    let slot: Int
    /// The values in lower case.
    let values: [[UInt8]]
    let isNegated: Bool
    /// Whether rows without a value pass.
    let passesEmpty: Bool
  }

  struct System {
    /// The index among the mapping's systems.
    let index: Int
    let slot: Int
    let system: ExportSystem
  }

  struct Revenue {
    let amount: [Int]
    let currency: [Int]
    /// The slot of the quantity; -1 if the amount is of the whole row.
    let quantity: Int
    let code: CurrencyCode?
    let unit: ExportMoneyUnit
    let keys: ExportRevenue.Keys?
    let needsCurrency: Bool
  }

  let mapping: ExportMapping
  let layout: ExportLayout
  let slots: FieldSlots
  /// The slot of each column of the header; -1 for columns that the mapping does not use.
  let slotOfColumn: [Int]
  /// The path of each slot, for JSON Lines.
  let paths: [ExportPath]
  let device, time, eventName, installed, transaction: [Int]
  let group: Int?
  let filters: [Filter]
  /// The columns of systems that the layout has, and their slots alone, which each row needs.
  let systems: [System]
  let systemSlots: [Int]
  let conditions: [Condition]
  let revenue: [Revenue]
  /// The event names with a meaning; their traits and the app's own names follow, by index.
  let names = NameTable()
  private(set) var traits: [Traits] = []
  private(set) var renames: [UnsafeBufferPointer<UInt8>] = unsafe []

  init(_ mapping: ExportMapping, _ layout: ExportLayout) {
    self.mapping = mapping
    self.layout = layout
    /// The slots by the mapping's names and by the layout's.
    var (slot, spelled): ([String: Int], [String: Int]) = ([:], [:])
    var spellings: [String] = []
    for column in mapping.columns {
      let spelling = layout.spelling(of: column.name)
      if spelled[spelling] == nil {
        spelled[spelling] = spellings.count
        spellings.append(spelling)
      }
      slot[column.name] = spelled[spelling]
    }
    slots = FieldSlots(spellings.count)
    slotOfColumn = layout.columns.map { spelled[$0] ?? -1 }
    let isTable = layout.format != .jsonLines
    paths = isTable ? [] : spellings.map { ExportPath($0) }
    systems = mapping.systems.enumerated().compactMap { index, system -> System? in
      if isTable, !layout.has(system.column) { return nil }
      return System(index: index, slot: slot[system.column.name] ?? 0, system: system)
    }
    systemSlots = systems.map(\.slot)
    func indices(_ columns: [ExportColumn]) -> [Int] { columns.compactMap { slot[$0.name] } }
    device = indices(mapping.device)
    time = indices(mapping.time)
    eventName = indices(mapping.eventName)
    installed = indices(mapping.installed)
    transaction = indices(mapping.transaction)
    group = mapping.group.flatMap { slot[$0.name] }
    filters = mapping.filters.map {
      Filter(
        slot: slot[$0.column.name] ?? 0, values: $0.values.map { Array($0.lowercased().utf8) },
        isNegated: $0.isNegated, passesEmpty: $0.isNegated || !$0.column.isRequired)
    }
    revenue = mapping.revenue.map {
      Revenue(
        amount: indices($0.amount), currency: indices($0.currency),
        quantity: $0.quantity.flatMap { slot[$0.name] } ?? -1, code: $0.code ?? mapping.currency, unit: $0.unit,
        keys: $0.keys, needsCurrency: $0.needsCurrency)
    }
    let kinds: [(ExportCondition?, Traits)] = [
      (mapping.install, .install), (mapping.session, .session), (mapping.revenueOnly, .revenueOnly),
      (mapping.adRevenue, .adRevenue),
    ]
    conditions = kinds.compactMap { condition, traits in
      guard let condition, let column = condition.column else { return nil }
      return Condition(
        slot: slot[column.name] ?? 0, values: condition.values.map { Array($0.utf8) }, traits: traits)
    }
    for (condition, traits) in kinds where condition?.column == nil {
      for value in condition?.values ?? [] { self.traits[index(of: value)].insert(traits) }
    }
    for (name, new) in mapping.renames { unsafe renames[index(of: name)] = unsafe Self.copy(new) }
    for name in PurchaseName.all { traits[index(of: name)].insert(.purchase) }
    for (name, new) in mapping.renames where PurchaseName.all.contains(new) {
      traits[index(of: name)].insert(.purchase)
    }
  }

  deinit { unsafe renames.forEach { unsafe $0.deallocate() } }

  private func index(of name: String) -> Int {
    let index = names.insert(name)
    if index == traits.count {
      traits.append([])
      unsafe renames.append(UnsafeBufferPointer(start: nil, count: 0))
    }
    return index
  }

  private static func copy(_ text: String) -> UnsafeBufferPointer<UInt8> {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = unsafe copy.initialize(from: text.utf8)
    return UnsafeBufferPointer(copy)
  }
}

/// The path of a value in an object: `properties.time`, `event_params[key=value].value.int_value`.
struct ExportPath: Equatable, Sendable {
  private enum Step: Equatable {
    case member(String)
    /// The first item of an array whose member has this text.
    case item(member: String, text: String)
  }

  private let steps: [Step]

  /// Parses a path; any other text is the name of a member.
  init(_ text: String) {
    var steps: [Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.hasSuffix("]"), let bracket = part.firstIndex(of: "["), let equals = part.firstIndex(of: "="),
        bracket < equals
      else {
        steps.append(.member(String(part)))
        continue
      }
      steps.append(.member(String(part[..<bracket])))
      steps.append(
        .item(
          member: String(part[part.index(after: bracket)..<equals]),
          text: String(part[part.index(after: equals)...].dropLast())))
    }
    self.steps = steps
  }

  /// The value at the path; nil if it is absent or null.
  func node(in object: JSONNode) -> JSONNode? {
    var node = object
    for step in steps {
      switch step {
      case .member(let name):
        guard let member = node.member(name) else { return nil }
        node = member
      case .item(let member, let text):
        guard case .array(let items) = node.content,
          let item = items.first(where: { item in
            guard case .string(let found)? = item.member(member)?.content else { return false }
            return found == text
          })
        else { return nil }
        node = item
      }
    }
    return node.isNull ? nil : node
  }
}

/// The fields of a row that the mapping uses, by slot. They point into the row.
@safe final class FieldSlots {
  private let fields: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>

  init(_ count: Int) {
    unsafe fields = .allocate(capacity: max(count, 1))
    unsafe fields.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0), count: max(count, 1))
  }

  deinit { unsafe fields.deallocate() }

  @inline(__always)
  subscript(slot: Int) -> UnsafeBufferPointer<UInt8> {
    get { unsafe fields[slot] }
    set { unsafe fields[slot] = unsafe newValue }
  }

  /// The first nonempty field in some slots, or an empty one.
  @inline(__always)
  func first(of slots: [Int]) -> UnsafeBufferPointer<UInt8> {
    for slot in slots where unsafe fields[slot].count > 0 { return unsafe fields[slot] }
    return unsafe UnsafeBufferPointer(start: nil, count: 0)
  }
}
