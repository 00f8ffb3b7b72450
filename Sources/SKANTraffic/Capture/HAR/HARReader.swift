import SKANRun

/// Reads a HAR of any size, entry by entry.
struct HARReader {
  /// As much is read at a time.
  private static let chunk = 1 << 18

  private var scanner = HARScanner()
  private let file: String
  /// The number of the last entry.
  private var entry = 0

  init(file: String) { self.file = file }

  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - skipped: how many bytes at the beginning are a byte order mark.
  ///   - take: gets each entry; nil for one that is too long to be kept.
  /// - Returns: why the file ends there; nil for a whole one.
  mutating func read(
    _ source: ByteSource, skipping skipped: Int, take: (UnsafeBufferPointer<UInt8>?, CaptureLocation) -> Void
  ) throws(SourceFailure) -> CaptureProblem? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 8)
    defer { unsafe buffer.deallocate() }
    var skipped = skipped
    while true {
      let count = try unsafe source.read(buffer)
      if count == 0 { break }
      let chunk = unsafe UnsafeBufferPointer(buffer.bindMemory(to: UInt8.self))
      let bytes = unsafe UnsafeBufferPointer(rebasing: chunk[min(skipped, count)..<count])
      skipped = max(0, skipped - count)
      unsafe scanner.scan(bytes) { found, line in
        entry += 1
        unsafe take(found, CaptureLocation(file: file, entry: entry, line: line))
      }
      if scanner.stage == .broken { break }
    }
    return end
  }

  /// Why there is nothing more to read.
  private var end: CaptureProblem? {
    let read = "the \(entry == 1 ? "entry" : "\(entry) entries") before it \(entry == 1 ? "is" : "are") read"
    // It is about the file, and about none of its entries.
    let location = CaptureLocation(file: file, entry: 0, line: scanner.line)
    switch scanner.stage {
    case .afterRoot:
      return scanner.hasEntries
        ? nil : CaptureProblem("a HAR has \"log\" with \"entries\"; this file has none", at: location)
    case .broken: return CaptureProblem("this is not JSON from here on; \(read)", at: location)
    case .beforeRoot, .inside:
      guard let first = scanner.openEntry else {
        return CaptureProblem("the file ends too early; \(read)", at: location)
      }
      return CaptureProblem(
        "the file ends within entry \(entry + 1), which begins on line \(first); \(read)", at: location)
    }
  }
}
