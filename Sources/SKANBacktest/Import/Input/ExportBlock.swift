/// Whole records of a part of an export, which can be parsed on any thread.
@safe package final class ExportBlock: @unchecked Sendable {
  /// How many bytes behind the records can be read; the first is a line end.
  static let padding = 16

  package let layout: ExportLayout
  /// The line of its first record, from 1.
  package let firstLine: Int
  /// Immutable once the block is made.
  let start: UnsafeMutablePointer<UInt8>
  package let count: Int

  /// - Parameter start: allocated with ``padding`` bytes more; the block owns it from then on.
  init(_ layout: ExportLayout, firstLine: Int, start: UnsafeMutablePointer<UInt8>, count: Int) {
    self.layout = layout
    self.firstLine = firstLine
    unsafe self.start = unsafe start
    self.count = count
    unsafe (start + count).update(repeating: UInt8(ascii: "\n"), count: Self.padding)
  }

  deinit { unsafe start.deallocate() }
}
