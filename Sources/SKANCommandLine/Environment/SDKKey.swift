import SKANBase
import SKANHTTP
import SKANRun

extension Invocation {
  /// The length of the longest key in bytes.
  fileprivate static let longestKey = 4096

  /// The SDK key from its file or `SKAN_SDK_KEY`; nil if there is none and the endpoint does not need one.
  ///
  /// - Parameter file: the key's file, `-` for standard input. It is read only if the endpoint takes a key.
  package func sdkKey(for endpoint: Endpoint, file: String?) throws(CommandError) -> String? {
    var key = environment.sdkKey
    if endpoint.takesSDKKey, let file {
      environment.protectMemory()
      let bytes =
        file == "-"
        ? try environment.files.readInput()
        : try environment.readRequired(file, as: [], hint: "it should hold the SDK key")
      key = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self).sdkKey
      if key == nil { throw .keyEmpty(file: file) }
      if let key, key.utf8.count > Self.longestKey {
        throw .badKey(file: file, reason: "a line of \(key.utf8.count) bytes is no SDK key")
      }
    }
    if endpoint == .production, key == nil { throw .keyMissing }
    if let key { environment.redaction.add(key) }
    return key
  }
}

extension String {
  /// The first line, without surrounding blanks; nil if it is empty.
  fileprivate var sdkKey: String? {
    guard let line = split(whereSeparator: \.isNewline).first else { return nil }
    let key = String(line.trimming { $0 == " " || $0 == "\t" })
    return key.isEmpty ? nil : key
  }
}

extension FileAccess {
  /// The SDK key in a file, for redaction; nil without one.
  ///
  /// The command reports what is wrong with the file, and reads standard input and pipes, if its endpoint takes a key.
  package func sdkKey(inFile path: String) -> String? {
    guard path != "-", let head = head(of: path), ContentKind(head) == nil,
      let key = String(decoding: head.withoutByteOrderMark, as: UTF8.self).sdkKey
    else { return nil }
    return key.utf8.count > Invocation.longestKey ? nil : key
  }
}

extension Environment {
  /// The SDK key in the variable `SKAN_SDK_KEY`, parsed like a key file.
  package var sdkKey: String? { variable(VariableNames.sdkKey)?.sdkKey }

  /// Reads a file. Throws if it does not exist, or if it is of a known kind that the caller does not take.
  ///
  /// - Parameters:
  ///   - kinds: the kinds that the caller takes.
  ///   - most: the maximum size in bytes.
  package func readRequired(
    _ path: String, as kinds: Set<ContentKind>, hint: String, most: Int = 16 << 20
  ) throws(CommandError) -> [UInt8] {
    guard let bytes = try files.read(path) else {
      throw .missing(file: path, hint: files.hint(forMissing: path, else: hint))
    }
    guard bytes.count <= most else {
      throw .unreadable(file: path, reason: "it is larger than \(most >> 20) MiB")
    }
    try ContentKind.check(bytes, of: path, isOneOf: kinds)
    return bytes
  }
}
