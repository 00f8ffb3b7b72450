import SKANDevice
import SKANBase

extension ConversionModel {
  /// Names of events that the API reference does not allow, each once: an app that keeps to it never sends them.
  var nameOddities: [ModelOddity] {
    var seen: Set<String> = []
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    var names = mappings.flatMap { mapping in mapping.events.map { ($0.name, mapping.range) } }
    for window in ConversionWindow.allCases {
      if case .event(let name)? = windows[window].lock { names.append((name, windows[window].lockRange)) }
    }
    return names.filter { seen.insert($0.0).inserted }.flatMap { name, range in
      Warning.about(eventName: name).map { warning in
        let message = warning.message
        let sentence = message.prefix(1).lowercased() + message.dropFirst().dropLast()
        return ModelOddity("event \(JSONWriter.quoted(name)): \(sentence)", at: range)
      }
    }
  }
}
