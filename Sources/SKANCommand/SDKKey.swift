import SKANDevice
import SKANRun
import SKANBase

extension Invocation {
  private static let longestKey = 4096

  /// The SDK key from its file or `SKAN_SDK_KEY`, or nil when there is none and none is needed.
  ///
  /// - Parameter file: is read only when the endpoint takes a key; `-` is standard input.
  func sdkKey(for endpoint: Endpoint, file: String?) throws(CommandError) -> String? {
    var key = environment.sdkKey
    if endpoint.takesSDKKey, let file {
      environment.protectMemory()
      let bytes =
        file == "-"
        ? try environment.files.readInput() : try environment.readRequired(file, hint: "it should hold the SDK key")
      key = String(decoding: bytes, as: UTF8.self).sdkKey
      if key == nil { throw .keyEmpty(file: file) }
      if let key, key.utf8.count > Self.longestKey {
        throw .badKey(file: file, reason: "a line of \(key.utf8.count) bytes is no SDK key")
      }
    }
    if endpoint == .production, key == nil { throw .keyMissing }
    return key
  }
}

extension String {
  /// Its first line without blanks at either end; nil when nothing is left.
  fileprivate var sdkKey: String? {
    guard let line = split(whereSeparator: \.isNewline).first else { return nil }
    let key = String(line.trimming { $0 == " " || $0 == "\t" })
    return key.isEmpty ? nil : key
  }
}

extension Environment {
  /// The SDK key of the variable `SKAN_SDK_KEY`, which is read as a file of it is.
  var sdkKey: String? { variable(VariableNames.sdkKey)?.sdkKey }

  /// A file that must be there.
  ///
  /// - Parameter most: the limit in bytes.
  func readRequired(_ path: String, hint: String, most: Int = 16 << 20) throws(CommandError) -> [UInt8] {
    guard let bytes = try files.read(path) else { throw .missing(file: path, hint: hint) }
    guard bytes.count <= most else {
      throw .unreadable(file: path, reason: "it is larger than \(most >> 20) MiB")
    }
    return bytes
  }
}
