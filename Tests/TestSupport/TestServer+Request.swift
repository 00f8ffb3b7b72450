extension TestServer {
  /// What a client sent.
  package struct Request: Equatable, Sendable {
    /// The first word of the request line.
    package var method: String
    /// Path and query as they stood in the request line.
    package var target: String
    /// In their order.
    package var headers: [Header]
    /// Request line and headers, the empty line included.
    package var raw: [UInt8]
    /// What followed them, as long as `Content-Length` said.
    package var body: [UInt8] = []

    /// One header line.
    package struct Header: Equatable, Sendable {
      /// As it was sent.
      package var name: String
      /// Without the blanks before it.
      package var value: String
    }

    /// Of the bytes up to and with the empty line.
    init(raw: [UInt8]) {
      self.raw = raw
      let lines = String(decoding: raw, as: UTF8.self).split(separator: "\r\n")
      let words = (lines.first ?? "").split(separator: " ")
      method = words.first.map(String.init) ?? ""
      target = words.count > 1 ? String(words[1]) : ""
      headers = lines.dropFirst().map { line in
        let halves = line.split(separator: ":", maxSplits: 1)
        return Header(
          name: String(halves.first ?? ""), value: String((halves.count > 1 ? halves[1] : "").drop { $0 == " " }))
      }
    }

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// What follows the question mark; empty when there is none.
    package var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

    /// The first header of that name, the case of its letters aside.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }
}
