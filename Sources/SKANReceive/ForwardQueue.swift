import SKANBase
import SKANDevice
import SKANRun
import SKANSigning

/// The postbacks of a file of received postbacks that are to be forwarded, in order.
package final class ForwardQueue {
  private let reader: LineReader
  private let allowsDevelopment: Bool
  private var line = 0

  /// Starts at the first line after an offset.
  ///
  /// - Parameter source: the file, up to the end of a line.
  /// - Throws: also when the line at the offset is not the one that was acknowledged.
  package init(
    _ source: ByteSource, after offset: ForwardOffset, allowsDevelopment: Bool = false
  ) throws(ForwardProblem) {
    reader = LineReader(source)
    self.allowsDevelopment = allowsDevelopment
    if offset == .start { return }
    var hash: UInt64?
    while line < offset.line, let bytes = try nextLine() {
      if line == offset.line { hash = fnv1a(bytes) }
    }
    guard hash == offset.hash, reader.consumed == offset.bytes else { throw .differentFile(line: offset.line) }
  }

  /// The next postback and the offset after it; nil after the last.
  package func next() throws(ForwardProblem) -> (ForwardedPostback, ForwardOffset)? {
    while let bytes = try nextLine() {
      guard let record = try? ReceivedRecord(bytes) else { throw .notAPostback(line: line) }
      if let postback = ForwardedPostback(record, allowsDevelopment: allowsDevelopment) {
        return (postback, ForwardOffset(line: line, bytes: reader.consumed, hash: fnv1a(bytes)))
      }
    }
    return nil
  }

  private func nextLine() throws(ForwardProblem) -> [UInt8]? {
    let next: LineReader.Line?
    do throws(SourceFailure) { next = try reader.next() } catch { throw .source(error) }
    switch next {
    case .line(let bytes)?:
      line += 1
      return unsafe Array(bytes)
    case .tooLong?: throw .notAPostback(line: line + 1)
    case nil: return nil
    }
  }
}

/// Why postbacks cannot be forwarded.
package enum ForwardProblem: Error, Sendable, Equatable {
  /// The file cannot be read.
  case source(SourceFailure)
  /// The file is not the one that was forwarded before: the acknowledged line with this number differs or is missing.
  case differentFile(line: Int)
  /// The line is not a received postback.
  case notAPostback(line: Int)
}

/// A received postback in the form in which it is forwarded.
package struct ForwardedPostback: Sendable, Equatable {
  /// A JSON object: the received postback with the ``addedKeys``.
  package let body: [UInt8]
  /// Equal for every attempt, and different for every postback, so that a receiver can recognize repetitions. It
  /// consists of letters, digits, and `-._~/%`.
  package let idempotencyKey: String

  /// The keys that follow Apple's fields, in this order.
  package static let addedKeys = ["received_at", "simulated", "decoded", "campaign"]
  /// The keys that follow those for a postback of AdAttributionKit.
  private static let keysOfAdAttributionKit = ["protocol", "conversion_type"]
  /// The key that follows all of them for a postback that a development key signed.
  private static let developmentKey = "development"

  /// - Parameter allowsDevelopment: whether a postback that is signed by a development key is forwarded. Any phone in
  ///   Developer Mode gets such postbacks for every app.
  /// - Returns: nil for a postback that is not forwarded: one that is not verified, or was received before.
  package init?(_ record: ReceivedRecord, allowsDevelopment: Bool = false) {
    guard record.signature.verdict == .valid, record.repetition == .first, let key = record.signature.key,
      key != .development || allowsDevelopment, let document = try? PostbackDocument(Array(record.body.utf8)),
      let parts = PostbackIdentity(document).key.parts
    else { return nil }
    idempotencyKey = ([key.rawValue] + parts).map { $0.percentEncoded() }.joined(separator: "/")
    let names =
      Self.addedKeys + (document.adAttributionKit == nil ? [] : Self.keysOfAdAttributionKit)
      + (key == .development ? [Self.developmentKey] : [])
    let members = record.json
    let added = names.map { name -> (key: String, value: JSON) in
      let value: JSON? =
        switch name {
        case "simulated": .bool(key == .simulated)
        case "protocol": .string(PostbackProtocol.adAttributionKit.rawValue)
        case "conversion_type": document.adAttributionKit?.text(of: .conversionType).map(JSON.string)
        case Self.developmentKey: .bool(true)
        default: members[name]
        }
      return (name, value ?? .null)
    }
    guard let body = Self.body(document, added) else { return nil }
    self.body = body
  }

  /// The body with the added members. The bytes of the postback are kept; a member of a network with one of these names
  /// is removed. A JWS alone becomes the object that Apple has around it.
  private static func body(_ document: PostbackDocument, _ added: [(key: String, value: JSON)]) -> [UInt8]? {
    switch try? JSONReader.read(document.body).value {
    case .object(let members)?:
      let own = members.filter { member in !added.contains { $0.key == member.key } }
      if own.count != members.count { return Array(JSONWriter.text(.object(own + added), layout: .line).utf8) }
      return document.body.dropLast() + [UInt8(ascii: ",")]
        + Array(JSONWriter.text(.object(added), layout: .line).utf8.dropFirst())
    case let alone where document.adAttributionKit != nil:
      let jws = alone?.text ?? String(decoding: document.body, as: UTF8.self)
      return Array(JSONWriter.text(.object([(AdAttributionKitField.jws, .string(jws))] + added), layout: .line).utf8)
    default: return nil
    }
  }
}

extension PostbackIdentity.Key {
  /// The parts of an idempotency key; nil for a postback that is known by its text alone.
  fileprivate var parts: [String]? {
    switch self {
    case .transaction(let id, let network, let index): [network, id, index]
    case .postback(let id): [PostbackProtocol.adAttributionKit.rawValue, id]
    case .text: nil
    }
  }
}

/// The position up to which a file of received postbacks was forwarded: the end of the last acknowledged line.
package struct ForwardOffset: Sendable, Equatable {
  /// The line number, from 1; 0 before the first line.
  package var line: Int
  /// The bytes of the file up to and including the line's end.
  package var bytes: Int
  /// The hash of the line without its end, which identifies the file.
  package var hash: UInt64

  /// The position before the first line.
  package static let start = ForwardOffset(line: 0, bytes: 0, hash: 0)

  private static let keys: JSONKeys = ["line", "bytes", "hash"]

  package init(line: Int, bytes: Int, hash: UInt64) {
    self.line = line
    self.bytes = bytes
    self.hash = hash
  }

  /// Reads the content of an offset file.
  ///
  /// - Throws: all problems of the content.
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

/// The intervals after which a postback that was not accepted is forwarded again. They are Singular's for partner
/// postbacks (its article "Partner Postbacks"), except that here the last one repeats indefinitely, so that no postback
/// is lost.
package struct ForwardRetries: Sendable {
  private static let minutes = [1.0, 5, 15, 30, 60]

  /// How often the postback was not accepted.
  package private(set) var failures = 0

  package init() {}

  /// Counts a failed attempt.
  ///
  /// - Returns: the seconds until the next attempt.
  package mutating func fail() -> Double {
    let minutes = Self.minutes[min(failures, Self.minutes.count - 1)]
    failures += 1
    return minutes * 60
  }
}
