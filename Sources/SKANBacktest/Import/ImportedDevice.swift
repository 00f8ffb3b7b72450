import SKANBase
import SKANDevice

/// The rows of one device in an export, in order of time and without duplicates.
package struct ImportedDevice {
  /// The beginning of the first window; nil when it is not in the export.
  package private(set) var start: Instant?
  /// The rows from the beginning on; all rows when it is not in the export.
  private(set) var records: [ImportedRecord] = []
  /// The bytes that contain the records' texts.
  let bytes: [UInt8]
  /// The number of duplicates left out.
  package private(set) var duplicates = 0
  /// Installs after the first row, which do not begin a new life here.
  package private(set) var laterInstalls = 0
  /// The number of rows before the beginning, which are left out. The row of an install is not counted.
  package private(set) var beforeBeginning = 0
  /// The time and identifier of the first row; nil without rows.
  fileprivate private(set) var first: (time: Instant, device: Range<Int>)?

  init(_ all: DeviceRecords) {
    var seen: Set<UInt64> = []
    var installRow: Instant?
    bytes = all.bytes
    records.reserveCapacity(all.count)
    all.forEach { time, reader in
      let record = ImportedRecord(from: &reader, at: time)
      if let key = record.duplicateKey, !seen.insert(key).inserted {
        duplicates += 1
        return
      }
      if record.kind == .install {
        if installRow == nil { installRow = time } else { laterInstalls += 1 }
      }
      records.append(record)
    }
    guard let first = records.first else { return }
    self.first = (first.time, first.device)
    start = DeviceBeginning.start(
      of: records.lazy.map { DeviceBeginning.Row($0.time, $0.kind, $0.revenue) }, installed: first.installed)
    if installRow != nil, start == nil { laterInstalls += 1 }
    guard let start, first.time < start else { return }
    beforeBeginning = records.count { $0.time < start && ($0.kind != .install || $0.revenue != nil) }
    records.removeAll { $0.time < start }
  }
}

/// Determines the beginning of a device's life in an export, or that it is not in the export.
package enum DeviceBeginning {
  /// The longest time between an install and the rows that belong to it.
  package static let longestGap = TimeSpan.hours(1)

  /// The part of a row that decides the beginning.
  struct Row {
    let time: Instant
    let kind: ExportedRow.Kind
    /// Whether the device makes its first call with this row.
    let begins: Bool
    /// Whether the app does something: everything except an install without revenue.
    let isAction: Bool

    @inline(__always)
    init(_ time: Instant, _ kind: ExportedRow.Kind, begins: Bool = false, _ revenue: ExportedRow.Revenue?) {
      (self.time, self.kind, self.begins) = (time, kind, begins)
      isAction = kind != .install || revenue != nil
    }
  }

  /// The beginning of a device.
  ///
  /// The session of the install makes the app's first call. So a device with an install row begins with the first session
  /// at or after it, or with the row itself if another action comes before a session, or no session within
  /// ``longestGap``. A device without an install row begins with its first row or the install time in it, whichever is
  /// earlier.
  ///
  /// - Parameters:
  ///   - rows: the device's rows in order of time. Rows of one moment may be in any order.
  ///   - installed: the install time in the first row.
  /// - Returns: nil when the beginning is not in the input, so that its windows and their content are unknown.
  static func start(of rows: some Collection<Row>, installed: Instant?) -> Instant? {
    guard let first = rows.first?.time else { return nil }
    // A later install belongs to an app that was installed before.
    if let install = rows.first(where: { $0.kind == .install }), install.time.since(first) <= longestGap {
      return install.begins ? install.time : firstCall(after: install.time, in: rows)
    }
    guard let installed, first.since(installed) <= longestGap, installed.since(first) <= longestGap else { return nil }
    return min(first, installed)
  }

  private static func firstCall(after install: Instant, in rows: some Collection<Row>) -> Instant {
    guard let action = rows.first(where: { $0.time >= install && $0.isAction }),
      action.time.since(install) <= longestGap
    else { return install }
    let isSession = action.kind == .session || rows.contains { $0.time == action.time && $0.kind == .session }
    return isSession ? action.time : install
  }
}

/// Writes the steps of devices as lines of an event list.
package struct ImportedSteps: ~Copyable {
  /// The number of steps.
  package private(set) var count = 0
  private var text = ByteText()
  /// The member `,"device":` with the identifier of the current device.
  private var device: [UInt8] = []

  package init() {}

  /// The number of bytes that were not taken yet.
  package var byteCount: Int { text.count }

  /// The lines written since the last call.
  package mutating func takeBytes() -> [UInt8] { text.remove(from: 0) }

  /// Adds a device: its install, its registration, and its actions, with revenue before the event that it belongs to.
  package mutating func add(_ device: ImportedDevice) {
    guard let first = device.first else { return }
    unsafe device.bytes.withUnsafeBufferPointer { bytes in
      unsafe setDevice(UnsafeBufferPointer(rebasing: bytes[first.device]))
      begin("{\"op\":\"device\"", at: nil)
      append("}\n")
      begin("{\"op\":\"register\"", at: device.start ?? first.time)
      append("}\n")
      for record in device.records { unsafe add(record, bytes) }
    }
  }

  @inline(__always)
  private mutating func add(_ record: ImportedRecord, _ bytes: UnsafeBufferPointer<UInt8>) {
    if let revenue = record.revenue {
      begin("{\"op\":\"revenue\"", at: record.time)
      append(",\"amount\":")
      text.append(revenue.amount)
      append(",\"currency\":\"")
      text.append(revenue.currency.name)
      append("\"")
      if revenue.isAdMonetization { append(",\"ad_monetization\":true") }
      append("}\n")
    }
    switch record.kind {
    case .install, .revenue: break
    case .session:
      begin("{\"op\":\"session\"", at: record.time)
      append("}\n")
    case .event:
      begin("{\"op\":\"event\"", at: record.time)
      append(",\"name\":")
      unsafe appendQuoted(UnsafeBufferPointer(rebasing: bytes[record.name]))
      append("}\n")
    }
  }

  @inline(__always)
  private mutating func begin(_ operation: StaticString, at time: Instant?) {
    count += 1
    append(operation)
    if let time {
      append(",\"at\":")
      text.append(unixSecondsOf: time)
    }
    unsafe device.withUnsafeBufferPointer { unsafe text.append($0) }
  }

  private mutating func setDevice(_ identifier: UnsafeBufferPointer<UInt8>) {
    let start = text.count
    append(",\"device\":")
    unsafe appendQuoted(identifier)
    device = text.remove(from: start)
  }

  /// Appends a string of a list, with `${` escaped.
  private mutating func appendQuoted(_ string: UnsafeBufferPointer<UInt8>) {
    if let start = string.baseAddress, unsafe start.offset(of: UInt8(ascii: "$"), within: string.count) != nil {
      let quoted = unsafe JSONWriter.quoted(String(decoding: string, as: UTF8.self))
      return text.append(quoted.replacing("${", with: "$${"))
    }
    unsafe text.appendQuoted(string)
  }

  @inline(__always)
  private mutating func append(_ literal: StaticString) {
    unsafe text.append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }
}
