import Testing

/// Expects a text to count what it leaves out: nothing up to a limit, and beyond it the number of the others.
///
/// - Parameter text: a text about so many things.
public func expectRest(
  beyond most: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) throws -> String
) throws {
  for count in [max(1, most - 1), most, most + 1, most + 2] {
    let rest = try text(count).matches(of: /(\d+) more\b/).compactMap { Int($0.1) }
    #expect(rest == (count > most ? [count - most] : []), "\(what): \(count)", sourceLocation: sourceLocation)
  }
}

/// Expects something to hold up to a limit and not beyond it.
public func expectLimit(
  _ most: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ holds: (Int) throws -> Bool
) rethrows {
  for count in [most - 1, most] { #expect(try holds(count), "\(what): \(count)", sourceLocation: sourceLocation) }
  for count in [most + 1, most + 2] { #expect(try !holds(count), "\(what): \(count)", sourceLocation: sourceLocation) }
}
