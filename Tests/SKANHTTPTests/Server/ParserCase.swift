import Testing

@testable import SKANHTTP

/// Bytes, and the steps that a parser must give for them.
struct ParserCase: CustomTestStringConvertible, Sendable {
  var name: String
  var bytes: [UInt8]
  var steps: [HTTPRequestParser.Step]

  init(_ name: String, _ text: String, _ steps: [HTTPRequestParser.Step]) {
    self.init(name, Array(text.utf8), steps)
  }

  init(_ name: String, _ bytes: [UInt8], _ steps: [HTTPRequestParser.Step]) {
    self.name = name
    self.bytes = bytes
    self.steps = steps
  }

  var testDescription: String { name }

  /// All steps of a parser that is fed pieces of this many bytes, but those that say that it needs more.
  static func steps(
    of bytes: [UInt8], pieces: Int, limits: HTTPLimits = HTTPLimits()
  ) -> [HTTPRequestParser.Step] {
    var parser = HTTPRequestParser(limits: limits)
    var steps: [HTTPRequestParser.Step] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      parser.feed(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
      var step = parser.next()
      while case .request = step {
        steps.append(step)
        step = parser.next()
      }
      if case .failure = step { return steps + [step] }
    }
    return steps
  }
}
