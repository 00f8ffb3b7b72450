import SKANBase

extension FrameworkCall: JSONObjectWritable {
  /// The names of Apple's calls.
  package enum Name {
    package static let register = "registerAppForAdNetworkAttribution"
    package static let update = "updateConversionValue"
    package static let postback = "updatePostbackConversionValue"
  }

  package static let fields = JSONFields<FrameworkCall> {
    JSONField("call", "the name of Apple's method", as: .names([Name.register, Name.update, Name.postback])) { $0.name }
    JSONField(optional: "fine", "the fine value that it was given") { $0.fine }
    JSONField(optional: "coarse", "the coarse value, or null; absent where the method takes none") { $0.coarse }
    JSONField(optional: "lock", "whether it locks the window; absent where the method takes no lock") { $0.lock }
  }

  private var name: String {
    switch self {
    case .register: Name.register
    case .updateConversionValue: Name.update
    case .updatePostback, .updatePostbackCoarse: Name.postback
    }
  }

  private var fine: Int64? {
    switch self {
    case .register: nil
    case .updateConversionValue(let fine), .updatePostback(let fine), .updatePostbackCoarse(let fine, _, _): fine
    }
  }

  private var coarse: CoarseValue?? { if case .updatePostbackCoarse(_, let coarse, _) = self { coarse } else { nil } }

  private var lock: Bool? { if case .updatePostbackCoarse(_, _, let lock) = self { lock } else { nil } }

  /// Reads what ``fields`` wrote; problems are the reader's.
  package init?(from reader: inout JSONObjectReader) {
    let name = reader.require("call", reader.string("call"))
    let fine = reader.integer("fine")
    let coarse: CoarseValue? = reader.node("coarse")?.isNull ?? true ? nil : reader.choice("coarse")
    switch (name, fine, coarse, reader.bool("lock")) {
    case (Name.register, nil, nil, nil): self = .register
    case (Name.update, let fine?, nil, nil): self = .updateConversionValue(fine)
    case (Name.postback, let fine?, nil, nil): self = .updatePostback(fine: fine)
    case (Name.postback, let fine?, _, let lock?): self = .updatePostbackCoarse(fine: fine, coarse: coarse, lock: lock)
    default:
      if reader.problems.isEmpty { reader.complain("no such call into Apple's framework") }
      return nil
    }
  }
}

extension CoarseValue: JSONWritable {}
