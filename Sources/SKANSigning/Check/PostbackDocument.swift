import SKANDevice
import SKANJSON
import SKANText

/// One received postback as JSON, and its location in the text that it came in.
package struct PostbackDocument {
  let node: JSONNode
  /// The text that ``node`` was read from.
  private let bytes: [UInt8]
  /// The line of the whole text on which ``bytes`` begin, from 1.
  private let firstLine: Int

  /// Reads one postback, as the body of a request has it: an object, or a JWS with or without quotes.
  ///
  /// - Throws: why it is not JSON.
  package init(_ text: [UInt8]) throws(SourceNotes) { try self.init(text, firstLine: 1) }

  private init(_ text: [UInt8], firstLine: Int) throws(SourceNotes) {
    bytes = Self.quotedJWS(text) ?? text
    self.firstLine = firstLine
    do throws(SourceProblems) { node = try JSONReader.readSource(bytes) } catch {
      throw SourceNotes(error.notes(in: bytes).map { $0.moved(by: firstLine - 1) })
    }
  }

  /// The one postback of a text, or one for each line when its first line is a whole JSON value or a JWS.
  ///
  /// - Throws: why lines are not JSON, all of them.
  package static func all(in bytes: [UInt8]) throws(SourceNotes) -> [PostbackDocument] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.allSatisfy(\.isLineSpace) }
    guard lines.count > 1, let first = lines.first, isWhole(first.element) else { return [try PostbackDocument(bytes)] }
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

  /// A JWS without quotes as a JSON string; nil for everything else.
  private static func quotedJWS(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    let text = text.trimming { $0.isLineSpace || $0 == UInt8(ascii: "\n") }
    return AdAttributionKitPostback.isJWS(text) ? [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")] : nil
  }

  /// The line of the text on which the postback begins, from 1.
  package var line: Int { SourcePlace(of: node.range, in: bytes).line + firstLine - 1 }

  /// The problems with their locations in the text.
  func notes(_ problems: SourceProblems) -> [SourceNote] {
    problems.notes(in: bytes).map { $0.moved(by: firstLine - 1) }
  }

  /// A finding with its location in the text.
  func finding(_ finding: PostbackFinding) -> PostbackVerdict.Finding {
    let place = SourcePlace(of: finding.range, in: bytes)
    return PostbackVerdict.Finding(
      code: finding.code, note: SourceNote(place: place, message: finding.message).moved(by: firstLine - 1))
  }
}

extension SourceNote {
  fileprivate func moved(by lines: Int) -> SourceNote {
    var note = self
    note.place.line += lines
    return note
  }
}
