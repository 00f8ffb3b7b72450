/// Why a text is not JSON, and where.
package struct JSONError: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    case unexpectedEnd
    case expected(String)
    case badEscape
    case loneSurrogate
    case controlCharacter
    case badNumber
    case numberTooLarge
    case badLiteral
    case duplicateKey(String)
    case trailingComma
    case trailingText
    case invalidUTF8
    case byteOrderMark
    case tooDeep(Int)
    case tooLong
  }

  package var problem: Problem
  /// The byte at which reading stopped.
  package var offset: Int

  /// The problem in words, without its location.
  package var message: String {
    switch problem {
    case .unexpectedEnd: "the text ends too early"
    case .expected(let what): "expected \(what)"
    case .badEscape: "no such escape in a JSON string"
    case .loneSurrogate: "half a surrogate pair: \\uD800-\\uDFFF come in twos"
    case .controlCharacter: "a control character in a string must be escaped"
    case .badNumber: "not a JSON number"
    case .numberTooLarge: "the number is too large"
    case .badLiteral: "expected a value: an object, array, string, number, true, false or null"
    case .duplicateKey(let key): "the key \"\(key)\" is given twice"
    case .trailingComma: "a comma before the closing bracket"
    case .trailingText: "more text after the end of the value"
    case .invalidUTF8: "not valid UTF-8"
    case .byteOrderMark: "a byte order mark does not belong here"
    case .tooLong: "the text is longer than 4 GB"
    case .tooDeep(let limit): "more than \(limit) brackets inside each other"
    }
  }
}

extension SourceProblem {
  /// The text is not JSON.
  package init(_ error: JSONError) {
    self.init("not JSON: \(error.message)", at: error.offset..<error.offset + 1)
  }
}
