import Foundation

/// Adds lines to a file so that it ends with a whole one also when the program is killed in the middle.
///
/// The system looks for signals between the pages of a file, so a write that stays within a page is there as a whole or not
/// at all; of a pipe the same is promised for this many bytes.
enum LineWriter {
  private static let page = 4096

  /// - Parameter lines: with their ends.
  static func append(_ lines: [UInt8], to descriptor: Int32) throws(CommandError) {
    // -1 for a pipe, which has no place.
    var index = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    var rest = ArraySlice(lines)
    while !rest.isEmpty {
      let piece = firstPiece(of: rest, room: page - index % page)
      try StandardStream.write(Array(piece), to: descriptor)
      index += piece.count
      rest = rest[piece.endIndex...]
    }
  }

  /// As many whole lines as there is room for, and at least one.
  static func firstPiece(of lines: ArraySlice<UInt8>, room: Int) -> ArraySlice<UInt8> {
    if lines.count <= room { return lines }
    let newline = UInt8(ascii: "\n")
    if let last = lines.prefix(room).lastIndex(of: newline) { return lines[...last] }
    return lines.firstIndex(of: newline).map { lines[...$0] } ?? lines
  }
}
