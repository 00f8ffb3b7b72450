import SKANJSON

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
}
