import SKANDevice
import SKANBase

/// Why the endpoint does not take a request, by the four errors that Singular documents as not to be tried again.
///
/// The texts are documented (support.singular.net, article 31542603988379), the conditions and their order are not:
/// those of ``init(of:at:)`` are inferred.
package enum ForwardedRefusal: Error, Equatable, Sendable {
  /// A parameter without which nothing is taken.
  case missingArgument(String)
  /// `p` is not a platform of the list.
  case invalidPlatform(String)
  /// Neither `idfv` nor `idfa` nor `sdid`.
  case noDeviceID
  /// An identifier that this platform has to send.
  case platformParameter(platform: String, parameter: String)

  /// The `reason` of the answer.
  package var reason: String {
    switch self {
    case .missingArgument(let name): "missing argument: \(name)"
    case .invalidPlatform(let platform): "invalid platform: \(platform)"
    case .noDeviceID: "no device ID supplied"
    case .platformParameter(let platform, let parameter): "platform: \(platform) should have an \(parameter) param"
    }
  }

  /// A documented refusal in the text of an answer.
  ///
  /// - Returns: nil for another reason, which is to be tried again.
  package init?(reason: String) {
    if let name = reason.behind("missing argument: ") {
      self = .missingArgument(name)
    } else if let platform = reason.behind("invalid platform: ") {
      self = .invalidPlatform(platform)
    } else if reason == "no device ID supplied" {
      self = .noDeviceID
    } else if let rest = reason.behind("platform: "), let range = rest.ranges(of: " should have an ").last,
      rest.hasSuffix(" param")
    {
      self = .platformParameter(
        platform: String(rest[..<range.lowerBound]), parameter: String(rest[range.upperBound...].dropLast(6)))
    } else {
      return nil
    }
  }

  /// The values of `p`; of PlayStation there are two spellings.
  package static let platforms = [
    "Android", "iOS", "Web", "PC", "Xbox", "Playstation", "PlayStation", "Nintendo", "MetaQuest", "CTV",
  ]

  /// What an endpoint refuses a request with; nil when it takes it.
  ///
  /// It looks at "specific parameters, not all required ones": here these are `a`, `p`, `i`, of an event `n`, the
  /// platform's name, and the identifiers. ``ForwardedCheck`` finds all problems.
  package init?(of parameters: SentParameters, at endpoint: EndpointKind) {
    func isGiven(_ name: String) -> Bool { parameters[name].map { !$0.isEmpty } ?? false }
    let needed = ["a", "p", "i"] + (endpoint.isEvent ? ["n"] : [])
    if let missing = needed.first(where: { !isGiven($0) }) {
      self = .missingArgument(missing)
    } else if let platform = parameters["p"], !Self.platforms.contains(where: platform.isLiterally) {
      self = .invalidPlatform(platform)
    } else if !["idfv", "idfa", "sdid"].contains(where: isGiven) {
      self = .noDeviceID
    } else if parameters["p"] == "iOS", !isGiven(endpoint == .event(.v2) ? "sdid" : "idfv") {
      self = .platformParameter(platform: "iOS", parameter: endpoint == .event(.v2) ? "sdid" : "idfv")
    } else {
      return nil
    }
  }
}

extension String {
  /// What follows a beginning; nil when the text begins otherwise.
  fileprivate func behind(_ beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
