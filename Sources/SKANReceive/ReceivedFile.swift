import SKANBase
import SKANRun
import SKANSigning

/// A file of received postbacks: JSON Lines, to which only whole lines are appended.
///
/// A killed process may leave an incomplete last line. It was never acknowledged, so it does not count and may be
/// truncated. A complete record that only lacks its line end counts.
package struct ReceivedFile {
  /// The beginning of every line.
  private static let beginning = Array(#"{"received_at":""#.utf8)

  /// The postbacks in the file.
  package private(set) var memory = PostbackMemory()
  /// The number of lines that count.
  package private(set) var lines = 0
  /// The bytes of the lines that count.
  package private(set) var size = 0
  /// The bytes of an incomplete last line.
  package private(set) var tornBytes = 0
  /// Whether the last line lacks its line end.
  package private(set) var lacksEnd = false
  private var notes: [SourceNote] = []
  private var moreNotes = 0

  package init() {}

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - remembers: whether to fill ``memory``.
  ///   - take: receives each record, its body as a postback, and its line number, from 1.
  /// - Throws: why the file cannot be read, or which lines are not received postbacks.
  package init(
    _ source: ByteSource, remembers: Bool = true, take: (ReceivedRecord, PostbackDocument, Int) -> Void = { _, _, _ in }
  ) throws(ReceivedFileProblem) {
    let reader = LineReader(source)
    while let line = try Self.next(of: reader) {
      let isEnded = reader.consumed - size - tornBytes > line.count
      let isOurs = line.starts(with: Self.beginning) || !isEnded && Self.beginning.starts(with: line)
      if lines == 0, notes.isEmpty, !isOurs { throw .other(firstLine: line) }
      if isEnded || Self.isRecord(line) {
        lacksEnd = !isEnded
        lines += 1
        size = reader.consumed
        do throws(SourceProblems) {
          let (record, document) = try Self.read(line)
          if remembers { memory.add(document, record.signature, line: lines) }
          take(record, document, lines)
        } catch {
          for note in error.notes(in: line) { add(note.onLine(lines)) }
        }
      } else if isOurs {
        tornBytes = line.count
      } else {
        let location = TextLocation(of: 0..<line.count, in: line)
        add(SourceNote(location: location, message: "this is not a line of received postbacks").onLine(lines + 1))
      }
    }
    if !notes.isEmpty { throw .content(SourceNotes(notes), more: moreNotes) }
  }

  /// Throws if the first line shows that the file contains something else; the rest is not read.
  package static func check(_ source: ByteSource) throws(ReceivedFileProblem) {
    guard let line = try next(of: LineReader(source)) else { return }
    if !line.starts(with: beginning), !beginning.starts(with: line) { throw .other(firstLine: line) }
  }

  private mutating func add(_ note: SourceNote) {
    if notes.count < SourceProblem.mostReported { notes.append(note) } else { moreNotes += 1 }
  }

  /// - Returns: nil after the last line.
  private static func next(of reader: LineReader) throws(ReceivedFileProblem) -> [UInt8]? {
    do throws(SourceFailure) {
      switch try reader.next() {
      case .line(let bytes)?: return unsafe Array(bytes)
      // Longer than any valid line; the beginning is enough to recognize the content.
      case .tooLong(let bytes)?: return unsafe Array(bytes)
      case nil: return nil
      }
    } catch {
      throw .source(error)
    }
  }

  private static func isRecord(_ line: [UInt8]) -> Bool { (try? ReceivedRecord(line)) != nil }

  private static func read(_ line: [UInt8]) throws(SourceProblems) -> (ReceivedRecord, PostbackDocument) {
    let record = try ReceivedRecord(line)
    do throws(SourceNotes) { return (record, try PostbackDocument(Array(record.body.utf8))) } catch {
      throw [SourceProblem("its \"body\" is not JSON", at: 0..<line.count)]
    }
  }
}

/// Why a file of received postbacks cannot be used.
package enum ReceivedFileProblem: Error, Sendable, Equatable {
  case source(SourceFailure)
  /// Some lines are invalid: the first of them, and the number of others.
  case content(SourceNotes, more: Int)
  /// The first line shows that the file contains something else.
  case other(firstLine: [UInt8])
}

extension SourceNote {
  fileprivate func onLine(_ line: Int) -> SourceNote {
    var note = self
    note.location.line = line
    return note
  }
}
