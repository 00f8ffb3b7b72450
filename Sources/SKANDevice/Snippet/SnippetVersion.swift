/// Which of Singular's snippets the app has on board; see the article "Snippet versions".
public enum SnippetVersion: String, CaseIterable, Sendable {
  /// The SKAdNetwork 4 guide's code.
  case skan4
  /// An earlier print of it: registers from iOS 16.1 only and lets every coarse number through.
  case skan4Beta = "skan4-beta"
  /// The SKAdNetwork 3 guide's code.
  case skan3

  /// Everything that the version decides.
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
/// Plain values without references, computed where one is asked for, since every step asks for some of them. What follows
/// from ``api`` (the entries that are read, the parameters of a request and their order, the names in reports of the app's
/// server) is in ``EndpointAPI``.
public struct SnippetRules: Sendable {
  /// The version of the endpoint that an update asks.
  public let api: EndpointAPI
  /// The first iOS on which `registerAppForAdNetworkAttribution` does anything.
  private let registration: IOSVersion.Release
  /// The first iOS on which an update or revenue does anything; nil for any.
  private let update: IOSVersion.Release?
  /// The first iOS on which an answer is taken, which is asked once the answer is there; nil for any.
  private let answer: IOSVersion.Release?
  /// What register calls. A fine value in it is kept.
  let registrationCall: FrameworkCall
  /// When updates are open.
  public let windows: Windows
  /// The entry of the store that holds the current value.
  public let valueEntry: StoreEntry
  /// Whether there are coarse values and locks.
  public let hasCoarseValues: Bool
  /// Whether a coarse value outside of ``StoreEntry/Kind/coarseValues`` is refused.
  let checksCoarseValues: Bool
  /// Whether values are kept as they were answered, so that a string in an answer makes later requests crash.
  let keepsAnyType: Bool
  /// How sums of revenue are added.
  public let sums: Sums
  /// Whether revenue counts by window, and that from ads apart.
  public let splitsRevenue: Bool
  let handler: Handler

  /// When updates are open.
  public enum Windows: Sendable {
    /// In three windows from the first call.
    case fromFirstCall
    /// For ``ConversionWindow/skan3Length`` from the last call.
    case fromLastCall
  }

  /// How sums of revenue are added.
  public enum Sums: Sendable {
    /// In single precision.
    case single
    /// In double precision, the old sum narrowed first.
    case double

    /// An amount added to a sum.
    @inline(__always)
    public func adding(_ amount: Double, to sum: Double) -> Double {
      switch self {
      case .single: Double(Float(sum) + Float(amount))
      case .double: Double(Float(sum)) + amount
      }
    }
  }

  /// The arguments of the completion handler.
  enum Handler: Sendable {
    /// Fine value, coarse value, lock, error.
    case values
    /// Fine value, which is -1 with an error, and error.
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
      registrationCall: .updatePostback(fine: 0), windows: .fromFirstCall, valueEntry: .fineValue,
      hasCoarseValues: true, checksCoarseValues: checksCoarseValues, keepsAnyType: true, sums: .single,
      splitsRevenue: true, handler: .values)
  }

  @inline(__always)
  static var skan3: SnippetRules {
    SnippetRules(
      api: .v1, registration: .registration, update: .conversionValueUpdate, answer: nil, registrationCall: .register,
      windows: .fromLastCall, valueEntry: .skan3Value, hasCoarseValues: false, checksCoarseValues: false,
      keepsAnyType: false, sums: .double, splitsRevenue: false, handler: .value)
  }
}

extension SnippetRules {
  /// The first iOS on which `registerAppForAdNetworkAttribution` does anything.
  public var registrationMinimum: IOSVersion { registration.version }

  /// The first iOS on which an update or revenue does anything, which is asked before all else; nil for any.
  var updateMinimum: IOSVersion? { update?.version }

  /// The first iOS on which an answer is taken, which is asked once the answer is there; nil for any.
  public var answerMinimum: IOSVersion? { answer?.version }
}
