import SKANDevice
import SKANBase
import SKANModel

/// What an export holds, without any of its identifiers.
package struct ImportReport {
  /// Rows as they are mapped.
  package static let mostSamples = 3

  /// How rows are mapped; nil where there is no row.
  package var mapping: ExportMapping?
  package var tally = ImportTally()
  package private(set) var samples: [String] = []
  private var names = SeenNames()
  private var sessions = 0
  /// Rows with revenue by the currency's number.
  private var currencies: [UInt32: Int] = [:]
  package private(set) var devices = 0
  /// Devices whose beginning is in the export.
  package private(set) var begun = 0
  package private(set) var duplicates = 0
  package private(set) var laterInstalls = 0
  /// Nil where no list is written.
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
    if let revenue = unsafe row.revenue { currencies[revenue.currency.number, default: 0] += 1 }
    if samples.count < Self.mostSamples { unsafe addSample(row) }
  }

  @inline(never)
  private mutating func addSample(_ row: borrowing ExportedRow) {
    // So short that no device is found by trying identifiers.
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
  }

  package var title: String { mapping?.title ?? "none" }

  /// Rows that the mapping leaves out, by reason.
  package var filtered: [(reason: String, count: Int)] {
    zip(mapping?.filters ?? [], tally.filtered).filter { $1 > 0 }.map { ($0.reason, $1) }
  }

  /// Rows that cannot be used, by reason.
  package var rejected: [(reason: ImportRejection, count: Int)] {
    ImportRejection.allCases.map { ($0, tally.rejected[$0.rawValue]) }.filter { $0.1 > 0 }
  }

  /// Rows by the column that names their device; more than one kind of identifier is seldom meant.
  package var devicesByColumn: [(column: String, count: Int)] {
    zip(mapping?.device ?? [], tally.devices).filter { $1 > 0 }.map { ($0.name, $1) }
  }

  package var timeForms: [(form: ExportTimeForm, count: Int)] {
    ExportTimeForm.allCases.map { ($0, tally.timeForms[$0.rawValue]) }.filter { $0.1 > 0 }
  }

  /// The currencies, each with how many rows have it, and whether a rate is known for it.
  package var revenue: [(currency: String, count: Int, hasRate: Bool)] {
    currencies.map { number, count in
      let code = CurrencyCode(number: number)
      return (code.name, count, rates?.knows(code) ?? (code == CurrencyCode("USD")))
    }.sorted { $0.currency < $1.currency }
  }

  package var eventNames: [(name: String, count: Int)] { names.all }

  /// Names that cannot be sent as they are: Singular takes at most 32 ASCII characters.
  package var unsendable: [(name: String, warnings: [Warning])] {
    names.all.map { ($0.name, Warning.about(eventName: $0.name)) }.filter { !$0.1.isEmpty }
  }

  /// The names that the model asks for and the export never has, each with the nearest that it has; nil without a model.
  package var missing: [(name: String, near: String?)]? {
    model.map { model in
      let seen = names.all.map(\.name)
      return model.names.filter { $0 == Device.sessionEventName ? sessions == 0 : !names.contains($0) }
        .map { ($0, nearestName(to: $0, in: seen)) }
    }
  }

  /// The names that the export has and the model does not ask for; nil without a model.
  package var unused: [String]? { model.map { model in names.all.map(\.name).filter { !model.names.contains($0) } } }
}

/// The events that some models ask for.
private struct ModelNames {
  let names: [String]

  init(_ models: [ConversionModel]) { names = Set(models.flatMap(\.eventNames)).sorted() }
}
