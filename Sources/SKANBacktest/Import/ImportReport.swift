import SKANBase
import SKANDevice
import SKANModel

/// The summary of an export, without any of its identifiers.
package struct ImportReport {
  /// The most mapped rows that are shown as samples.
  package static let mostSamples = 3

  /// The mapping; nil where there is no row.
  package var mapping: ExportMapping?
  package var tally = ImportTally()
  package private(set) var samples: [String] = []
  private var names = SeenNames()
  private var sessions = 0
  /// The number of rows with revenue, by currency number.
  private var currencies: [UInt32: Int] = [:]
  /// The number of rows on days without a rate, by currency number.
  private var gaps: [UInt32: [RateGap: Int]] = [:]
  package private(set) var devices = 0
  /// Devices whose beginning is in the export.
  package private(set) var begun = 0
  package private(set) var duplicates = 0
  package private(set) var laterInstalls = 0
  /// Rows before the beginning of their device, which are left out.
  package private(set) var beforeBeginning = 0
  /// The columns that the mapping does not read, where they are looked for.
  package var unread = UnreadColumns()
  /// The number of steps written; nil where no list is written.
  package var steps: Int?
  private var model: ModelNames?
  private var rates: ExchangeRates?

  package init(_ mapping: ExportMapping?, models: [ConversionModel], rates: ExchangeRates?) {
    self.mapping = mapping
    model = models.isEmpty ? nil : ModelNames(models)
    self.rates = rates
  }

  /// Counts a row.
  @inline(__always)
  package mutating func add(_ row: borrowing ExportedRow) {
    switch unsafe row.kind {
    case .event: unsafe names.add(row.name)
    case .session: sessions += 1
    default: break
    }
    if let revenue = unsafe row.revenue {
      currencies[revenue.currency.number, default: 0] += 1
      if let gap = unsafe rates?.gap(of: revenue.currency, at: row.time) {
        gaps[revenue.currency.number, default: [:]][gap, default: 0] += 1
      }
    }
    if samples.count < Self.mostSamples { unsafe addSample(row) }
  }

  @inline(never)
  private mutating func addSample(_ row: borrowing ExportedRow) {
    // The hash is too short to identify a device by trying identifiers.
    let hash = unsafe String(DeviceKey(row.device).high >> 32, radix: 16).leftPadded(to: 8, with: "0")
    var parts = unsafe ["device \(hash)", row.time.description, "\(row.kind)"]
    let name = unsafe row.name
    if name.count > 0 { parts.append(JSONWriter.quoted(unsafe String(decoding: name, as: UTF8.self))) }
    if let revenue = unsafe row.revenue {
      parts.append(
        "\(revenue.amount.jsonText) \(revenue.currency.name)\(revenue.isAdMonetization ? " of advertising" : "")")
    }
    if let installed = unsafe row.installed { parts.append("installed \(installed)") }
    samples.append(parts.joined(separator: "  "))
  }

  /// Counts a device.
  package mutating func add(_ device: ImportedDevice) {
    devices += 1
    if device.start != nil { begun += 1 }
    duplicates += device.duplicates
    laterInstalls += device.laterInstalls
    beforeBeginning += device.beforeBeginning
  }

  package var title: String { mapping?.title ?? "none" }

  /// The number of rows that the mapping leaves out, by reason.
  package var filtered: [(reason: String, count: Int)] {
    mapping.map { tally.leftOut(by: $0) } ?? []
  }

  /// The number of texts in the device columns that mean no identifier, by text.
  package var blanks: [(text: String, count: Int)] {
    BlankText.allCases.map { ($0.shown, tally.blanks[$0.rawValue]) }.filter { $0.1 > 0 }
  }

  /// The number of unusable rows, by reason.
  package var rejected: [(reason: ImportRejection, count: Int)] {
    ImportRejection.allCases.map { ($0, tally.rejected[$0.rawValue]) }.filter { $0.1 > 0 }
  }

  /// The number of rows by the column that identifies their device; mixing kinds of identifiers is usually a mistake.
  package var devicesByColumn: [(column: String, count: Int)] {
    zip(mapping?.device ?? [], tally.devices).filter { $1 > 0 }.map { ($0.name, $1) }
  }

  package var timeForms: [(form: ExportTimeForm, count: Int)] {
    ExportTimeForm.allCases.map { ($0, tally.timeForms[$0.rawValue]) }.filter { $0.1 > 0 }
  }

  /// The revenue in a currency.
  package struct Revenue {
    package let currency: String
    package let rows: Int
    /// Whether there is a rate, for rates by day on the day of every row.
    package let hasRate: Bool
    /// The number of rows on days without a rate, in order of the days; nil unless there are rates by day.
    package let gaps: [(days: String, rows: Int)]?

    /// Whether there is no rate for any of the rows.
    package var lacksRates: Bool { !hasRate && gaps.map { $0.reduce(0) { $0 + $1.rows } == rows } ?? true }
  }

  /// The revenue by currency.
  package var revenue: [Revenue] {
    currencies.map { number, count in
      let code = CurrencyCode(number: number)
      let gaps = (gaps[number] ?? [:]).sorted { $0.key < $1.key }
      return Revenue(
        currency: code.name, rows: count, hasRate: gaps.isEmpty && (rates ?? ExchangeRates()).knows(code),
        gaps: rates?.isDaily == true ? gaps.map { ($0.key.text, $0.value) } : nil)
    }.sorted { $0.currency < $1.currency }
  }

  /// The kinds of rows that are missing, although windows and values depend on them, each with the key of a mapping file
  /// that names such rows.
  package var unrecognized: [String] {
    guard let mapping, tally.mappedRows > 0 else { return [] }
    func missing(_ what: String, _ key: String, _ condition: ExportCondition?) -> String {
      let sought = condition.map { condition in
        "no row has \(condition.values.map { JSONWriter.quoted($0) }.joined(separator: " or ")) in "
          + (condition.column.map(\.name) ?? mapping.eventName.map(\.name).joined(separator: " or "))
      }
      return
        "\(what): \(sought ?? "the mapping names none"); if the export has some, \"\(key)\" in a mapping file names them"
    }
    return (mapped(.install) == 0 && begun == 0 ? [missing("installs", "install", mapping.install)] : [])
      + (mapped(.session) == 0 ? [missing("sessions", "session", mapping.session)] : [])
      + missingRevenue(mapping)
  }

  /// The message about missing revenue: every amount, or those of most purchases.
  private func missingRevenue(_ mapping: ExportMapping) -> [String] {
    let columns = mapping.revenue.flatMap(\.amount).map(\.name).listed("or")
    let numbers = unread.numbers
    let rest =
      numbers.isEmpty
      ? "no other column has numbers"
      : "columns with numbers that nothing reads: \(ExportMapping.list(numbers)); \"revenue\" in a mapping file names one"
    if tally.revenues == 0 {
      let problem =
        columns.isEmpty
        ? "the mapping names no column of it"
        : tally.zeroAmounts == 0 ? "no row has an amount in \(columns)" : "every amount in \(columns) is 0"
      return ["revenue: \(problem); \(rest)"]
    }
    return tally.missingPurchases.map { ["revenue: \($0) in \(columns); \(rest)"] } ?? []
  }

  package var eventNames: [(name: String, count: Int)] { names.all }

  /// Names that cannot be sent as they are: Singular accepts at most 32 ASCII characters.
  package var unsendable: [(name: String, warnings: [Warning])] {
    names.all.map { ($0.name, Warning.about(eventName: $0.name)) }.filter { !$0.1.isEmpty }
  }

  /// The names that the model uses and the export lacks, with the nearest name in the export; nil without a model.
  package var missing: [(name: String, near: String?)]? {
    model.map { model in
      let seen = names.all.map(\.name)
      return model.names.filter { $0 == Device.sessionEventName ? sessions == 0 : !names.contains($0) }
        .map { ($0, nearestName(to: $0, in: seen)) }
    }
  }

  /// The names in the export that the model does not use; nil without a model.
  package var unused: [String]? { model.map { model in names.all.map(\.name).filter { !model.names.contains($0) } } }
}

/// The names of events that some models use.
private struct ModelNames {
  let names: [String]

  init(_ models: [ConversionModel]) { names = Set(models.flatMap(\.eventNames)).sorted() }
}

/// The event names in an export and their numbers of rows.
package struct SeenNames {
  /// The most distinct names, so that names that are identifiers do not fill the memory.
  package static let most = 50_000

  private let table = NameTable()
  private var counts: [Int] = []
  /// The number of rows with further names.
  package private(set) var others = 0

  package init() {}

  @inline(__always)
  package mutating func add(_ name: UnsafeBufferPointer<UInt8>) {
    if let index = unsafe table.index(of: name) {
      counts[index] += 1
    } else if counts.count < Self.most {
      _ = unsafe table.insert(name)
      counts.append(1)
    } else {
      others += 1
    }
  }

  /// The names, most frequent first.
  package var all: [(name: String, count: Int)] {
    counts.indices.map { (table.names[$0], counts[$0]) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  package func contains(_ name: String) -> Bool { table.index(of: name) != nil }
}

extension ImportReport: JSONObjectWritable {
  package static let fields = JSONFields<ImportReport> {
    JSONField("mapping") { $0.title }
    JSONField("rows", object: rowFields) { $0 }
    JSONField("filtered") { counts($0.filtered.map { ($0.reason, $0.count) }) }
    JSONField("rejected") { counts($0.rejected.map { ($0.reason.name, $0.count) }) }
    JSONField("rejected_rows", list: rejectedFields) { $0.tally.places }
    JSONField("time", object: timeFields) { $0 }
    JSONField("devices", as: .each(of: ["all", "from_beginning"], .count)) {
      ["all": $0.devices, "from_beginning": $0.begun]
    }
    JSONField("device_columns") { counts($0.devicesByColumn.map { ($0.column, $0.count) }) }
    JSONField("blank_identifiers") { counts($0.blanks.map { ($0.text, $0.count) }) }
    JSONField("duplicates") { $0.duplicates }
    JSONField("later_installs") { $0.laterInstalls }
    JSONField("rows_before_beginning") { $0.beforeBeginning }
    JSONField("unread_installs") { $0.tally.unreadInstalls }
    JSONField("unread_systems", list: systemFields) { $0.unread.systems }
    JSONField("unread_numbers") { $0.unread.numbers }
    JSONField("zero_amounts") { $0.tally.zeroAmounts }
    JSONField("currencies", list: currencyFields) { $0.revenue }
    JSONField("events", list: eventFields) { $0.eventNames.map { ($0.name, $0.count) } }
    JSONField("unsendable", list: unsendableFields) { $0.unsendable.map { ($0.name, $0.warnings.map(\.kind)) } }
    JSONField("missing", as: JSONForm.list(missingFields.form).orNull) { report, writer in
      guard let missing = report.missing else { return writer.null() }
      writer.array(missing.map { ($0.name, $0.near) }, missingFields.write)
    }
    JSONField("unused") { $0.unused }
    JSONField("samples") { $0.samples }
    JSONField("steps") { $0.steps }
  }

  private static let rowFields = JSONFields<ImportReport> {
    JSONField("read") { $0.tally.rows }
    JSONField("mapped") { $0.tally.mappedRows }
    JSONField("filtered") { $0.tally.filteredRows }
    JSONField("rejected") { $0.tally.rejectedRows }
    JSONField("repeated_headers") { $0.tally.repeatedHeaders }
    JSONField("installs") { $0.mapped(.install) }
    JSONField("sessions") { $0.mapped(.session) }
    JSONField("events") { $0.mapped(.event) }
    JSONField("revenues") { $0.mapped(.revenue) }
    JSONField("with_revenue") { $0.tally.revenues }
    JSONField("purchases") { $0.tally.purchases }
    JSONField("purchases_without_revenue") { $0.tally.purchasesWithoutRevenue }
  }

  private static let systemFields = JSONFields<UnreadColumns.Systems> {
    JSONField("column") { $0.column }
    JSONField("systems") { counts($0.rows.map { ($0.name, $0.rows) }) }
  }

  private func mapped(_ kind: ExportedRow.Kind) -> Int { tally.mapped[Int(kind.rawValue)] }

  private static let rejectedFields = JSONFields<ImportTally.Rejected> {
    JSONField("file") { $0.file }
    JSONField("line", as: .integer(1 ... .max)) { $0.line }
    JSONField("reason") { $0.reason.name }
    JSONField("value") { $0.value }
  }

  private static let timeFields = JSONFields<ImportReport> {
    JSONField("first") { $0.tally.first }
    JSONField("last") { $0.tally.last }
    JSONField("forms") { counts($0.timeForms.map { ($0.form.text, $0.count) }) }
  }

  private static let currencyFields = JSONFields<Revenue> {
    JSONField("currency") { $0.currency }
    JSONField("rows") { $0.rows }
    JSONField("has_rate") { $0.hasRate }
    JSONField(optional: "without_rate") { $0.gaps.map(counts) }
  }

  private static let eventFields = JSONFields<(name: String, rows: Int)> {
    JSONField("name") { $0.name }
    JSONField("rows") { $0.rows }
  }

  private static let unsendableFields = JSONFields<(name: String, warnings: [WarningCode])> {
    JSONField("name") { $0.name }
    JSONField("warnings") { $0.warnings }
  }

  private static let missingFields = JSONFields<(name: String, nearest: String?)> {
    JSONField("name") { $0.name }
    JSONField("nearest") { $0.nearest }
  }

  private static func counts(_ counts: [(String, Int)]) -> [String: Int] { Dictionary(counts, uniquingKeysWith: +) }
}
