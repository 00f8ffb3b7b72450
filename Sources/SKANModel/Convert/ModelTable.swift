import SKANDevice
import SKANBase

/// A conversion model as a flat CSV table: a row is an entry of a value's mapping, and rows of the same window and value hold
/// together.
package enum ModelTable {
  package static let columns = [
    "window", "value", "coarse", "event", "min_count", "max_count", "min_revenue", "max_revenue", "currency",
  ]

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - currency: of amounts without one.
  ///   - hint: what to do about an amount without any, to be put behind the message.
  /// - Throws: everything that is wrong with it.
  package static func read(_ bytes: [UInt8], currency: String?, hint: String) throws(SourceNotes) -> ConversionModel {
    var table = CSVTable(CSVReader(bytes), columns: columns, required: ["window", "event"])
    var model = ConversionModel()
    var isEmpty = true
    while let row = table.next() {
      isEmpty = false
      let reader = ModelTableRow(row, currency: currency, hint: hint)
      for note in reader.notes { table.complain(note) }
      guard let value = reader.value, let event = reader.event else { continue }
      if model.mapping(of: value)?.events.contains(event) == true {
        table.complain(row.note("\(value.name) has this row already"))
      } else {
        model.add(event, to: value)
      }
    }
    if isEmpty, table.notes.isEmpty {
      table.complain(
        SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: "there is no row under the header"))
    }
    if !table.notes.isEmpty { throw SourceNotes(table.notes, more: table.furtherNotes) }
    for window in ConversionWindow.allCases { model.windows[window].coarse.sort { $0.value.number < $1.value.number } }
    return model
  }
}

extension ConversionModel {
  fileprivate mutating func add(_ event: MappedEvent, to value: ModelValue) {
    switch value {
    case .fine(let number):
      let index = fine.firstIndex { $0.value == number } ?? fine.count
      if index == fine.count { fine.append(FineMapping(value: number, mapping: ValueMapping())) }
      fine[index].mapping.events.append(event)
    case .coarse(let coarse, let window):
      let index = windows[window].coarse.firstIndex { $0.value == coarse } ?? windows[window].coarse.count
      if index == windows[window].coarse.count {
        windows[window].coarse.append(CoarseMapping(value: coarse, mapping: ValueMapping()))
      }
      windows[window].coarse[index].mapping.events.append(event)
    }
  }
}
