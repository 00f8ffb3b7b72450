import SKANBase

extension FrameworkCall {
  /// The names of Apple's calls.
  package enum Name {
    package static let register = "registerAppForAdNetworkAttribution"
    package static let update = "updateConversionValue"
    package static let postback = "updatePostbackConversionValue"
  }

  /// The call's name and what it was given, as members of an object.
  package var members: [(key: String, value: JSON)] {
    switch self {
    case .register: [("call", .string(Name.register))]
    case .updateConversionValue(let fine): [("call", .string(Name.update)), ("fine", .integer(fine))]
    case .updatePostback(let fine): [("call", .string(Name.postback)), ("fine", .integer(fine))]
    case .updatePostbackCoarse(let fine, let coarse, let lock):
      [
        ("call", .string(Name.postback)), ("fine", .integer(fine)), ("coarse", .optional(coarse?.rawValue)),
        ("lock", .bool(lock)),
      ]
    }
  }

  /// Reads what ``members`` wrote; problems are the reader's.
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
