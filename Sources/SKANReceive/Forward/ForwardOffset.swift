import SKANBase

/// How far a file of received postbacks was passed on: up to the end of the last line that was acknowledged.
package struct ForwardOffset: Sendable, Equatable {
  /// The line, from 1; 0 before the first.
  package var line: Int
  /// The bytes of the file up to its end, which counts.
  package var bytes: Int
  /// Of the line, without its end: another file has another line there.
  package var hash: UInt64

  /// Before the first line.
  package static let start = ForwardOffset(line: 0, bytes: 0, hash: 0)

  private static let keys: JSONKeys = ["line", "bytes", "hash"]

  package init(line: Int, bytes: Int, hash: UInt64) {
    self.line = line
    self.bytes = bytes
    self.hash = hash
  }

  /// Reads the content of an offset file.
  ///
  /// - Throws: everything that is wrong with it.
  package init(_ text: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(try JSONReader.readSource(text), what: "an offset", known: Self.keys)
    let line = reader.require("line", reader.integer("line", in: 0 ... .max))
    let bytes = reader.require("bytes", reader.integer("bytes", in: 0 ... .max))
    let hash = reader.require(
      "hash",
      reader.read("hash", "16 hexadecimal digits") { content in
        if case .string(let text) = content, text.utf8.count == 16 { UInt64(text, radix: 16) } else { nil }
      })
    guard reader.problems.isEmpty, let line, let bytes, let hash else { throw SourceProblems(reader.problems) }
    self.init(line: Int(line), bytes: Int(bytes), hash: hash)
  }

  /// The content of an offset file.
  package var text: [UInt8] {
    let hash = hash.hexText
    let json = JSON.object([
      ("line", .integer(Int64(line))), ("bytes", .integer(Int64(bytes))), ("hash", .string(hash)),
    ])
    return Array((JSONWriter.text(json, layout: .line) + "\n").utf8)
  }
}
