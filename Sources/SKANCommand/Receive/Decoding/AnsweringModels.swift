import SKANDevice

extension Invocation {
  /// The models that answer phones: of an app whose models are valid one after the other, the one that is valid now.
  ///
  /// - Parameter decodes: whether they decode postbacks, too.
  func answeringModels(_ given: [ModelArgument], decodes: Bool) throws(CommandError) -> [ModelArgument] {
    guard given.contains(where: { $0.from != nil }) else { return given }
    let option = name(of: .model)
    guard decodes else {
      throw usage(
        "\(option): from=DATE says which postbacks a model decodes, with 'skan serve --postbacks', 'skan receive' and "
          + "'skan verify'; here one model answers")
    }
    let now = environment.now()
    let begun = given.filter { $0.from.map { $0 <= now } ?? true }
    for argument in given where !begun.contains(where: { $0.app == argument.app }) {
      throw usage(
        "\(option): \(argument.path) is valid from \(argument.from ?? now) on, and until then no model answers "
          + "\(argument.app ?? "phones"): give the one before it, too")
    }
    return begun.filter { argument in
      !begun.contains { other in
        other.app == argument.app && other.from.map { from in argument.from.map { $0 < from } ?? true } ?? false
      }
    }
  }
}
