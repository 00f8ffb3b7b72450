import SKANDevice
import SKANBase
import SKANModel

/// Makes rows of the fields in their slots, and counts what becomes of them.
@safe struct RowMapper {
  let plan: ExportPlan
  let slots: FieldSlots
  var times: ExportTimeReader
  /// Apart from the others, since each remembers the date of the time before.
  var installs: ExportTimeReader
  var tally = ImportTally()

  init(_ plan: ExportPlan) {
    self.plan = plan
    slots = plan.slots
    times = ExportTimeReader(zone: plan.mapping.timeZone)
    installs = times
    tally.filtered = Array(repeating: 0, count: plan.filters.count)
    tally.devices = Array(repeating: 0, count: plan.device.count)
  }

  /// The row of the fields in the slots; nil when it does not count, or is rejected.
  @inline(__always)
  mutating func map(_ line: Int) -> ExportedRow? {
    tally.rows += 1
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
    var row = unsafe ExportedRow(.event, device: device, time: Instant(microseconds: moment))
    if !traits.contains(.install), !traits.contains(.session) {
      switch revenue(isAd: traits.contains(.adRevenue)) {
      case .nothing: break
      case .revenue(let revenue): unsafe row.revenue = revenue
      case .rejected(let reason, let text): return unsafe reject(reason, line, text)
      }
    }
    unsafe row.line = line
    if traits.contains(.install) {
      unsafe row.kind = .install
    } else if traits.contains(.session) {
      unsafe row.kind = .session
    } else if traits.contains(.revenueOnly) || name.isEmpty {
      // Revenue without an amount is nothing.
      guard unsafe row.revenue != nil else { return unsafe reject(.name, line) }
      unsafe row.kind = .revenue
    } else {
      unsafe row.name = unsafe rename.count > 0 ? rename : name
    }
    let installed = unsafe slots.first(of: plan.installed)
    if installed.count > 0, case .time(let time, _) = unsafe installs.read(installed, unit: plan.mapping.installedUnit)
    {
      unsafe row.installed = Instant(microseconds: time)
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

  /// Counts a row that cannot be used.
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

  /// The device, and from which of the mapping's columns it is.
  @inline(__always)
  private func device() -> (UnsafeBufferPointer<UInt8>, column: Int)? {
    for column in 0..<plan.device.count {
      let text = unsafe slots[plan.device[column]]
      if text.count > 0, unsafe !Self.isZero(text) { return unsafe (text, column) }
    }
    return nil
  }

  /// Whether an identifier stands for no device, `00000000-0000-0000-0000-000000000000`.
  @inline(__always)
  private static func isZero(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == 36, unsafe text[0] == UInt8(ascii: "0"), unsafe text[35] == UInt8(ascii: "0") else {
      return false
    }
    return unsafe text.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }
  }

  /// What the row is, by its event's name and the columns of conditions, and the name's replacement.
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
      // Rows without one are not all the same.
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
