/// The difference of two short texts, line by line.
enum LineDifference {
  /// Lines of the first alone begin with `-`, of the second alone with `+`; common lines are left out but for one beside
  /// each difference.
  static func lines(from old: String, to new: String) -> [String] {
    let (left, right) = (
      old.split(separator: "\n", omittingEmptySubsequences: false),
      new.split(separator: "\n", omittingEmptySubsequences: false)
    )
    var marked: [(mark: Character, line: Substring)] = []
    let difference = right.difference(from: left)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (offset, position) = (0, 0)
    while offset < left.count || position < right.count {
      if removed.contains(offset) {
        marked.append(("-", left[offset]))
        offset += 1
      } else if inserted.contains(position) {
        marked.append(("+", right[position]))
        position += 1
      } else {
        if offset < left.count { marked.append((" ", left[offset])) }
        (offset, position) = (offset + 1, position + 1)
      }
    }
    return marked.indices.filter { index in
      marked[max(0, index - 1)...min(marked.count - 1, index + 1)].contains { $0.mark != " " }
    }.map { "\(marked[$0].mark) \(marked[$0].line)" }
  }
}
