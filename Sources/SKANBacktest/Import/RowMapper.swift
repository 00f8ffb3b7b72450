import SKANBase
import SKANDevice
import SKANModel

/// A mapped row of an export: what a user did, on which device, and when.
///
/// The texts point into the input, to avoid creating a `String` for each of ten million rows. They are valid until the
/// parser reads the next row.
@unsafe package struct ExportedRow {
  /// The kind of event that a row reports.
  package enum Kind: UInt8, Sendable {
    /// The app was installed or opened for the first time, so the beginning of the device is in the input.
    case install
    case session
    case event
    /// Revenue without an event.
    case revenue
  }

  /// Revenue of a row. `amount` is parsed from decimal text, and is negative for a refund.
  package struct Revenue: Sendable, Equatable {
    package var amount: Double
    package var currency: CurrencyCode
    package var isAdMonetization: Bool

    package init(amount: Double, currency: CurrencyCode, isAdMonetization: Bool) {
      self.amount = amount
      self.currency = currency
      self.isAdMonetization = isAdMonetization
    }
  }

  package var kind: Kind
  /// The identifier of the device, in UTF-8 and not empty.
  package var device: UnsafeBufferPointer<UInt8>
  package var time: Instant
  /// The event's name in UTF-8, after the mapping's renames; empty unless `kind` is `event`.
  package var name = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Revenue of an event, or alone. The app reports the revenue before its event, as the guides' code does.
  package var revenue: Revenue?
  /// The install time, if the rows have a column for it.
  package var installed: Instant?
  /// The value of the column of `--by`; empty without that option.
  package var group = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// A hash of the fields of `--dedupe`; of a device's rows with equal hashes only the first counts. Nil without
  /// `--dedupe`.
  package var duplicateKey: UInt64?

  /// The line number in its file, from 1.
  package var line = 0

  package init(_ kind: Kind, device: UnsafeBufferPointer<UInt8>, time: Instant) {
    unsafe self.kind = kind
    unsafe self.device = unsafe device
    unsafe self.time = time
  }
}

/// Maps the fields in the slots to rows, and counts them.
@safe struct RowMapper {
  let plan: ExportPlan
  let slots: FieldSlots
  var times: ExportTimeReader
  /// A separate reader, since each one remembers the last date.
  var installs: ExportTimeReader
  var tally = ImportTally()

  init(_ plan: ExportPlan) {
    self.plan = plan
    slots = plan.slots
    times = ExportTimeReader(zone: plan.mapping.timeZone, format: plan.mapping.dateFormat)
    installs = times
    tally.filtered = Array(repeating: 0, count: plan.filters.count)
    tally.devices = Array(repeating: 0, count: plan.device.count)
  }

  /// The row in the slots; nil when it does not count or is rejected.
  @inline(__always)
  mutating func map(_ line: Int) -> ExportedRow? {
    tally.rows += 1
    for index in 0..<plan.systemSlots.count where isOtherSystem(index) { return nil }
    for index in 0..<plan.filters.count where !passes(plan.filters[index]) {
      tally.filtered[index] += 1
      return nil
    }
    guard let (device, column) = unsafe device() else { return unsafe reject(.device, line) }
    let text = unsafe slots.first(of: plan.time)
    let moment: Int64
    let form: ExportTimeForm
    switch unsafe times.read(text, unit: plan.mapping.timeUnit) {
    case .time(let time, let found): (moment, form) = (time, found)
    case .invalid: return unsafe reject(.time, line, String(decoding: text.prefix(40), as: UTF8.self))
    case .withoutZone: return unsafe reject(.timeZone, line, String(decoding: text.prefix(40), as: UTF8.self))
    }
    let name = unsafe slots.first(of: plan.eventName)
    let (traits, rename) = unsafe traits(of: name)
    let zeroAmounts = tally.zeroAmounts
    var row = unsafe ExportedRow(.event, device: device, time: Instant(microseconds: moment))
    if !traits.contains(.install), !traits.contains(.session) {
      switch revenue(isAd: traits.contains(.adRevenue)) {
      case .nothing: break
      case .revenue(let revenue):
        unsafe row.revenue = revenue
        tally.revenues += 1
      case .rejected(let reason, let text): return unsafe reject(reason, line, text)
      }
    }
    unsafe row.line = line
    if traits.contains(.install) {
      unsafe row.kind = .install
    } else if traits.contains(.session) {
      unsafe row.kind = .session
    } else if traits.contains(.revenueOnly) || name.isEmpty {
      // A row with neither a name nor an amount is useless.
      guard unsafe row.revenue != nil else { return unsafe reject(.name, line) }
      unsafe row.kind = .revenue
    } else {
      unsafe row.name = unsafe rename.count > 0 ? rename : name
    }
    let installed = unsafe slots.first(of: plan.installed)
    if installed.count > 0 {
      switch unsafe installs.read(installed, unit: plan.mapping.installedUnit) {
      case .time(let time, _): unsafe row.installed = Instant(microseconds: time)
      case .invalid: unsafe countInstall(installed)
      case .withoutZone:
        return unsafe reject(.timeZone, line, String(decoding: installed.prefix(40), as: UTF8.self))
      }
    }
    if traits.contains(.purchase) {
      tally.purchases += 1
      if unsafe row.revenue == nil, tally.zeroAmounts == zeroAmounts { tally.purchasesWithoutRevenue += 1 }
    }
    if let group = plan.group { unsafe row.group = unsafe slots[group] }
    if !plan.mapping.duplicateFields.isEmpty { unsafe row.duplicateKey = unsafe duplicateKey(row, name) }
    unsafe tally.mapped[Int(row.kind.rawValue)] += 1
    tally.devices[column] += 1
    tally.timeForms[form.rawValue] += 1
    unsafe tally.first = min(tally.first ?? row.time, row.time)
    unsafe tally.last = max(tally.last ?? row.time, row.time)
    return unsafe row
  }

  /// Counts an unusable row.
  @inline(never)
  @discardableResult
  mutating func reject(
    _ reason: ImportRejection, _ line: Int, _ text: String? = nil
  ) -> ExportedRow? {
    tally.rejected[reason.rawValue] += 1
    if tally.rejected[reason.rawValue] <= ImportTally.mostPlaces {
      tally.add(
        ImportTally.Rejected(
          fileIndex: plan.layout.fileIndex, file: plan.layout.file, line: line, reason: reason,
          value: text.map { String($0.prefix(40)) }))
    }
    return nil
  }

  @inline(__always)
  private func passes(_ filter: ExportPlan.Filter) -> Bool {
    let text = unsafe slots[filter.slot]
    if text.count == 0 { return filter.passesEmpty }
    for value in filter.values where unsafe Self.isSame(text, value) { return !filter.isNegated }
    return filter.isNegated
  }

  /// - Parameter value: in lower case.
  @inline(__always)
  private static func isSame(_ text: UnsafeBufferPointer<UInt8>, _ value: [UInt8]) -> Bool {
    guard text.count == value.count else { return false }
    for index in 0..<value.count {
      let byte = unsafe text[index]
      if (byte.isASCIICapital ? byte | 0x20 : byte) != value[index] { return false }
    }
    return true
  }

  /// Whether the column names another system than iOS, which is counted.
  @inline(__always)
  private mutating func isOtherSystem(_ index: Int) -> Bool {
    let text = unsafe slots[plan.systemSlots[index]]
    if text.isEmpty { return false }
    if unsafe ExportSystem.isIOS(text) { return false }
    return unsafe isOtherSystem(text, plan.systems[index])
  }

  @inline(never)
  private mutating func isOtherSystem(_ text: UnsafeBufferPointer<UInt8>, _ column: ExportPlan.System) -> Bool {
    guard unsafe BlankText(text) == nil else { return false }
    let name = unsafe String(decoding: text.prefix(40), as: UTF8.self)
    guard column.system.isOther(name) else { return false }
    tally.addSystem(ImportTally.System(index: column.index, name: name))
    return true
  }

  /// The device, and the index of the mapping's column that contains it. Texts that mean no identifier are counted.
  @inline(__always)
  private mutating func device() -> (UnsafeBufferPointer<UInt8>, column: Int)? {
    for column in 0..<plan.device.count {
      let text = unsafe slots[plan.device[column]]
      if text.count == 0 { continue }
      if unsafe BlankText.mayBegin(with: text[0]), let blank = unsafe BlankText(text) {
        tally.blanks[blank.rawValue] += 1
        continue
      }
      return unsafe (text, column)
    }
    return nil
  }

  /// Counts an install time that cannot be read.
  @inline(never)
  private mutating func countInstall(_ text: UnsafeBufferPointer<UInt8>) {
    if unsafe BlankText(text) == nil { tally.unreadInstalls += 1 }
  }

  /// The tally, completed by what the readers of times have used.
  var finished: ImportTally {
    var tally = tally
    tally.usesZone = times.usesZone || installs.usesZone
    tally.usesDateFormat = times.usesFormat || installs.usesFormat
    return tally
  }

  /// The meanings of the row by its event's name and the columns of conditions, and the replacement for the name.
  @inline(__always)
  private func traits(of name: UnsafeBufferPointer<UInt8>) -> (ExportPlan.Traits, UnsafeBufferPointer<UInt8>) {
    var traits: ExportPlan.Traits = []
    var rename = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    if name.count > 0, let index = unsafe plan.names.index(of: name) {
      traits = plan.traits[index]
      unsafe rename = unsafe plan.renames[index]
    }
    for condition in plan.conditions {
      let text = unsafe slots[condition.slot]
      for value in condition.values where unsafe text.count == value.count && text.elementsEqual(value) {
        traits.insert(condition.traits)
      }
    }
    return unsafe (traits, rename)
  }

  @inline(__always)
  private mutating func duplicateKey(_ row: ExportedRow, _ name: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let fields = plan.mapping.duplicateFields
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    if fields.contains(.transaction) {
      let text = unsafe slots.first(of: plan.transaction)
      if text.count == 0, unsafe row.revenue != nil { tally.withoutTransaction += 1 }
      // Rows without a transaction are not duplicates of each other.
      if text.count == 0, !fields.contains(.time) { return nil }
      if text.count > 0 { tally.transactions += 1 }
      hash = unsafe fnv1a(text, after: hash) &* 31
    }
    if fields.contains(.name) { hash = unsafe fnv1a(name, after: hash) &* 31 &+ UInt64(row.kind.rawValue) }
    if fields.contains(.time) {
      hash = unsafe (hash ^ UInt64(bitPattern: row.time.microseconds)) &* 0x9E37_79B9_7F4A_7C15
    }
    return hash ^ hash >> 29
  }
}

extension RowMapper {
  enum FoundRevenue {
    case nothing
    case revenue(ExportedRow.Revenue)
    /// The reason, and the invalid text.
    case rejected(ImportRejection, String)
  }

  /// The revenue of the row in the slots.
  @inline(__always)
  mutating func revenue(isAd: Bool) -> FoundRevenue {
    for index in 0..<plan.revenue.count {
      let source = plan.revenue[index]
      let amount = unsafe slots.first(of: source.amount)
      if amount.count == 0 { continue }
      if let keys = source.keys {
        guard var (amount, currency) = unsafe Self.members(keys, of: amount) else { continue }
        return amount.withUTF8 { amount in
          currency.withUTF8 { currency in unsafe read(amount, currency, source, isAd) }
        }
      }
      let currency = unsafe slots.first(of: source.currency)
      if source.needsCurrency, currency.count == 0 { continue }
      let found = unsafe read(amount, currency, source, isAd)
      return source.quantity < 0 ? found : multiplied(found, by: source.quantity)
    }
    return .nothing
  }

  @inline(__always)
  private mutating func read(
    _ amount: UnsafeBufferPointer<UInt8>, _ currency: UnsafeBufferPointer<UInt8>, _ source: ExportPlan.Revenue,
    _ isAd: Bool
  ) -> FoundRevenue {
    switch unsafe AmountText(amount, in: source.unit) {
    case .empty: return .nothing
    case .fraction: return unsafe .rejected(.cents, String(decoding: amount, as: UTF8.self))
    case .invalid: return unsafe .rejected(.amount, String(decoding: amount, as: UTF8.self))
    case .comma: return unsafe .rejected(.decimalComma, String(decoding: amount, as: UTF8.self))
    case .amount(0):
      tally.zeroAmounts += 1
      return .nothing
    case .amount(let number):
      guard let code = unsafe currency.count > 0 ? Self.code(currency) : source.code else {
        return unsafe .rejected(.currency, String(decoding: currency, as: UTF8.self))
      }
      return .revenue(ExportedRow.Revenue(amount: number, currency: code, isAdMonetization: isAd))
    }
  }

  /// The revenue of several items at a price. A price and a quantity are exact up to a millionth of the currency.
  @inline(never)
  private func multiplied(_ found: FoundRevenue, by slot: Int) -> FoundRevenue {
    let text = unsafe slots[slot]
    guard case .revenue(var revenue) = found, text.count > 0 else { return found }
    guard case .amount(let quantity) = unsafe AmountText(text), quantity == quantity.rounded(),
      (1...1_000_000).contains(quantity)
    else {
      return unsafe .rejected(.quantity, String(decoding: text.prefix(40), as: UTF8.self))
    }
    revenue.amount = (revenue.amount * 1_000_000).rounded() * quantity / 1_000_000
    return .revenue(revenue)
  }

  /// A currency code of three letters in either case.
  @inline(__always)
  private static func code(_ text: UnsafeBufferPointer<UInt8>) -> CurrencyCode? {
    if let code = unsafe CurrencyCode(text) { return code }
    return unsafe CurrencyCode(String(decoding: text, as: UTF8.self).uppercased())
  }

  /// The amount and currency in a field's JSON object; nil without an object, or without an amount in it.
  @inline(never)
  private static func members(
    _ keys: ExportRevenue.Keys, of text: UnsafeBufferPointer<UInt8>
  ) -> (amount: String, currency: String)? {
    guard unsafe text.first == UInt8(ascii: "{") else { return nil }
    let document = JSONDocument()
    do throws(JSONError) { try unsafe document.read(text, dialect: .export) } catch { return nil }
    func member(_ key: String) -> String {
      guard let node = document.root.member(key), !node.isNull else { return "" }
      if case .string(let text) = node.content { return text }
      return unsafe String(decoding: node.source, as: UTF8.self)
    }
    let amount = member(keys.amount)
    return amount.isEmpty ? nil : (amount, member(keys.currency))
  }
}

/// An amount of money as decimal text.
enum AmountText: Equatable {
  case empty
  case amount(Double)
  case invalid
  case comma
  /// It is not a whole number of cents.
  case fraction

  /// Powers of ten. Up to 15 digits and powers up to 22 are exact, so that their quotient is the nearest number to the
  /// text.
  private static let powers: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  /// The app's amounts are single-precision numbers.
  private static let largest = Double(Float.greatestFiniteMagnitude)

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, in unit: ExportMoneyUnit = .units) {
    guard text.count > 0, let start = text.baseAddress else {
      self = .empty
      return
    }
    var position = 0
    let isNegative = unsafe start[0] == UInt8(ascii: "-")
    if isNegative { position = 1 }
    var digits: UInt64 = 0
    var count = 0
    var fraction = 0
    var hasPoint = false
    while position < text.count {
      let byte = unsafe start[position]
      if byte.isASCIIDigit {
        digits = digits &* 10 &+ UInt64(byte &- 0x30)
        // Leading zeros do not count as digits.
        if digits > 0 { count += 1 }
        if hasPoint { fraction += 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      position += 1
    }
    let power = fraction + unit.scale
    let hasDigits = position > (isNegative ? 1 : 0) + (hasPoint ? 1 : 0)
    guard position == text.count, hasDigits, count <= 15, power <= 22 else {
      self = unsafe Self.other(text, in: unit)
      return
    }
    if unit == .cents, fraction > 0, Double(digits).truncatingRemainder(dividingBy: Self.powers[fraction]) != 0 {
      self = .fraction
      return
    }
    let amount = Double(digits) / Self.powers[power]
    self = .amount(isNegative ? -amount : amount)
  }

  /// Parses a text with more digits, an exponent or surrounding blanks, or rejects it.
  @inline(never)
  private static func other(_ text: UnsafeBufferPointer<UInt8>, in unit: ExportMoneyUnit) -> AmountText {
    let trimmed = unsafe Array(text.trimming(while: \.isLineSpace))
    if trimmed.isEmpty { return .empty }
    if trimmed.contains(UInt8(ascii: ",")) { return .comma }
    var rest = trimmed[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: \.isASCIIDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(fraction.count + 1)
    }
    if whole.isEmpty, fraction.isEmpty { return .invalid }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      let exponent = rest.prefix(while: \.isASCIIDigit)
      if exponent.isEmpty { return .invalid }
      rest = rest.dropFirst(exponent.count)
    }
    guard rest.isEmpty, let amount = Double(String(decoding: trimmed, as: UTF8.self)), amount.magnitude <= largest
    else {
      return .invalid
    }
    if unit == .cents, amount != amount.rounded() { return .fraction }
    return .amount(amount / powers[unit.scale])
  }
}
