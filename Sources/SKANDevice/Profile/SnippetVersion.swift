/// The version of Singular's snippet in the app; see the article "Snippet versions".
public enum SnippetVersion: String, CaseIterable, Sendable {
  /// The code of the SKAdNetwork 4 guide.
  case skan4
  /// An earlier form of it, which registers from iOS 16.1 on and accepts every coarse number.
  case skan4Beta = "skan4-beta"
  /// The code of the SKAdNetwork 3 guide.
  case skan3

  /// The rules of the version.
  @inline(__always)
  public var rules: SnippetRules {
    switch self {
    case .skan4: .skan4
    case .skan4Beta: .skan4Beta
    case .skan3: .skan3
    }
  }
}

/// The rules of a version of the snippet; the sources are in the article "Snippet versions".
///
/// Plain values without references, computed on demand, because every step needs some of them. ``EndpointAPI`` has the
/// rules that follow from ``api``: the entries that are read, the parameters of a request and their order, and the
/// names in reports of the app's server.
public struct SnippetRules: Sendable {
  /// The version of the endpoint that an update requests.
  public let api: EndpointAPI
  /// The first iOS on which `registerAppForAdNetworkAttribution` has an effect.
  private let registration: IOSVersion.Release
  /// The first iOS on which an update or revenue has an effect; nil for any.
  private let update: IOSVersion.Release?
  /// The first iOS on which an answer is accepted, checked after the answer arrives; nil for any.
  private let answer: IOSVersion.Release?
  /// When updates are open.
  public let windows: Windows
  /// The entry of the store with the current value.
  public let valueEntry: StoreEntry
  /// Whether there are coarse values and locks.
  public let hasCoarseValues: Bool
  /// Whether a coarse value outside ``StoreEntry/Kind/coarseValues`` is refused.
  let checksCoarseValues: Bool
  /// Whether values are stored with the type of the answer, so that a string makes later requests crash.
  let keepsAnyType: Bool
  /// The precision of revenue sums.
  public let sums: Sums
  /// Whether revenue is summed by window, and revenue from ads separately.
  public let splitsRevenue: Bool
  let handler: Handler

  /// When updates are open.
  public enum Windows: Sendable {
    /// In three windows from the first call.
    case fromFirstCall
    /// For ``ConversionWindow/skan3Length`` from the last call.
    case fromLastCall
  }

  /// The arguments of the completion handler.
  enum Handler: Sendable {
    /// Fine value, coarse value, lock, error.
    case values
    /// Fine value (-1 with an error) and error.
    case value
  }

  @inline(__always)
  static var skan4: SnippetRules { skan4(registration: .singleValueUpdate, checksCoarseValues: true) }

  @inline(__always)
  static var skan4Beta: SnippetRules { skan4(registration: .coarseValueUpdate, checksCoarseValues: false) }

  @inline(__always)
  private static func skan4(registration: IOSVersion.Release, checksCoarseValues: Bool) -> SnippetRules {
    SnippetRules(
      api: .v2, registration: registration, update: nil, answer: .singleValueUpdate,
      windows: .fromFirstCall, valueEntry: .fineValue,
      hasCoarseValues: true, checksCoarseValues: checksCoarseValues, keepsAnyType: true, sums: .single,
      splitsRevenue: true, handler: .values)
  }

  @inline(__always)
  static var skan3: SnippetRules {
    SnippetRules(
      api: .v1, registration: .registration, update: .conversionValueUpdate, answer: nil,
      windows: .fromLastCall, valueEntry: .skan3Value, hasCoarseValues: false, checksCoarseValues: false,
      keepsAnyType: false, sums: .double, splitsRevenue: false, handler: .value)
  }
}

extension SnippetRules {
  /// The first iOS on which `registerAppForAdNetworkAttribution` has an effect.
  public var registrationMinimum: IOSVersion { registration.version }

  /// The first iOS on which an update or revenue has an effect, checked first; nil for any.
  var updateMinimum: IOSVersion? { update?.version }

  /// The first iOS on which an answer is accepted, checked after the answer arrives; nil for any.
  public var answerMinimum: IOSVersion? { answer?.version }
}
