import SKANDevice
import SKANBase

/// The updates that ask the endpoint.
extension OperationSpec {
  static let session = OperationSpec(
    "session", "a step with op \"session\"", keys: Step.Update.keys,
    decode: { reader, step in step.operation = .session(Step.Update(from: &reader)) },
    encode: { operation, writer in
      guard case .session(let update) = operation else { return }
      update.encode(to: &writer)
    },
    history: { _ in .session })

  static let event = OperationSpec(
    "event", "a step with op \"event\"", keys: [.name] + Step.Update.keys,
    decode: { reader, step in
      // Both are read, so that a bad name does not hide what is wrong with the rest.
      let name = reader.string(at: .name)
      if name == nil { reader.require(at: .name) }
      step.operation = .event(name: name ?? "", Step.Update(from: &reader))
    },
    encode: { operation, writer in
      guard case .event(let name, let update) = operation else { return }
      writer.add(.name, .string(name))
      update.encode(to: &writer)
    },
    history: { operation in
      guard case .event(let name, _) = operation else { return nil }
      return .event(name)
    })
}

extension Step.Update {
  fileprivate static let keys: [StepKey] = [.answer, .took, .frameworkError, .noHandler, .forward]
  private static let indices = JSONKeys.Subset(keys.map(\.rawValue))

  fileprivate init(from reader: inout JSONObjectReader) {
    self.init()
    guard reader.hasAny(of: Self.indices) else { return }
    if let node = reader.node(at: .answer) {
      var answer = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      self.answer = AnswerForm.read(&answer)
      reader.add(answer.problems)
    }
    if reader.has(at: .took) {
      took = reader.span(at: .took)
      if took == nil {
        reader.complain(
          at: .took, expected: "seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d)")
      }
    }
    if let node = reader.node(at: .forward) { forward = ForwardOptions(node, in: &reader) }
    options.hasHandler = !(reader.bool(at: .noHandler) ?? false)
    options.frameworkError = reader.integer(at: .frameworkError)
  }

  fileprivate func encode(to writer: inout StepWriter) {
    if let answer { writer.add(.answer, text: AnswerForm.text(answer)) }
    if let took { writer.add(.took, .string(took.listText)) }
    if let error = options.frameworkError { writer.add(.frameworkError, .integer(error)) }
    if !options.hasHandler { writer.add(.noHandler, .bool(true)) }
    if let forward { writer.add(.forward, text: forward.text) }
  }
}
