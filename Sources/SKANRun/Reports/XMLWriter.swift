import SKANBase
import SKANDevice

/// Writes XML 1.0, one element on each line.
package struct XMLWriter {
  /// The text written so far.
  package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  /// The names of the open elements.
  private var open: [String] = []

  package init() {}

  /// Takes the text written so far.
  package mutating func takeBytes() -> [UInt8] { bytes.takeAll() }

  /// Begins an element that contains other elements.
  package mutating func begin(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    start(name, attributes)
    bytes += ">\n".utf8
    open.append(name)
  }

  /// Ends the element that was begun last.
  package mutating func end() {
    guard let name = open.popLast() else { return }
    indent()
    bytes += "</\(name)>\n".utf8
  }

  /// Writes an element without child elements.
  package mutating func element(_ name: String, _ attributes: [(name: String, value: String)] = [], text: String = "") {
    start(name, attributes)
    if text.isEmpty {
      bytes += "/>\n".utf8
    } else {
      bytes.append(UInt8(ascii: ">"))
      bytes.appendXML(text, isAttribute: false)
      bytes += "</\(name)>\n".utf8
    }
  }

  private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    indent()
    bytes += "<\(name)".utf8
    for (name, value) in attributes {
      bytes += " \(name)=\"".utf8
      bytes.appendXML(value, isAttribute: true)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func indent() { bytes += repeatElement(UInt8(ascii: " "), count: open.count * 2) }
}

extension [UInt8] {
  /// Appends a text, escaped. Characters that XML 1.0 cannot represent, and invisible ones, are shown as `\u0001`.
  fileprivate mutating func appendXML(_ text: String, isAttribute: Bool) {
    // Nearly every text needs no escape, and is appended at once.
    if text.utf8.allSatisfy({ $0.isPlainInXML }) {
      self += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      if let entity = scalar.xmlEntity {
        self += entity.utf8
        continue
      }
      switch scalar {
      // A reader would turn it into a line feed, and all three into blanks in an attribute.
      case "\r": self += "&#13;".utf8
      case "\t" where isAttribute: self += "&#9;".utf8
      case "\n" where isAttribute: self += "&#10;".utf8
      case "\t", "\n": append(UInt8(truncatingIfNeeded: scalar.value))
      case _ where scalar.isHidden || scalar.isOutsideXML: self += scalar.hiddenText.utf8
      default: self += String(scalar).utf8
      }
    }
  }
}

extension UInt8 {
  /// Whether this is an ASCII character that needs no escape in a text or an attribute.
  fileprivate var isPlainInXML: Bool {
    (0x20...0x7E).contains(self) && self != 0x22 && self != 0x26 && self != 0x3C && self != 0x3E
  }
}

/// The result of a JUnit test case.
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
  ///   - parent: the prefix of the class names of its cases.
  ///   - index: the suite's index, from 0.
  package mutating func beginSuite(
    _ name: String, in parent: String = "skan", index: Int = 0, start: Instant, time: TimeSpan = .zero, tests: Int,
    failures: Int = 0, errors: Int = 0, skipped: Int = 0
  ) {
    // The schema requires a UTC time without fraction and zone.
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

  package mutating func endSuite(output: [String] = []) {
    element("system-out", text: output.joined(separator: "\n"))
    element("system-err")
    end()
  }

  /// Writes a test case.
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
