import SKANBase

extension OperationSpec {
  static let revenue = OperationSpec(
    "revenue", "a step with op \"revenue\"", keys: [.amount, .currency, .adMonetization],
    decode: { reader, step in step.operation = .revenue(Step.Revenue(from: &reader)) },
    encode: { operation, writer in
      guard case .revenue(let revenue) = operation else { return }
      writer.add(.amount, .double(revenue.amount))
      writer.add(.currency, .optional(revenue.currency))
      if revenue.isAdMonetization { writer.add(.adMonetization, .bool(true)) }
    },
    history: { operation in
      guard case .revenue(let revenue) = operation else { return nil }
      return .revenue(
        amount: revenue.amount, currency: revenue.currency ?? "", isAdMonetization: revenue.isAdMonetization)
    })
}

extension Step.Revenue {
  fileprivate init(from reader: inout JSONObjectReader) {
    let amount = reader.number(at: .amount)
    if amount == nil { reader.require(at: .amount) }
    if let amount, !Float(amount).isFinite {
      reader.complain("\"amount\" must fit a single-precision number (up to 3.4e38)", about: "amount")
    }
    var currency: String?
    if let node = reader.node(at: .currency) {
      if !node.isNull { currency = reader.string(at: .currency) }
    } else {
      reader.complain("a revenue step needs the key \"currency\" (null for none)")
    }
    self.init(
      amount: amount ?? 0, currency: currency, isAdMonetization: reader.bool(at: .adMonetization) ?? false)
  }
}
