import SKANBase
import SKANRun

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
    var position = 0
    while names.count < most, let found = bytes.index(of: mark, from: position) {
      let start = bytes[position..<found].lastIndex(of: 0x0A).map { $0 + 1 } ?? position
      position = bytes[found...].firstIndex(of: 0x0A) ?? bytes.count
      guard let step = try? JSONReader.read(bytes[start..<position]).value, case .string(let name)? = step[key],
        !name.isEmpty
      else { continue }
      if !names.contains(name), !name.unicodeScalars.contains(where: \.isHidden) { names.append(name) }
    }
    return names
  }
}

extension [UInt8] {
  /// Where a part begins for the first time, at or behind `start`.
  fileprivate func index(of part: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + part.count <= count {
      if self[index] == part.first, self[index..<index + part.count].elementsEqual(part) { return index }
      index += 1
    }
    return nil
  }
}
