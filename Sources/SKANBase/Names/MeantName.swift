/// The known name that is meant by one that is typed at a command line: one that is a single slip away, else the
/// shortest one that it abbreviates, as `report-md` does `report-markdown`, else ``nearestName(to:in:)``. Names in files are
/// rarely cut short.
package func meantName(by name: String, in known: some Sequence<String>) -> String? {
  nearestName(to: name, in: known, atMost: 1)
    ?? known.filter { abbreviates(name, $0) }.min { $0.count < $1.count } ?? nearestName(to: name, in: known)
}

/// Whether a name has letters of another one in their order: its first, and at least a third of them.
private func abbreviates(_ name: String, _ whole: String) -> Bool {
  let (letters, others) = (Array(name.lowercased()), Array(whole.lowercased()))
  guard letters.count >= 3, letters.count < others.count, letters.count * 3 >= others.count,
    letters.first == others.first
  else { return false }
  var rest = letters[...]
  for other in others where other == rest.first { rest.removeFirst() }
  return rest.isEmpty
}
