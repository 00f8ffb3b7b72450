/// The known name closest to a mistyped one, for "did you mean".
///
/// - Returns: nil when nothing is near: more than a third of the letters would have to change.
package func nearestName(to name: String, in known: some Sequence<String>) -> String? {
  var best: (name: String, distance: Int)?
  for candidate in known {
    let distance = editDistance(Array(name.lowercased()), Array(candidate.lowercased()))
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  guard let best, best.distance <= max(1, (max(name.count, best.name.count) + 1) / 3) else { return nil }
  return best.name
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
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
