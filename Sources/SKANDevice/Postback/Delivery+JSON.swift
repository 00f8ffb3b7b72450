import SKANBase

/// The attempt as a device file has it.
extension Delivery {
  package static let keys: JSONKeys = ["at", "transaction_id", "sequence_index", "recipient", "url", "status", "error"]

  package var json: JSON {
    let outcome: (key: String, value: JSON) =
      switch result {
      case .answered(let status): ("status", .integer(status))
      case .failed(let message): ("error", .string(message))
      }
    return .object([
      ("at", at.json), ("transaction_id", .string(transactionID)),
      ("sequence_index", .integer(Int64(window.rawValue))), ("recipient", .string(recipient.rawValue)),
      ("url", .string(url)), outcome,
    ])
  }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a delivery", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let id = reader.require("transaction_id", reader.string("transaction_id"))
    let index = reader.require("sequence_index", reader.integer("sequence_index", in: 0...2))
    let recipient: Recipient? = reader.require("recipient", reader.choice("recipient"))
    let url = reader.require("url", reader.string("url"))
    let status = reader.integer("status", in: 100...999)
    let error = reader.string("error")
    guard let result = status.map(Result.answered) ?? error.map(Result.failed) else {
      if reader.problems.isEmpty { reader.complain("a delivery needs \"status\" or \"error\"") }
      return nil
    }
    guard let at, let id, let recipient, let url, let window = index.flatMap({ ConversionWindow(rawValue: Int($0)) })
    else { return nil }
    self.init(at: at, transactionID: id, window: window, recipient: recipient, url: url, result: result)
  }
}
