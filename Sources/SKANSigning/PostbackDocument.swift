import SKANBase
import SKANDevice

/// A received postback as JSON, with its location in the original text.
package struct PostbackDocument {
  let node: JSONNode
  /// The text that ``node`` was read from.
  private let bytes: [UInt8]
  /// The line of the whole text on which ``bytes`` begin, from 1.
  private let firstLine: Int
  /// The postback alone, as written; a JWS without quotes has none here either.
  package let body: [UInt8]
  /// The postback's contents, whether its signature is valid or not, or why its version is unknown.
  let reading: Result<ReceivedPostback, SourceProblems>
  /// The postback of AdAttributionKit; nil for all others.
  package let adAttributionKit: AdAttributionKitPostback?

  /// Reads the body of a request: an object, or a JWS with or without quotes.
  ///
  /// - Throws: why it is not JSON.
  package init(_ text: [UInt8]) throws(SourceNotes) { try self.init(text, firstLine: 1) }

  private init(_ text: [UInt8], firstLine: Int) throws(SourceNotes) {
    let quoted = Self.quotedJWS(text)
    bytes = quoted ?? text
    body = Array(quoted.map { $0.dropFirst().dropLast() } ?? text.trimming { $0.isLineSpace || $0 == 0x0A })
    self.firstLine = firstLine
    do throws(SourceProblems) { node = try JSONReader.readSource(bytes) } catch {
      if let form = OtherForm.encoded(bytes) {
        let start = bytes.firstIndex { !$0.isLineSpace && $0 != 0x0A } ?? 0
        let note = SourceNote(location: TextLocation(of: start..<start, in: bytes), message: form)
        throw SourceNotes([note.moved(by: firstLine - 1)])
      }
      throw SourceNotes(error.notes(in: bytes).map { $0.moved(by: firstLine - 1) })
    }
    reading = ReceivedPostback.read(node)
    adAttributionKit = AdAttributionKitPostback(node)
  }

  /// An element of an array.
  private init(_ item: JSONNode, of array: PostbackDocument) {
    node = item
    bytes = array.bytes
    body = Array(array.bytes[item.range])
    firstLine = array.firstLine
    reading = ReceivedPostback.read(item)
    adAttributionKit = AdAttributionKitPostback(item)
  }

  /// The postbacks of a text: one, the elements of an array, or one for each line if the first line is a whole JSON
  /// value or a JWS.
  ///
  /// - Throws: why lines are not JSON, for all such lines.
  package static func all(in bytes: [UInt8]) throws(SourceNotes) -> [PostbackDocument] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.allSatisfy(\.isLineSpace) }
    guard lines.count > 1, let first = lines.first, isWhole(first.element) else {
      let whole = try PostbackDocument(bytes)
      guard case .array(let items) = whole.node.content else { return [whole] }
      return items.map { PostbackDocument($0, of: whole) }
    }
    var documents: [PostbackDocument] = []
    var notes: [SourceNote] = []
    for (index, line) in lines {
      do throws(SourceNotes) {
        documents.append(try PostbackDocument(Array(line), firstLine: index + 1))
      } catch {
        notes += error.notes
      }
    }
    if !notes.isEmpty { throw SourceNotes(notes) }
    return documents
  }

  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    quotedJWS(line) != nil || (try? JSONReader.read(line)) != nil
  }

  /// A JWS without quotes as a JSON string; nil for anything else.
  private static func quotedJWS(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    let text = text.trimming { $0.isLineSpace || $0 == UInt8(ascii: "\n") }
    return AdAttributionKitPostback.looksLikeJWS(text) ? [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")] : nil
  }

  /// Whether it is an object, as Apple's postbacks are.
  package var isObject: Bool { node.isObject }

  /// Why it cannot be a postback, whatever its keys; nil for an object and for a JWS.
  package var formProblem: SourceNote? {
    if node.isObject || adAttributionKit != nil { return nil }
    guard case .failure(let problems) = reading, let problem = problems.problems.first else { return nil }
    return note(problem.message)
  }

  /// A message about the postback, with its location in the text.
  package func note(_ message: String) -> SourceNote {
    SourceNote(location: TextLocation(of: node.range, in: bytes), message: message).moved(by: firstLine - 1)
  }

  /// The postback, whether its signature is valid or not; nil if its version is unknown.
  package var postback: ReceivedPostback? { try? reading.get() }

  /// Byte offsets of the postback in the text it was read from.
  package var range: Range<Int> { node.range }

  /// The line of the text on which the postback begins, from 1.
  package var line: Int { TextLocation(of: node.range, in: bytes).line + firstLine - 1 }

  /// The problems with their locations in the text.
  func notes(_ problems: SourceProblems) -> [SourceNote] {
    problems.notes(in: bytes).map { $0.moved(by: firstLine - 1) }
  }

  /// A finding with its location in the text.
  package func finding(_ finding: PostbackFinding) -> PostbackVerdict.Finding {
    let location = TextLocation(of: finding.range, in: bytes)
    return PostbackVerdict.Finding(
      code: finding.code, note: SourceNote(location: location, message: finding.message).moved(by: firstLine - 1))
  }
}
