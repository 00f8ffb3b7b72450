import SKANBacktest
import SKANDevice
import SKANBase

/// The options by which exports of events are read.
struct ExportOptions: CommandOptions {
  static let preset = Option<ExportPreset?>(
    "preset", "NAME", .choice,
    "whose export it is: \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")) (default: by its columns)")
  static let mapping = Option<String?>(
    "mapping", "FILE", .namedFile, "which columns hold what, as JSON; 'skan help import' says how")
  static let timezone = Option<ExportTimeZone?>(
    "timezone", "ZONE", .timeZone, "of times that are written without one: UTC, +02:00 or Europe/Berlin")
  static let currency = Option<CurrencyCode?>(
    "currency", "CODE", .currencyCode, "of amounts whose row says none")
  static let dedupe = Option<Set<DuplicateField>>(
    "dedupe", "LIST", .duplicateFields, default: "",
    "count the rows of a device once that are the same in these, with commas between: tx, device, name, time")
  static let maxErrors = Option<Int>(
    "max-errors", "NUMBER", .errorCount, default: "100",
    "how many rows may be rejected: a number, or unlimited")

  /// Where a mapping comes from.
  enum Base: Sendable {
    case preset(ExportPreset)
    case file(String)
  }

  /// Nil where the columns of the input say which preset it is.
  let base: Base?
  let timezone: ExportTimeZone?
  let currency: CurrencyCode?
  let duplicateFields: Set<DuplicateField>
  /// How many rows may be rejected.
  let mostErrors: Int
  /// The column by which devices are grouped.
  var group: String?

  init(_ reader: OptionReader) throws(CommandError) {
    let way = try reader.oneOf([Self.preset, Self.mapping]) {
      "\($0) and \($1) exclude each other: a mapping file may name a \"preset\" of its own"
    }
    let preset = try reader.value(of: Self.preset, if: way == Self.preset).map(Base.preset)
    base = try reader.value(of: Self.mapping, if: way == Self.mapping).map(Base.file) ?? preset
    timezone = try reader[Self.timezone]
    currency = try reader[Self.currency]
    duplicateFields = try reader[Self.dedupe]
    mostErrors = try reader[Self.maxErrors]
  }
}

extension ValueParser<ExportTimeZone> {
  fileprivate static var timeZone: Self {
    Self(.text, values: ["UTC"]) { (given) throws(CommandError) in
      guard let zone = ExportTimeZone(given.text) else { throw given.mustBe(ExportMapping.zones) }
      return zone
    }
  }
}

extension ValueParser<CurrencyCode> {
  static var currencyCode: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let code = CurrencyCode(given.text) else { throw given.mustBe("three capital letters such as USD") }
      return code
    }
  }
}

extension ValueParser<Set<DuplicateField>> {
  fileprivate static var duplicateFields: Self {
    let names = DuplicateField.allCases.map(\.rawValue)
    return Self(.text, values: names) { (given) throws(CommandError) in
      var fields: Set<DuplicateField> = []
      for part in given.text.split(separator: ",") {
        guard let field = DuplicateField(rawValue: String(part)) else {
          let near = nearestName(to: String(part), in: names).map { "; did you mean \($0)?" } ?? ""
          throw given.mustBe("of \(names.joined(separator: ", ")), with commas between", hint: near)
        }
        fields.insert(field)
      }
      // One device's rows are all the same in their device.
      if fields == [.device] { throw given.problem("device alone would leave one row of each device") }
      return fields
    }
  }
}

extension ValueParser<Int> {
  fileprivate static var errorCount: Self {
    Self(.integer, values: ["unlimited"]) { (given) throws(CommandError) in
      if given.text == "unlimited" { return .max }
      guard let count = Int(given.text), count >= 0 else { throw given.mustBe("a whole number from 0, or unlimited") }
      return count
    }
  }
}
