import SKANBacktest
import SKANRun
import SKANBase

/// An error while rows that were read are divided by device.
extension Invocation {
  /// Why rows that were set aside do not come back.
  ///
  /// - Parameter options: nil where the input is not read again to find the device.
  func failed(_ failure: EventPartitions.ReadFailure, _ options: ExportOptions?) -> CommandError {
    switch failure {
    case .file(let error): .cannotWrite(file: "the temporary file in \(error.path)", reason: error.reason)
    case .tooManyRecords(let key, let count):
      tooManyRows(count, at: options.flatMap { firstRow(of: key, $0) })
    }
  }

  /// A device has more rows than are kept in memory.
  ///
  /// - Parameters:
  ///   - count: how many; nil where the others have not been read.
  ///   - place: of one of its rows; nil where it is not known.
  func tooManyRows(_ count: Int? = nil, at place: String?) -> CommandError {
    let problem =
      "has \(count.map(String.init) ?? "more") rows, and at most \(environment.mostRowsOfDevice) of one device are kept "
      + "in memory. Is it one device, or what the export writes for many? \"where\" in a mapping file leaves it out"
    return place.map { .lines([.at($0, "the device of this row \(problem)")]) } ?? .unusable("one device \(problem)")
  }

  /// `FILE:LINE` of a device's first row, since nothing but a hash of its identifier has been kept; nil where the input
  /// cannot be read again.
  private func firstRow(of key: DeviceKey, _ options: ExportOptions) -> String? {
    guard !positional.contains("-"), var files = try? ExportFiles(self, options, saysGuess: false) else { return nil }
    while let input = try? files.next() {
      switch input {
      case .eventList(let source, let file):
        let reader = ListReader(file, source, ListReader.Options())
        var step = Step(.details)
        while case .step? = try? reader.next(into: &step), !environment.isInterrupted() {
          if step.operation.takesPhone, DeviceKey(step.device) == key {
            return "\(file.oneLine):\(reader.location.line)"
          }
        }
      case .rows(let blocks, let mapping):
        let parser = ExportParser(mapping)
        while let block = try? blocks.next(), !environment.isInterrupted() {
          var line: Int?
          _ = unsafe parser.parse(block) { row in
            if line == nil, unsafe DeviceKey(row.device) == key { line = unsafe row.line }
          }
          if let line { return "\(blocks.layout.file):\(line)" }
        }
      }
    }
    return nil
  }
}
