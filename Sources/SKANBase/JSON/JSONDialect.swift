/// How strictly a text is read.
///
/// The same reader serves our own files, where a slip must be an error, and the answers of an endpoint, where the
/// phone's reader decides what is JSON (the behaviour reference, "Answers").
package struct JSONDialect: Sendable {
  /// One comma after the last member or item is let through.
  package var allowsTrailingComma: Bool
  /// A UTF-8 byte order mark before the value is let through.
  package var allowsByteOrderMark: Bool
  /// Two equal keys in one object are let through; ``JSONNode/member(_:)`` then gives the last.
  package var allowsDuplicateKeys: Bool

  /// `-0` is the fraction, whose sign is kept, and not the integer 0.
  package var keepsMinusZero: Bool

  /// Our own files: nothing beyond the standard, and no key twice.
  package static let strict = JSONDialect(
    allowsTrailingComma: false, allowsByteOrderMark: false, allowsDuplicateKeys: false, keepsMinusZero: true)
  /// The same for a file that another program wrote: an editor may have put a byte order mark before it.
  package static let file = JSONDialect(
    allowsTrailingComma: false, allowsByteOrderMark: true, allowsDuplicateKeys: false, keepsMinusZero: true)
  /// What another program wrote and never reads itself, such as an entry of a HAR: a key may be there twice.
  package static let export = JSONDialect(
    allowsTrailingComma: false, allowsByteOrderMark: true, allowsDuplicateKeys: true, keepsMinusZero: true)
  /// What `NSJSONSerialization` takes.
  package static let phone = JSONDialect(
    allowsTrailingComma: true, allowsByteOrderMark: true, allowsDuplicateKeys: true, keepsMinusZero: false)
}
