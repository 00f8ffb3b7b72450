import Testing

/// Expects a reader to take each spelling for its value, and those of nil for none, by nil or an error.
public func expectReading<Value: Equatable>(
  _ rows: [(value: Value?, spellings: [String])], sourceLocation: SourceLocation = #_sourceLocation,
  _ read: (String) throws -> Value?
) {
  for (value, spellings) in rows {
    for spelling in spellings {
      let result = (try? read(spelling)) ?? nil
      #expect(result == value, "\"\(spelling)\"", sourceLocation: sourceLocation)
    }
  }
}

/// Ways to write one JSON text, which mean the same to every reader.
public enum JSONSpelling: CaseIterable, Sendable {
  case plain
  /// Blanks, tabs and line ends of both kinds around every token.
  case spaced
  /// Each character of a text and of a key by its number, those beyond the BMP as surrogates.
  case escaped
  /// The same with the digits A to F in small letters, and only every other character.
  case partlyEscaped
  case byteOrderMark

  /// - Parameter json: a JSON text without blanks between its tokens.
  public func apply(_ json: String) -> String {
    switch self {
    case .plain: json
    case .byteOrderMark: "\u{FEFF}\(json)"
    case .spaced:
      Self.map(
        json, outside: { ":,{}[]".unicodeScalars.contains($0) ? " \r\n\t\($0) \n" : "\($0)" }, inside: { "\($0)" })
    case .escaped: Self.map(json, outside: { "\($0)" }, inside: { Self.escape($0, "0123456789ABCDEF") })
    case .partlyEscaped:
      Self.map(
        json, outside: { "\($0)" }, inside: { $0.value % 2 == 0 ? Self.escape($0, "0123456789abcdef") : "\($0)" })
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, _ digits: String) -> String {
    let digits = Array(digits)
    return Character(scalar).utf16.map { unit in
      "\\u" + [12, 8, 4, 0].map { String(digits[Int(unit) >> $0 & 15]) }.joined()
    }.joined()
  }

  /// Rewrites what is outside and inside of texts; escapes stay.
  private static func map(
    _ json: String, outside: (Unicode.Scalar) -> String, inside: (Unicode.Scalar) -> String
  ) -> String {
    var (result, isInside, escaped) = ("", false, 0)
    for scalar in json.unicodeScalars {
      if escaped > 0 {
        escaped += scalar == "u" && escaped == 1 ? 3 : -1
        result.unicodeScalars.append(scalar)
      } else if scalar == "\"" {
        isInside.toggle()
        result += "\""
      } else if scalar == "\\" {
        escaped = 1
        result += "\\"
      } else {
        result += isInside ? inside(scalar) : outside(scalar)
      }
    }
    return result
  }
}

/// Ways to write one text of lines, which mean the same to every reader.
public enum LineSpelling: CaseIterable, Sendable {
  case plain, byteOrderMark, carriageReturns, noLastLineEnd, both

  /// - Parameter text: lines with a line feed after each.
  public func apply(_ text: String) -> [UInt8] {
    let windows = text.replacing("\n", with: "\r\n")
    return switch self {
    case .plain: Array(text.utf8)
    case .byteOrderMark: Array("\u{FEFF}\(text)".utf8)
    case .carriageReturns: Array(windows.utf8)
    case .noLastLineEnd: Array(text.utf8.dropLast())
    case .both: Array("\u{FEFF}\(windows)".utf8.dropLast(2))
    }
  }
}
