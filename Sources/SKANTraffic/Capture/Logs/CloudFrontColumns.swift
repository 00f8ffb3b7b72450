import SKANDevice
import SKANHTTP
import SKANBase

/// The columns of a log of AWS CloudFront, which its `#Fields:` line names; without one the standard ones.
struct CloudFrontColumns {
  private static let standard = [
    "date", "time", "x-edge-location", "sc-bytes", "c-ip", "cs-method", "cs(Host)", "cs-uri-stem", "sc-status",
    "cs(Referer)", "cs(User-Agent)", "cs-uri-query", "cs(Cookie)", "x-edge-result-type", "x-edge-request-id",
    "x-host-header", "cs-protocol",
  ]

  private var index: [String: Int]

  init() { index = Self.index(Self.standard) }

  /// Those of a `#Fields:` line; nil for another comment.
  init?(comment: String) {
    guard comment.hasPrefix("#Fields:") else { return nil }
    index = Self.index(comment.dropFirst(8).split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init))
  }

  private static func index(_ names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// What a line says; nil for one of another form.
  func line(_ text: String) -> LoggedRequest? {
    let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
    func field(_ name: String) -> String? {
      guard let position = index[name], fields.indices.contains(position), fields[position] != "-" else { return nil }
      return String(fields[position])
    }
    guard let date = field("date"), let time = field("time"), let at = Instant(iso8601: "\(date)T\(time)Z"),
      let path = field("cs-uri-stem"), let method = field("cs-method"),
      let status = field("sc-status").flatMap({ Int($0) })
    else { return nil }
    let host = field("x-host-header") ?? field("cs(Host)")
    let origin = host.map { "\(field("cs-protocol") ?? "https")://\($0)" } ?? ""
    return LoggedRequest(
      method: method,
      target: HTTPTarget(origin: origin, path: path, query: field("cs-uri-query").map(\.withoutSecondEscapes)),
      status: status, at: at)
  }
}

extension String {
  /// A query whose every percent sign CloudFront has escaped once more, with those escapes undone (*inferred*: a query in
  /// which no other escape is left was written so).
  fileprivate var withoutSecondEscapes: String {
    let escapes = split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    let isTwice = escapes.contains {
      $0.hasPrefix("25") && $0.dropFirst(2).prefix(2).utf8.count == 2
        && $0.dropFirst(2).prefix(2).utf8.allSatisfy { $0.hexValue != nil }
    }
    guard isTwice, escapes.allSatisfy({ $0.hasPrefix("25") }) else { return self }
    return replacing("%25", with: "%")
  }
}
