/// Why a row cannot be used.
package enum ImportRejection: Int, Sendable, CaseIterable {
  /// Another number of fields than the header has.
  case width
  /// Text behind the quote that ends a field.
  case quotes
  case json
  case device
  case time
  /// Its time is written without a zone, and none is given.
  case timeZone
  case name
  case amount
  case decimalComma
  case currency

  /// The name in JSON.
  package var name: String {
    switch self {
    case .width: "fields"
    case .quotes: "quotes"
    case .json: "json"
    case .device: "no-device"
    case .time: "time"
    case .timeZone: "time-zone"
    case .name: "no-name"
    case .amount: "amount"
    case .decimalComma: "decimal-comma"
    case .currency: "currency"
    }
  }

  /// What is wrong with the row.
  package var message: String {
    switch self {
    case .width: "it has another number of fields than the header"
    case .quotes: "text follows the quote that ends a field"
    case .json: "it is not a JSON object"
    case .device: "it names no device"
    case .time: "its time cannot be read, or is not between 2000 and 2100"
    case .timeZone: "its time has no zone"
    case .name: "it has neither an event's name nor revenue"
    case .amount: "its amount is not a decimal number"
    case .decimalComma: "its amount has a comma; a decimal point is read, and nothing between thousands"
    case .currency: "it has revenue without a currency (three letters)"
    }
  }
}
