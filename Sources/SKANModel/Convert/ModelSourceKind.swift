import SKANJSON

/// In which form a file says what a conversion model should be, found by its content.
package enum ModelSourceKind: Sendable, Equatable {
  /// Google Analytics' `SKAdNetworkConversionValueSchema`.
  case analyticsSchema
  /// A flat CSV table; see ``ModelTable``.
  case table
  /// The form of this program already.
  case model
  /// JSON of another form.
  case unknown

  package init(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      self = .table
      return
    }
    guard let node = try? JSONReader.read(bytes, dialect: .file) else {
      // What is wrong is reported where the schema is read.
      self = .analyticsSchema
      return
    }
    let windows = ["postbackWindowOne", "postback_window_one"]
    if (windows + AnalyticsSchema.listKeys).contains(where: { node.member($0) != nil }) {
      self = .analyticsSchema
    } else if (try? ModelFile(bytes)) != nil {
      self = .model
    } else {
      self = .unknown
    }
  }
}
