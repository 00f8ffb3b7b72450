/// The site of a page, as the header `Origin` has it: `http://localhost:3000`.
struct Origin {
  /// In lower case.
  let text: String
  /// Without its port, in lower case.
  let host: String

  /// The beginning of an http or https URL; nil when it is not one.
  init?(url: String) {
    let url = url.lowercased()
    guard let mark = url.range(of: "://"), ["http", "https"].contains(url[..<mark.lowerBound]) else { return nil }
    let authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    host = Self.host(of: authority)
    text = "\(url[..<mark.upperBound])\(authority)"
    if host.isEmpty { return nil }
  }

  /// The host of `HOST[:PORT]`, in lower case, without a final dot.
  static func host(of authority: some StringProtocol) -> String {
    let authority = authority.lowercased()
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    let host = authority.prefix { $0 != ":" }
    return String(host.hasSuffix(".") ? host.dropLast() : host)
  }
}
