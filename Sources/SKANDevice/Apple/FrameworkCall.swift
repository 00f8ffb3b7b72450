/// A call into Apple's framework, with what it was given.
public enum FrameworkCall: Sendable, Equatable {
  case register
  /// SKAN 3: `updateConversionValue`.
  case updateConversionValue(Int64)
  /// iOS 15.4: `updatePostbackConversionValue(_:completionHandler:)`.
  case updatePostback(fine: Int64)
  /// iOS 16.1: with coarse value and lock.
  case updatePostbackCoarse(fine: Int64, coarse: CoarseValue?, lock: Bool)

  /// Whether the app can hear what came of it: the calls of the first years have no completion handler.
  public var hasHandler: Bool {
    switch self {
    case .register, .updateConversionValue: false
    case .updatePostback, .updatePostbackCoarse: true
    }
  }

  /// The fine value of the call, if it has one.
  public var fineValue: Int64? {
    switch self {
    case .register: nil
    case .updateConversionValue(let fine), .updatePostback(let fine), .updatePostbackCoarse(let fine, _, _): fine
    }
  }
}

/// `SKAdNetwork.CoarseConversionValue`.
public enum CoarseValue: String, CaseIterable, Sendable {
  case low, medium, high

  /// The number that stands for it on the wire, cut to its integer part; any other number is not a coarse value.
  public init?(_ number: KeptValue) {
    switch number.int64 {
    case 0: self = .low
    case 1: self = .medium
    case 2: self = .high
    default: return nil
    }
  }

  /// The number that stands for it on the wire.
  public var number: Int64 {
    switch self {
    case .low: 0
    case .medium: 1
    case .high: 2
    }
  }
}
