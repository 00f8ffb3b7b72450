/// The version of this product, which both of its programs share.
package enum ProgramVersion {
  /// `MAJOR.MINOR.PATCH`.
  package static let text = "0.1.0"
}
