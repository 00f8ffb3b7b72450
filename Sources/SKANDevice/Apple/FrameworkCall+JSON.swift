import SKANBase

extension FrameworkCall: JSONObjectWritable {
  /// The names of Apple's calls.
  package enum Name {
    package static let register = "registerAppForAdNetworkAttribution"
    package static let update = "updateConversionValue"
    package static let postback = "updatePostbackConversionValue"
  }

  package static let fields = JSONFields<FrameworkCall> {
    JSONField(
      "call", "the name of Apple's method", of: String.self, as: .names([Name.register, Name.update, Name.postback])
    ) { call, writer in
      switch call {
      case .register: writer.append(Name.register)
      case .updateConversionValue: writer.append(Name.update)
      case .updatePostback, .updatePostbackCoarse: writer.append(Name.postback)
      }
    }
    JSONField(optional: "fine", "the fine value that it was given", of: Int64.self) { call, writer in
      if let fine = call.fineValue { writer.append(fine) }
    }
    JSONField(
      optional: "coarse", "the coarse value, or null; absent where the method takes none", of: CoarseValue?.self
    ) { call, writer in
      guard case .updatePostbackCoarse(_, let coarse, _) = call else { return }
      if let coarse { writer.append(coarse.rawValue) } else { writer.null() }
    }
    JSONField(
      optional: "lock", "whether it locks the window; absent where the method takes no lock", of: Bool.self
    ) { call, writer in if case .updatePostbackCoarse(_, _, let lock) = call { writer.append(lock) } }
  }

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
