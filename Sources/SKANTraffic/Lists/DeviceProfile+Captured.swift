import SKANDevice

extension DeviceProfile {
  /// The phone and the app that requests of one device speak of, as the first of each says.
  ///
  /// - Parameter requests: in order of time.
  init(_ requests: [CheckedRequest]) {
    func first(_ names: String...) -> String? {
      for name in names {
        if let value = requests.lazy.compactMap({ $0.sent[name] }).first(where: { !$0.isEmpty }) { return value }
      }
      return nil
    }
    self.init(idfv: first("idfv"))
    idfa = first("idfa")
    if let id = first("i") { bundleID = id }
    if let version = first("app_v") { appVersion = version }
    // SKAN 3's own request has no version of iOS.
    if let version = first("v", "ve").flatMap({ IOSVersion($0) }) { ios = version }
    let asks = requests.first { if case .conversionValue = $0.kind { true } else { false } }
    snippet = (asks ?? requests.first { !$0.metadata.isEmpty })?.snippet ?? .skan4
  }
}
