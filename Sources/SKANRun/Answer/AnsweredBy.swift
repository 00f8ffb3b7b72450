import SKANBase

/// Who answered a request, as results name it.
package enum AnsweredBy: Sendable, Equatable {
  /// The step's own answer.
  case list
  /// The test endpoint in process.
  case embedded
  /// A conversion model in process; of which file, where that is known.
  case model(file: String?)
  /// An endpoint on the network: `testing`, `production`, or its address.
  case remote(String)

  /// The value of a result's `answered_by`.
  package var name: String { String(writing: { $0.append(self) }) }

  /// Changes the address of an endpoint on the network.
  package mutating func mapAddress(_ transform: (String) -> String) {
    if case .remote(let name) = self { self = .remote(transform(name)) }
  }

  /// In the words of a message.
  package var displayText: String {
    switch self {
    case .list: "the step's own answer"
    case .embedded: "the embedded test endpoint"
    case .model(let file): file ?? "a model"
    case .remote(let name): name
    }
  }

  /// In the words of a message, of the ``name`` that a file keeps.
  package static func displayText(ofName name: String) -> String {
    [Self.list, .embedded].first { $0.name == name }?.displayText ?? name
  }

  /// Whether no network was needed.
  package var isInProcess: Bool { if case .remote = self { false } else { true } }
}

extension ByteText {
  /// Adds the ``AnsweredBy/name`` of who answered.
  mutating func append(_ answeredBy: AnsweredBy) {
    switch answeredBy {
    case .list: append("list")
    case .embedded: append("embedded")
    case .model(nil): append("model")
    case .model(let file?):
      append("model ")
      append(file)
    case .remote(let name): append(name)
    }
  }
}
