import SKANDevice
import SKANJSON
import SKANText

/// One postback of a file, and where it stands there.
struct PostbackDocument {
  let node: JSONNode
  /// The text that ``node`` was read from.
  private let bytes: [UInt8]
  /// The line of the file on which that text begins.
  private let firstLine: Int

  /// The one postback of a file, or one for each line when its first line is a whole JSON value or a JWS.
  static func all(in bytes: [UInt8], file: String) throws(CommandError) -> [PostbackDocument] {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.allSatisfy(\.isLineSpace) }
    guard lines.count > 1, let first = lines.first, isWhole(first.element) else {
      return [try one(bytes, firstLine: 1, file: file)]
    }
    var documents: [PostbackDocument] = []
    var notes: [CommandError.SourceNote] = []
    var more = 0
    for (number, line) in lines {
      do throws(CommandError) {
        documents.append(try one(Array(line), firstLine: number + 1, file: file))
      } catch {
        guard case .content(_, let problems, let rest) = error else { throw error }
        notes += problems
        more += rest
      }
    }
    if !notes.isEmpty { throw .content(file: file, notes, more: more) }
    return documents
  }

  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    asJSON(line) != nil || (try? JSONReader.read(line)) != nil
  }

  /// A JWS that stands alone, as a string.
  private static func asJSON(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    let text = text.trimming { $0.isLineSpace || $0 == UInt8(ascii: "\n") }
    return AdAttributionKitPostback.isJWS(text) ? [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")] : nil
  }

  private static func one(
    _ text: [UInt8], firstLine: Int, file: String
  ) throws(CommandError) -> PostbackDocument {
    let bytes = asJSON(text) ?? text
    do throws(SourceProblems) {
      return PostbackDocument(node: try JSONReader.readSource(bytes), bytes: bytes, firstLine: firstLine)
    } catch {
      throw .content(file: file, error.notes(in: bytes).map { $0.moved(by: firstLine - 1) })
    }
  }

  /// The line of the file on which the postback begins.
  var line: Int { SourcePlace(of: node.range, in: bytes).line + firstLine - 1 }

  /// The problems with their places in the file.
  func notes(_ problems: SourceProblems) -> [CommandError.SourceNote] {
    problems.notes(in: bytes).map { $0.moved(by: firstLine - 1) }
  }
}

extension PostbackDocument {
  /// A finding with its place in the file.
  func finding(_ finding: PostbackFinding) -> PostbackVerdict.Finding {
    PostbackVerdict.Finding(
      code: finding.code, note: notes([SourceProblem(finding.message, at: finding.range)])[0])
  }
}

extension CommandError.SourceNote {
  fileprivate func moved(by lines: Int) -> CommandError.SourceNote {
    var note = self
    note.place.line += lines
    return note
  }
}
