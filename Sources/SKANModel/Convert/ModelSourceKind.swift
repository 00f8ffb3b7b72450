import SKANBase

/// In which form a file says what a conversion model should be, found by its content.
package enum ModelSourceKind: Sendable, Equatable {
  /// Google Analytics' `SKAdNetworkConversionValueSchema`.
  case analyticsSchema
  /// A flat CSV table; see ``ModelTable``.
  case table
  /// The form of this program already.
  case model
  /// A form that is known and not read.
  case foreign(ForeignModelForm)
  /// JSON of another form.
  case unknown
  /// It begins like JSON, but is not JSON.
  case broken

  package init(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      self = ForeignModelForm(header: bytes[start...].prefix { $0 != 0x0A }).map(Self.foreign) ?? .table
      return
    }
    guard let node = try? JSONReader.read(bytes, dialect: .file) else {
      self = .broken
      return
    }
    let windows = ["postbackWindowOne", "postback_window_one"]
    if (windows + AnalyticsSchema.listKeys).contains(where: { node.member($0) != nil }) {
      self = .analyticsSchema
    } else if (try? ModelFile(bytes)) != nil {
      self = .model
    } else {
      self = ForeignModelForm(node).map(Self.foreign) ?? .unknown
    }
  }
}

/// A form in which others keep what a conversion value means: it is named, and not read.
package enum ForeignModelForm: String, Sendable, CaseIterable {
  case tiktok = "TikTok's configuration"
  case meta = "Meta's configuration (ios_skadnetwork_conversion_config)"
  case airbridge = "Airbridge's schema"
  case appsflyer = "AppsFlyer's answer for one device"
  case tenjin = "Tenjin's table"
  case rows = "a table with a row for each value (value_kind, fine_value, coarse_value)"

  /// By the keys of a JSON text.
  init?(_ node: JSONNode) {
    let node = Self.first(of: node)
    let inner = ["data", "postbacks"].lazy.compactMap { node.member($0) }.first.map { Self.first(of: $0) }
    func has(_ keys: String...) -> Bool {
      keys.contains { node.member($0) != nil || inner?.member($0) != nil }
    }
    if has("conversion_value_rules", "coarse_cv_configs") {
      self = .meta
    } else if has("conversion_schema", "conversion_bits_rules") {
      self = .airbridge
    } else if node.member("postbacks") != nil, has("postback_index", "fine", "coarse") {
      self = .tiktok
    } else if has("next_w_time") || node.member("value") != nil && node.member("coarse_value") != nil {
      self = .appsflyer
    } else if has("value_kind") || node.member("fine_value") != nil && node.member("coarse_value") != nil {
      self = .rows
    } else {
      return nil
    }
  }

  /// The value, or the first item of an array.
  private static func first(of node: JSONNode) -> JSONNode {
    if case .array(let items) = node.content, let first = items.first { return first }
    return node
  }

  /// By the columns of a table.
  init?(header: some Collection<UInt8>) {
    let text = String(decoding: header, as: UTF8.self)
    let names = text.split { ",;\t\r".contains($0) }.map { $0.lowercased().filter { !" \"".contains($0) } }
    func has(_ columns: String...) -> Bool { columns.contains { names.contains($0) } }
    if has("conversion_value"), has("min_range", "max_range", "google_event_name", "custom_event_name") {
      self = .tenjin
    } else if has("value_kind") || has("fine_value") && has("coarse_value") {
      self = .rows
    } else {
      return nil
    }
  }
}
