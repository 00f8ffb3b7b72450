import SKANJSON
import SKANRun
import SKANText

/// Names that stand in the steps of a list.
enum ListedNames {
  /// Bytes of a list that are read: a shell waits.
  private static let mostBytes = 1 << 19
  private static let most = 500

  /// The texts under a key of the steps, each once. None of what is not a file or holds what a shell cannot show.
  static func of(_ key: String, in path: String, _ files: FileAccess) -> [String] {
    guard path != "-", let source = try? files.openFile(path), source.isRegular,
      let bytes = try? source.beginning(mostBytes)
    else { return [] }
    let mark = Array("\"\(key)\"".utf8)
    var names: [String] = []
    for line in bytes.split(separator: 0x0A) where names.count < most && line.contains(mark) {
      guard let step = try? JSONReader.read(line).value, case .string(let name)? = step[key], !name.isEmpty else {
        continue
      }
      if !names.contains(name), !name.unicodeScalars.contains(where: \.isHidden) { names.append(name) }
    }
    return names
  }
}
