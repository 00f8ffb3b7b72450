import SKANBase

/// The attempt as a device file has it.
extension Delivery: JSONObjectWritable {
  package static let fields = JSONFields<Delivery> {
    JSONField("at", "Unix seconds of the attempt") { $0.at }
    JSONField("transaction_id", "which install's postback") { $0.transactionID }
    JSONField("sequence_index", "of which window it tells", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("recipient", "who gets it") { $0.recipient }
    JSONField("url", "where it went") { $0.url }
    JSONField(optional: "status", "the HTTP status of the answer", as: .integer(100...999)) {
      if case .answered(let status) = $0.result { status } else { nil }
    }
    JSONField(optional: "error", "why there was no answer") {
      if case .failed(let message) = $0.result { message } else { nil }
    }
  }

  package static let keys = JSONKeys(fields.names)

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

extension Delivery.Recipient: JSONWritable {}
