/// Which lists a list may include: those below its own folder, and below those folders that the user names.
package struct IncludePermission: Sendable {
  private let allowed: [[String]]
  private let target: @Sendable (String) -> String

  /// - Parameters:
  ///   - folders: below which every list may be included.
  ///   - target: the file that a path stands for, links followed.
  package init(folders: [String] = [], target: @escaping @Sendable (String) -> String) {
    self.target = target
    allowed = folders.map { Self.folder(of: $0.hasSuffix("/") ? $0 : "\($0)/", target) }
  }

  /// - Parameters:
  ///   - path: of the list that is to be included.
  ///   - list: the one that was named on the command line.
  package func allows(_ path: String, for list: String) -> Bool {
    let target = self.target(path)
    // A pipe or a directory leads nowhere else, and is refused when it is opened.
    let name = path.split(separator: "/").last.map { [String($0)] } ?? []
    let parts = target == path ? Self.folder(of: path, self.target) + name : Self.parts(target)
    return (allowed + [Self.folder(of: list, self.target)]).contains { folder in
      parts.count > folder.count && parts.starts(with: folder) && (!folder.isEmpty || !["..", ""].contains(parts[0]))
    }
  }

  /// The folder of a list, links resolved, found by a name that does not exist in it.
  private static func folder(of list: String, _ target: (String) -> String) -> [String] {
    let prefix = list.lastIndex(of: "/").map { list[...$0] } ?? ""
    return Array(parts(target("\(prefix).skan-no-such-file")).dropLast())
  }

  /// The names of a path, an empty one first when it begins at the root.
  private static func parts(_ path: String) -> [String] {
    var parts: [String] = path.hasPrefix("/") ? [""] : []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != "..", last != "" {
        parts.removeLast()
      } else {
        parts.append(String(part))
      }
    }
    return parts
  }
}
