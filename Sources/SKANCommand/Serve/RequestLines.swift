import SKANServe

/// The lines of requests as a terminal shows them.
enum RequestLines {
  /// What is too long for the terminal goes on behind the time.
  private static let indent = "00:00:00.000  ".count

  /// - Parameters:
  ///   - lines: with their ends.
  ///   - parts: of the lines, in order.
  static func styled(
    _ lines: [UInt8], _ parts: [RequestLogPart], _ redactor: Redactor, _ style: TerminalStyle
  ) -> [UInt8] {
    var text = ""
    var parts = ArraySlice(parts)
    var start = 0
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      var styled = StyledText()
      start = line.startIndex
      while let part = parts.first, part.range.upperBound <= line.endIndex {
        styled.append(String(decoding: lines[start..<part.range.lowerBound], as: UTF8.self))
        styled.append(String(decoding: lines[part.range], as: UTF8.self), part.kind.role)
        start = part.range.upperBound
        parts.removeFirst()
      }
      styled.append(String(decoding: lines[start..<line.endIndex], as: UTF8.self))
      styled.indent = indent
      text += style.text(styled.mapText(redactor.redacted))
    }
    return Array(text.utf8)
  }
}

extension RequestLogPart.Kind {
  fileprivate var role: TextRole {
    switch self {
    case .time: .dim
    case .success: .success
    case .failure: .failure
    case .finding: .finding
    }
  }
}
