import SKANBase
import SKANRun

/// Rewrites JSON that is not one object a line as JSON Lines: an array, objects over several lines, and several objects
/// on one line.
///
/// An element becomes one line, with a space for each line end between its members. Blank lines keep the numbers of
/// lines as they are in the source; where several elements begin on one line, each counts as a line of its own. Memory
/// is bounded by one element. What is not an object becomes a line as well, which the reader of rows rejects.
final class JSONElements {
  /// How the objects of a text are written.
  enum Form {
    /// Each object is a line.
    case lines
    /// Objects have several lines, or share one.
    case elements
  }

  /// Why the text has no further elements although it does not end properly.
  struct Problem: Equatable {
    var line: Int
    var message: String
  }

  private let input: ByteSource
  /// The line that is read, and the line that is written next.
  private var line: Int
  private var written: Int
  /// The line on which the current element begins, or the array.
  private var beginning: Int
  private var isInArray = false
  private var element = Element.none
  private var output: [UInt8] = []
  private var position = 0
  /// The bytes of the current element.
  private var length = 0
  private var isAtEnd = false
  /// Nil until the end, and if the text ends properly.
  private(set) var problem: Problem?

  private enum Element {
    case none
    /// An object or an array, with the number of open brackets.
    case brackets(Int)
    /// A text in an object or an array with that many open brackets; 0 for a text alone.
    case text(Int, isEscaped: Bool)
    /// A number or a word.
    case word
  }

  /// - Parameter line: the number of the first line.
  init(_ input: ByteSource, line: Int) {
    self.input = input
    self.line = line
    written = line
    beginning = line
  }

  /// The elements, one a line.
  var lines: ByteSource {
    unsafe ByteSource(isRegular: false) { [self] buffer throws(SourceFailure) in try unsafe read(buffer) }
  }

  /// How a text that begins with an object is written; nil if more of it is needed.
  static func form(of text: ArraySlice<UInt8>, isAtEnd: Bool) -> Form? {
    var (depth, isText, isEscaped, hasEnded) = (0, false, false, false)
    for byte in text {
      if hasEnded {
        if byte == 0x0A { return .lines }
        if !byte.isLineSpace { return .elements }
      } else if isText {
        // A line end within a text is a mistake, which the reader of lines reports.
        if byte == 0x0A { return .lines }
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          isText = byte != UInt8(ascii: "\"")
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          hasEnded = depth <= 0
        case 0x0A: return .elements
        default: break
        }
      }
    }
    return isAtEnd ? (hasEnded ? .lines : .elements) : nil
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
    while position == output.count, !isAtEnd {
      output.removeAll(keepingCapacity: true)
      position = 0
      try refill()
    }
    let count = min(buffer.count, output.count - position)
    unsafe buffer.copyBytes(from: output[position..<position + count])
    position += count
    return count
  }

  private func refill() throws(SourceFailure) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { unsafe piece.deallocate() }
    let count = try unsafe input.read(piece)
    if count == 0 { return end() }
    let bytes = unsafe Array(piece[..<count])
    for byte in bytes {
      take(byte)
      if byte == 0x0A { line += 1 }
      if length > ExportBlocks.longestRecord {
        let limit = ExportBlocks.longestRecord
        return stop("the element of this line has more than \(limit) bytes: is a bracket or a quote missing?")
      }
    }
  }

  private func take(_ byte: UInt8) {
    let quote = UInt8(ascii: "\"")
    switch element {
    case .none: begin(byte)
    case .brackets(let depth):
      append(byte == 0x0A ? UInt8(ascii: " ") : byte)
      switch byte {
      case quote: element = .text(depth, isEscaped: false)
      case UInt8(ascii: "{"), UInt8(ascii: "["): element = .brackets(depth + 1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 1 { endElement() } else { element = .brackets(depth - 1) }
      default: break
      }
    case .text(let depth, let isEscaped):
      append(byte)
      if byte == 0x0A { written += 1 }
      if byte != quote || isEscaped {
        element = .text(depth, isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
      } else if depth == 0 {
        endElement()
      } else {
        element = .brackets(depth)
      }
    case .word:
      let isEnd = byte == 0x0A || byte.isLineSpace || byte == UInt8(ascii: ",")
      if !isEnd, byte != UInt8(ascii: "]") || !isInArray { return append(byte) }
      endElement()
      begin(byte)
    }
  }

  /// Takes a byte between elements.
  private func begin(_ byte: UInt8) {
    switch byte {
    case 0x0A: return
    case _ where byte.isLineSpace || isInArray && byte == UInt8(ascii: ","): return
    case UInt8(ascii: "[") where !isInArray:
      isInArray = true
      beginning = line
      return
    case UInt8(ascii: "]") where isInArray:
      isInArray = false
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["): element = .brackets(1)
    case UInt8(ascii: "\""): element = .text(0, isEscaped: false)
    default: element = .word
    }
    while written < line {
      output.append(0x0A)
      written += 1
    }
    beginning = line
    append(byte)
  }

  private func append(_ byte: UInt8) {
    output.append(byte)
    length += 1
  }

  private func endElement() {
    output.append(0x0A)
    written += 1
    (element, length) = (.none, 0)
  }

  private func end() {
    if case .word = element { endElement() }
    if case .none = element, !isInArray {
      isAtEnd = true
    } else {
      stop("not JSON: the text ends too early")
    }
  }

  /// Ends the lines before the current element.
  private func stop(_ message: String) {
    isAtEnd = true
    output.removeAll()
    problem = Problem(line: beginning, message: message)
  }
}
