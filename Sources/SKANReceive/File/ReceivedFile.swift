import SKANJSON
import SKANRun
import SKANSigning
import SKANText

/// A file of received postbacks: JSON Lines, to which only whole lines are added.
///
/// A process that is killed may leave a torn last line. What stands there was never acknowledged, so it does not count and
/// may be cut; a whole record whose line end alone is missing counts.
package struct ReceivedFile {
  /// How a line of ours begins.
  private static let beginning = Array(#"{"received_at":""#.utf8)

  /// What was received.
  package private(set) var memory = PostbackMemory()
  /// How many lines count.
  package private(set) var lines = 0
  /// The bytes of the lines that count.
  package private(set) var size = 0
  /// The bytes behind them, which broke off.
  package private(set) var tornBytes = 0
  /// Whether the end of the last line is missing.
  package private(set) var lacksEnd = false

  /// An empty file.
  package init() {}

  /// Reads a file to its end.
  ///
  /// - Parameter take: gets each record and its line, from 1.
  /// - Throws: why its bytes do not come, or which of its lines are not of received postbacks.
  package init(
    _ source: ByteSource, take: (ReceivedRecord, Int) -> Void = { _, _ in }
  ) throws(ReceivedFileProblem) {
    let reader = LineReader(source)
    var notes: [SourceNote] = []
    while let line = try Self.next(of: reader) {
      let isEnded = reader.consumed - size - tornBytes > line.count
      if isEnded || Self.isRecord(line) {
        lacksEnd = !isEnded
        lines += 1
        size = reader.consumed
        do throws(SourceProblems) { take(try add(line), lines) } catch {
          notes += error.notes(in: line).map { $0.onLine(lines) }
        }
      } else if line.starts(with: Self.beginning) || Self.beginning.starts(with: line) {
        tornBytes = line.count
      } else {
        let place = SourcePlace(of: 0..<line.count, in: line)
        notes.append(SourceNote(place: place, message: "this is not a line of received postbacks").onLine(lines + 1))
      }
    }
    if !notes.isEmpty { throw .content(SourceNotes(notes)) }
  }

  /// - Returns: nil after the last line.
  private static func next(of reader: LineReader) throws(ReceivedFileProblem) -> [UInt8]? {
    do throws(SourceFailure) {
      switch try reader.next() {
      case .line(let bytes)?: return unsafe Array(bytes)
      // Longer than any of ours; its beginning says what it is.
      case .tooLong(let bytes)?: return unsafe Array(bytes)
      case nil: return nil
      }
    } catch {
      throw .source(error)
    }
  }

  private static func isRecord(_ line: [UInt8]) -> Bool { (try? ReceivedRecord(line)) != nil }

  private mutating func add(_ line: [UInt8]) throws(SourceProblems) -> ReceivedRecord {
    let record = try ReceivedRecord(line)
    do throws(SourceNotes) {
      memory.add(try PostbackDocument(Array(record.body.utf8)), record.signature, line: lines)
    } catch {
      throw [SourceProblem("its \"body\" is not JSON", at: 0..<line.count)]
    }
    return record
  }
}

/// Why a file of received postbacks cannot be used.
package enum ReceivedFileProblem: Error, Sendable, Equatable {
  case source(SourceFailure)
  case content(SourceNotes)
}

extension SourceNote {
  fileprivate func onLine(_ line: Int) -> SourceNote {
    var note = self
    note.place.line = line
    return note
  }
}
