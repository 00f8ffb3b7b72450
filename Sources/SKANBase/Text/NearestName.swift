/// The known name closest to a mistyped one, for "did you mean".
///
/// - Parameter most: the largest edit distance.
/// - Returns: nil if no name is near: more than a third of the letters would have to change.
package func nearestName(to name: String, in known: some Sequence<String>, atMost most: Int = .max) -> String? {
  // Such a long name is not a typing mistake, and comparing it is slow.
  guard name.utf8.count <= 256 else { return nil }
  let letters = Array(name.lowercased())
  var best: (name: String, distance: Int, length: Int)?
  for candidate in known where candidate.utf8.count <= 256 {
    let others = Array(candidate.lowercased())
    // The difference in length is a lower bound of the distance.
    if abs(letters.count - others.count) > limit(letters.count, others.count) { continue }
    let distance = editDistance(letters, others)
    if distance < best?.distance ?? .max { best = (candidate, distance, others.count) }
  }
  guard let best, best.distance <= min(most, limit(letters.count, best.length)) else { return nil }
  return best.name
}

private func limit(_ left: Int, _ right: Int) -> Int { max(1, (max(left, right) + 1) / 3) }

/// The number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
private func editDistance(_ from: [Character], _ to: [Character]) -> Int {
  var rows = [Array(0...to.count)]
  for (i, letter) in from.enumerated() {
    var row = [i + 1]
    for (j, other) in to.enumerated() {
      var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
      if i > 0, j > 0, letter == to[j - 1], from[i - 1] == other { cost = min(cost, rows[i - 1][j - 1] + 1) }
      row.append(cost)
    }
    rows.append(row)
  }
  return rows[from.count][to.count]
}

/// The known name that a name on the command line means: one that is a single slip away, else the shortest that it
/// abbreviates, as `report-md` does `report-markdown`, else ``nearestName(to:in:)``. Not used for names in files, which
/// are rarely abbreviated.
package func meantName(by name: String, in known: some Sequence<String>) -> String? {
  nearestName(to: name, in: known, atMost: 1)
    ?? known.filter { abbreviates(name, $0) }.min { $0.count < $1.count } ?? nearestName(to: name, in: known)
}

/// Whether a name abbreviates another one: the same first letter, and at least a third of its letters in order.
private func abbreviates(_ name: String, _ whole: String) -> Bool {
  let (letters, others) = (Array(name.lowercased()), Array(whole.lowercased()))
  guard letters.count >= 3, letters.count < others.count, letters.count * 3 >= others.count,
    letters.first == others.first
  else { return false }
  var rest = letters[...]
  for other in others where other == rest.first { rest.removeFirst() }
  return rest.isEmpty
}
