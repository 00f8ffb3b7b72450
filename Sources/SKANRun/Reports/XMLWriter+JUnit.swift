import SKANBase
import SKANDevice

/// What came of a case in JUnit's form.
package struct JUnitOutcome {
  fileprivate let element: String
  fileprivate var attributes: [(name: String, value: String)]
  fileprivate var text = ""

  package static func failure(_ message: String, type: String, _ text: String) -> JUnitOutcome {
    JUnitOutcome(element: "failure", attributes: [("message", message), ("type", type)], text: text)
  }

  package static func error(_ message: String, type: String, _ text: String) -> JUnitOutcome {
    JUnitOutcome(element: "error", attributes: [("message", message), ("type", type)], text: text)
  }

  package static func skipped(_ message: String) -> JUnitOutcome {
    JUnitOutcome(element: "skipped", attributes: [("message", message)])
  }
}

extension XMLWriter {
  /// Begins a suite.
  ///
  /// - Parameters:
  ///   - parent: what stands before the names of its cases' classes.
  ///   - index: from 0.
  package mutating func beginSuite(
    _ name: String, in parent: String = "skan", index: Int = 0, start: Instant, time: TimeSpan = .zero, tests: Int,
    failures: Int = 0, errors: Int = 0, skipped: Int = 0
  ) {
    // Without fraction and zone, as the schema wants it; UTC.
    let timestamp = Instant(microseconds: start.wholeSeconds * 1_000_000).description.dropLast()
    begin(
      "testsuite",
      [
        ("name", name), ("package", parent), ("id", "\(index)"), ("timestamp", String(timestamp)),
        ("hostname", "localhost"), ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
        ("skipped", "\(skipped)"), ("time", time.decimal(digits: 3)),
      ])
    element("properties")
  }

  /// Ends a suite.
  package mutating func endSuite(output: [String] = []) {
    element("system-out", text: output.joined(separator: "\n"))
    element("system-err")
    end()
  }

  /// Adds a case.
  ///
  /// - Parameter outcome: nil for success.
  package mutating func testCase(
    _ className: String, _ name: String, time: TimeSpan = .zero, _ outcome: JUnitOutcome? = nil
  ) {
    let attributes = [("classname", className), ("name", name), ("time", time.decimal(digits: 6))]
    guard let outcome else { return element("testcase", attributes) }
    begin("testcase", attributes)
    element(outcome.element, outcome.attributes, text: outcome.text)
    end()
  }
}
