import SKANDevice
import SKANHTTP
import SKANBase

/// A line of the common and combined log formats, which Apache and nginx write: whatever stands before the time in brackets,
/// then the request line in quotes and the status.
struct CombinedLogLine {
  let request: LoggedRequest

  /// Nil for a line of another form.
  init?(_ line: String) {
    guard let open = line.firstIndex(of: "["), let close = line[open...].firstIndex(of: "]"),
      let at = Self.time(line[line.index(after: open)..<close]),
      let (requestLine, rest) = line[line.index(after: close)...].quoted,
      let status = rest.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    let parts = requestLine.split(separator: " ")
    guard parts.count >= 2 else { return nil }
    request = LoggedRequest(
      method: String(parts[0]), target: HTTPTarget(String(parts[1])), status: status, at: at)
  }

  /// `10/Oct/2026:13:55:36 -0700`.
  private static func time(_ text: Substring) -> Instant? {
    let parts = text.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, let month = HTTPDate.months.firstIndex(of: String(parts[1])),
      let colon = parts[2].firstIndex(of: ":")
    else { return nil }
    let clock = parts[2][parts[2].index(after: colon)...].replacing(" ", with: "")
    let date = "\(parts[2][..<colon])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[0])"
    return try? Instant(captured: "\(date)T\(clock)", zone: nil)
  }
}

extension Substring {
  /// What stands in the first quotes, and what is behind them; a backslash escapes a quote, and nginx writes `\x22`.
  var quoted: (text: String, rest: Substring)? {
    guard let open = firstIndex(of: "\"") else { return nil }
    var text = ""
    var position = index(after: open)
    while position < endIndex {
      switch self[position] {
      case "\"": return (text, self[index(after: position)...])
      case "\\":
        position = index(after: position)
        guard position < endIndex else { return nil }
        let digits = self[position...].dropFirst().prefix(2)
        if self[position] == "x", digits.utf8.count == 2, digits.utf8.allSatisfy({ $0.hexValue != nil }) {
          // As it would have to be written in a URL.
          text += "%\(digits.uppercased())"
          position = index(position, offsetBy: 2)
        } else {
          text.append(self[position])
        }
      default: text.append(self[position])
      }
      position = index(after: position)
    }
    return nil
  }
}
