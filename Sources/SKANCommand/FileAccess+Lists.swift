import SKANRun
import SKANBase

extension FileAccess {
  /// Says which of our files was given instead of an event list, and what to do with it; nil for unknown content.
  ///
  /// - Parameter firstLine: of the file, which alone is looked at where it comes from a pipe.
  func contentOfNoList(_ name: String, _ firstLine: [UInt8]) -> String? {
    if let message = ContentKind.messageOfNoList(firstLine, file: name.oneLine) { return message }
    guard name != "-", let whole = head(of: name, atMost: ContentKind.mostBytes) else { return nil }
    return ContentKind.messageOfNoList(whole, file: name.oneLine)
  }

  private static let listSuffix = ".jsonl"

  /// Returns a hint for a list that does not exist: the nearest name in its directory, if one is near.
  func hint(forMissingList name: String) -> String {
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    let entries = (try? entries(folder.isEmpty ? "." : folder)) ?? []
    let lists = entries.filter { $0.isNamed && !$0.isDirectory && $0.name.hasSuffix(Self.listSuffix) }.map(\.name)
    // The suffix, which all names share, does not make them alike.
    let stem = { (name: String) in name.hasSuffix(Self.listSuffix) ? String(name.dropLast(Self.listSuffix.count)) : name
    }
    let nearStem = nearestName(to: stem(String(name.dropFirst(folder.count))), in: lists.map(stem))
    let near = nearStem.map { $0 + Self.listSuffix }
    return near.map { "did you mean \(folder.oneLine)\($0.oneLine)?" } ?? "name an event list, or - for standard input"
  }
}
