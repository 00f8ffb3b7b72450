import SKANBase

/// A version of iOS, compared numerically: 16.1 = 16.1.0 < 16.1.2 < 16.10.
public struct IOSVersion: Sendable, Hashable {
  /// The version as written, as in `UIDevice.systemVersion` and the request's parameter `v`.
  package let text: String
  /// The three numbers, four digits for each.
  private let number: Int64

  package init(_ major: Int, _ minor: Int) {
    text = "\(major).\(minor)"
    number = Int64(major) * 100_000_000 + Int64(minor) * 10_000
  }

  /// - Returns: nil unless `text` is one to three integers of at most four digits, joined by dots, the first not 0.
  package init?(_ text: String) {
    guard let number = Self.number(text) else { return nil }
    self.text = text
    self.number = number
  }

  /// Whether ``init(_:)`` accepts a text; allocates nothing.
  package static func isWellFormed(_ text: String) -> Bool { number(text) != nil }

  private static func number(_ text: String) -> Int64? {
    var number: Int64 = 0
    var part: Int64 = 0
    var parts = 1
    var digits = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard digits > 0, parts < 3, parts > 1 || part > 0 else { return nil }
        number = number * 10_000 + part
        (part, digits, parts) = (0, 0, parts + 1)
      } else {
        guard byte.isASCIIDigit, digits < 4 else { return nil }
        part = part * 10 + Int64(byte - 0x30)
        digits += 1
      }
    }
    guard digits > 0, parts > 1 || part > 0 else { return nil }
    return (parts..<3).reduce(number * 10_000 + part) { number, _ in number * 10_000 }
  }

  /// The first iOS with `registerAppForAdNetworkAttribution()`.
  package static let registration = IOSVersion(11, 3)
  /// The first iOS with `updateConversionValue(_:)`.
  package static let conversionValueUpdate = IOSVersion(14, 0)
  /// The first iOS with view-through ads of SKAdNetwork.
  package static let viewThroughAds = IOSVersion(14, 5)
  /// The first iOS with `updatePostbackConversionValue(_:completionHandler:)`.
  package static let singleValueUpdate = IOSVersion(15, 4)
  /// The first iOS with SKAdNetwork 4: coarse values and locks.
  package static let coarseValueUpdate = IOSVersion(16, 1)
  /// The first iOS with AdAttributionKit.
  package static let adAttributionKit = IOSVersion(17, 4)
  /// The first iOS with re-engagements, and with conversion types in an update.
  package static let reEngagement = IOSVersion(18, 0)
  /// The first iOS with overlapping conversions and their tags.
  package static let conversionTags = IOSVersion(18, 4)
  /// The first iOS with the rules of an app's Info.plist: windows of impressions and cool-downs.
  package static let attributionRules = IOSVersion(18, 4)
  /// The first iOS with Development Postbacks in its settings.
  package static let developmentPostbacks = IOSVersion(18, 4)
  /// The first iOS on which the app that shows an ad decides what a view is, by `AppImpression.handleView()`.
  package static let handledViews = IOSVersion(26, 2)

  /// A version that added a call, without its text.
  enum Release: Sendable {
    case registration, conversionValueUpdate, singleValueUpdate, coarseValueUpdate

    var version: IOSVersion {
      switch self {
      case .registration: .registration
      case .conversionValueUpdate: .conversionValueUpdate
      case .singleValueUpdate: .singleValueUpdate
      case .coarseValueUpdate: .coarseValueUpdate
      }
    }
  }
}

extension IOSVersion: Comparable {
  /// Whether the numbers are equal: 16.1 is 16.1.0.
  public static func == (left: IOSVersion, right: IOSVersion) -> Bool { left.number == right.number }

  /// Whether one version is older than another.
  public static func < (left: IOSVersion, right: IOSVersion) -> Bool { left.number < right.number }

  /// Hashes the numbers.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension IOSVersion: JSONReadable {
  package static var jsonForm: JSONForm { .text }

  package func write(to writer: inout JSONWriter) { writer.append(text) }

  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> IOSVersion? {
    reader.read(key, "an iOS version such as \"17.4\"") { content in content.text.flatMap { IOSVersion($0) } }
  }
}
