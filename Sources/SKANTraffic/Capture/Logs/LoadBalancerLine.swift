import SKANDevice
import SKANHTTP

/// A line of the log of an AWS Application Load Balancer: fields between spaces, the request line in quotes.
struct LoadBalancerLine {
  private static let types: Set<Substring> = ["http", "https", "h2", "grpcs", "ws", "wss"]

  let request: LoggedRequest

  /// Nil for a line of another form.
  init?(_ line: String) {
    let fields = line.prefix { $0 != "\"" }.split(separator: " ")
    guard fields.count >= 11, Self.types.contains(fields[0]),
      let status = Int(fields[8]) ?? (fields[8] == "-" ? 0 : nil),
      let at = Instant(iso8601: String(fields[1])), let (requestLine, _) = line[...].quoted
    else { return nil }
    let parts = requestLine.split(separator: " ")
    guard parts.count >= 2 else { return nil }
    request = LoggedRequest(
      method: String(parts[0]), target: HTTPTarget(String(parts[1])), status: status, at: at)
  }
}
