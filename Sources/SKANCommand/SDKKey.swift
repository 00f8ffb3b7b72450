import SKANDevice
import SKANEndpoint

extension Invocation {
  private static let longestKey = 4096

  /// The SDK key from its file or `SKAN_SDK_KEY`, or nil when there is none and none is needed.
  ///
  /// The file is read only when the endpoint takes a key.
  func sdkKey(for endpoint: Endpoint) throws(CommandError) -> String? {
    var key = environment.variable("SKAN_SDK_KEY").flatMap { $0.isEmpty ? nil : $0 }
    if endpoint.takesSDKKey, let file = arguments.value(.sdkKeyFile) {
      let bytes =
        file == "-"
        ? try environment.files.readInput() : try environment.readRequired(file, hint: "it should hold the SDK key")
      let text = String(decoding: bytes, as: UTF8.self)
      key = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingSpaces } ?? ""
      if key?.isEmpty ?? true { throw .keyEmpty(file: file) }
      if let key, key.utf8.count > Self.longestKey {
        throw .badKey(file: file, reason: "a line of \(key.utf8.count) bytes is no SDK key")
      }
    }
    if endpoint == .production, key == nil { throw .keyMissing }
    return key
  }
}

extension Substring {
  /// Without blanks at either end.
  fileprivate var trimmingSpaces: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension Environment {
  /// A file that must be there.
  func readRequired(_ path: String, hint: String) throws(CommandError) -> [UInt8] {
    guard let bytes = try files.read(path) else { throw .missing(file: path, hint: hint) }
    return bytes
  }
}
