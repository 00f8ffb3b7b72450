import SKANBacktest
import SKANRun
import SKANBase

extension Invocation {
  /// The name of an event in the input that is nearest to one that no device has in time; itself where it comes later.
  ///
  /// The inputs are read once more, since a fit keeps no name that it was not asked for; what cannot be read a second time
  /// gives none.
  func nearestEvent(to name: String, _ options: ExportOptions) -> String? {
    guard !positional.contains("-"), var files = try? ExportFiles(self, options, saysGuess: false) else { return nil }
    var names = SeenNames()
    while let input = try? files.next() {
      switch input {
      case .eventList(let source, let file): add(ListReader(file, source, ListReader.Options()), to: &names)
      case .rows(let blocks, let mapping):
        let parser = ExportParser(mapping)
        while let block = try? blocks.next(), !environment.isInterrupted() {
          _ = unsafe parser.parse(block) { row in
            if unsafe row.kind == .event { unsafe names.add(row.name) }
          }
        }
      }
    }
    return names.contains(name) ? name : meantName(by: name, in: names.all.map(\.name))
  }

  private func add(_ reader: ListReader, to names: inout SeenNames) {
    var step = Step(.details)
    while let item = try? reader.next(into: &step), !environment.isInterrupted() {
      if case .step = item, case .event(var name, _) = step.operation { name.withUTF8 { unsafe names.add($0) } }
    }
  }
}
