extension String {
  /// How many columns of a terminal it takes, rather too many than too few.
  package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// Its beginning, so that it takes at most `most` columns; what is cut ends with `ellipsis`.
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

  /// In lines of at most `width` columns, broken at spaces where there are any.
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
  /// How many columns of a terminal the text takes from `start` on, rather too many than too few.
  package func columns(from start: Int) -> Int {
    let end = unsafe bytes[start..<count]
    if unsafe end.allSatisfy({ $0 < 0x80 }) { return count - start }
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
