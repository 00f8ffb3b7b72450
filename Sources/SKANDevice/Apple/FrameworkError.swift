/// `SKANErrorDomain` codes, as far as an advertised app meets them.
package enum FrameworkError {
  /// `invalidConversionValue`: a fine value outside 0-63.
  package static let invalidConversionValue: Int64 = 6
  /// `unknown`: what an app gets that is not from the App Store.
  package static let unknown: Int64 = 10
}
