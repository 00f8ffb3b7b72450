/// The facts about a field of a postback: a row of the table of both frameworks' fields; see the article "Fields of
/// postbacks".
///
/// The rows stand beside the names of the fields, in ``PostbackField`` and ``AdAttributionKitField``, and
/// ``PostbackFieldCheck`` reads them.
package struct PostbackFieldRow: Sendable {
  let form: PostbackFieldForm
  /// The versions of SKAdNetwork whose postbacks have the field; nil for AdAttributionKit, which has no versions.
  let versions: ClosedRange<PostbackVersion>?
  /// The first version whose signature covers the field; AdAttributionKit counts as the newest. Nil if no signature does.
  let signedSince: PostbackVersion?
  /// Whether a postback may lack it, by its tier, its winner or its app.
  package let isOptional: Bool
  let limits: Limits
  /// Apple's page, or a mark that the limit is inferred.
  package let source: String

  /// Where a field may stand.
  package struct Limits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In the first postback of a conversion alone.
    static let first = Limits(rawValue: 1)
    /// In postbacks of ads that won alone.
    static let winner = Limits(rawValue: 2)
    /// In postbacks of tier 3 alone. The tier of a postback is not stated, but a first one with a coarse value is of
    /// tier 1.
    static let highestTier = Limits(rawValue: 4)

    /// The limits in words.
    package var text: String {
      let names: [(Limits, String)] = [(.first, "first"), (.winner, "winner"), (.highestTier, "tier 3")]
      return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
  }

  init(
    _ form: PostbackFieldForm, in versions: ClosedRange<PostbackVersion>? = nil,
    signedSince: PostbackVersion? = .v1, isOptional: Bool = false, only limits: Limits = [], _ source: String
  ) {
    self.form = form
    self.versions = versions
    self.signedSince = signedSince
    self.isOptional = isOptional
    self.limits = limits
    self.source = source
  }

  /// The form in words, to follow "must be".
  package var formText: String { form.text }

  /// The versions in words: `2.2 to 4.0`; nil for AdAttributionKit.
  package var versionText: String? {
    versions.map {
      $0.lowerBound == $0.upperBound ? $0.lowerBound.rawValue : "\($0.lowerBound.rawValue) to \($0.upperBound.rawValue)"
    }
  }

  /// Whether the newest form of the postback has the field under its signature.
  package var isSigned: Bool { signedSince != nil }

  /// Since which version the signature covers the field, in words: `yes`, `no` or `since 2.0`.
  package var signedText: String {
    guard let signedSince else { return "no" }
    return versions.map { $0.lowerBound >= signedSince } ?? true ? "yes" : "since \(signedSince.rawValue)"
  }

  /// Where the field may stand, in words; empty for everywhere.
  package var limitText: String { limits.text }
}

/// The names of the fields of a framework's postbacks, with the fields that the rules between fields are about.
protocol PostbackFieldName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  static var identifier: Self { get }
  static var won: Self { get }
  static var index: Self { get }
  static var fine: Self { get }
  static var coarse: Self { get }

  var row: PostbackFieldRow { get }
}
