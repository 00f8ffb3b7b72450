import SKANDevice

/// A schema of conversion values as Google Analytics keeps it: `SKAdNetworkConversionValueSchema` of the Google Analytics Admin
/// API, v1alpha. Of each window's list the first value counts whose events all hold.
package struct AnalyticsSchema: Sendable {
  /// A value of a list.
  package struct Value: Sendable {
    /// 0-63; only in window one.
    package var fine: Int64?
    package var coarse: CoarseValue?
    package var locks: Bool
    /// Its events, all of which must hold.
    package var mapping: ValueMapping
    /// Where the value, and its key "lockEnabled", stand in the file.
    package var range: Range<Int>
    var lockRange: Range<Int>
  }

  package var first: [Value] = []
  /// Of windows two and three; nil for one that takes the values of window one.
  package var later: [ConversionWindow: [Value]] = [:]
  /// Whether Google's SDK sets values by it.
  package var isApplied = true
  /// Where window one stands.
  package var range: Range<Int>

  /// Where an amount stands whose currency is that of the property, which the file does not name; nil without amounts.
  package var amountRange: Range<Int>?
}
