extension String {
  /// The width of the text in terminal columns; an upper estimate.
  package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// The text cut to at most `most` terminal columns; a cut text ends with `ellipsis`.
  package func cut(to most: Int, _ ellipsis: String) -> String {
    if columns <= most { return self }
    var text = ""
    var left = most - ellipsis.columns
    for character in self {
      left -= String(character).columns
      if left < 0 { break }
      text.append(character)
    }
    return most < ellipsis.columns ? "" : text + ellipsis
  }

  /// The text in lines of at most `width` columns, broken at spaces where possible.
  package func wrapped(_ width: Int, by measure: (String) -> Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ").map(String.init) {
      let longer = line.isEmpty ? word : "\(line) \(word)"
      if measure(longer) <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if !line.isEmpty, measure(line + String(character)) > width {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

extension ByteText {
  /// The width in terminal columns of the text from `start` on; an upper estimate.
  package func columns(from start: Int) -> Int {
    let end = unsafe UnsafeBufferPointer(rebasing: bytes[start..<count])
    if unsafe end.isASCII { return end.count }
    return unsafe String(decoding: end, as: UTF8.self).columns
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// East Asian wide characters and emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23F3, 0x25FD...0x25FE, 0x2600...0x27BF, 0x2B1B...0x2B55,
    0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// The text padded with spaces on the right.
  ///
  /// - Parameters:
  ///   - width: in terminal columns; a longer text is not cut.
  ///   - least: the number of spaces after a text that fills the width.
  package func padded(to width: Int, atLeast least: Int = 0) -> String {
    self + String(repeating: " ", count: Swift.max(least, width - columns))
  }

  /// The text padded on the left with a character one column wide; a longer text is not cut.
  package func leftPadded(to width: Int, with character: Character = " ") -> String {
    String(repeating: character, count: Swift.max(0, width - columns)) + self
  }

  /// The words of the text in lines of at most `width` characters; a longer word gets its own line.
  package func filled(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension Int {
  /// The number with a noun: `1 file`, `2 files`.
  ///
  /// - Parameter many: the plural, if it is not the singular with an s.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? "\(one)s")"
  }

  /// The percentage of a whole with one decimal, rounded half away from 0: `12.5 %`; `-` if the whole is 0.
  package func percent(of whole: Int) -> String {
    if whole == 0 { return "-" }
    let (part, all) = (Int128(magnitude), Int128(whole.magnitude))
    let tenths = (part * 2000 + all) / (all * 2)
    return "\((self < 0) != (whole < 0) && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) %"
  }

  /// The ordinal number: `1st`, `2nd`, `11th`.
  package var ordinal: String { String(writing: { $0.append(ordinal: Int64(self)) }) }
}

extension ByteText {
  /// Adds an ordinal number: `1st`, `2nd`, `11th`.
  package mutating func append(ordinal number: Int64) {
    append(number)
    switch (number % 10, number % 100) {
    case (_, 11...13): append("th")
    case (1, _): append("st")
    case (2, _): append("nd")
    case (3, _): append("rd")
    default: append("th")
    }
  }
}

extension String {
  /// The text; if it is longer than `limit` characters, its beginning and a mark.
  package func truncated(to limit: Int, _ mark: String = "…") -> String {
    count > limit ? "\(prefix(limit))\(mark)" : self
  }
}

extension StringProtocol {
  /// The text with a capital first letter; the others are unchanged.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
  package var commaSeparated: String { joined(separator: ", ") }

  /// The texts as a list: `a, b and c`.
  ///
  /// - Parameter word: the word before the last text.
  package func listed(_ word: String = "and") -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
  }

  /// The first texts as a list, and the number of the others: `a, b and 5 more`.
  package func listed(atMost most: Int) -> String {
    count > most ? "\(prefix(most).joined(separator: ", ")) and \(count - most) more" : listed()
  }
}

extension UInt64 {
  /// The number in 16 hexadecimal digits.
  package var hexText: String { String(self, radix: 16).leftPadded(to: 16, with: "0") }
}
