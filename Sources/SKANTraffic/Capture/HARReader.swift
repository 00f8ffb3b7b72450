import SKANBase
import SKANRun

/// Reads a HAR of any size, entry by entry.
struct HARReader {
  /// The bytes that are read at a time.
  private static let chunk = 1 << 18

  private var scanner = HARScanner()
  private let file: String
  /// The number of the last entry.
  private var entry = 0

  init(file: String) { self.file = file }

  /// Reads the file to its end.
  ///
  /// - Parameters:
  ///   - skipped: the length of the byte order mark.
  ///   - take: receives each entry; nil for one that is too long.
  /// - Returns: why the file ends early; nil for a complete file.
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

  /// The problem at the end of the file; nil for a complete file.
  private var end: CaptureProblem? {
    let read = "the \(entry == 1 ? "entry" : "\(entry) entries") before it \(entry == 1 ? "is" : "are") read"
    // The location is the file's, not an entry's.
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

/// Finds the entries of a HAR (`log.entries[]`) in chunks of bytes, without parsing the whole file and with at most one
/// entry in memory. Keys may be in any order. ``HAREntryReader`` reads the entries.
struct HARScanner {
  /// The most bytes of a text in an entry; longer ones, such as another host's images, are left out.
  static let longestText = 1 << 20
  /// The most bytes of an entry without its long texts; longer ones are not requests to Singular.
  static let longestEntry = 64 << 20

  /// The position in the structure of the file.
  enum Stage: Equatable {
    case beforeRoot, inside
    /// After the end of the root object.
    case afterRoot
    /// After invalid JSON.
    case broken
  }

  private(set) var stage = Stage.beforeRoot
  /// Whether there was an array of entries.
  private(set) var hasEntries = false
  /// The current line, from 1.
  private(set) var line = 1
  /// The first line of the open entry; nil outside of entries.
  private(set) var openEntry: Int?
  private var depth = 0
  private var isInText = false
  /// Whether the previous chunk ended with a backslash in a text.
  private var isEscaped = false
  private var isInLog = false
  private var isInEntries = false
  /// The beginning of the last text outside of entries, which is the key of the next object or array.
  private var key: [UInt8] = []
  /// The part of the open entry in previous chunks.
  private var pending: [UInt8] = []
  /// The offset of the open text in ``pending``.
  private var textStart = 0
  /// Whether the rest of the open text is left out.
  private var isSkipping = false
  /// Whether the open entry is too long.
  private var isTooLong = false

  /// Scans the next bytes.
  ///
  /// - Parameter take: receives each entry that ends in them, nil for one that is too long, and its first line.
  mutating func scan(_ chunk: UnsafeBufferPointer<UInt8>, take: (UnsafeBufferPointer<UInt8>?, _ line: Int) -> Void) {
    var index = 0
    // Where the part of the open entry to keep begins in this chunk; nil within a text that is left out.
    var kept: Int? = isSkipping ? nil : 0
    let count = chunk.count
    while index < count {
      if isInText {
        guard let end = unsafe endOfText(chunk, from: index) else {
          if openEntry == nil { unsafe note(chunk[index...]) }
          break
        }
        if openEntry == nil { unsafe note(chunk[index..<end]) }
        if isSkipping { (isSkipping, kept) = (false, end) }
        isInText = false
        index = end + 1
        continue
      }
      let byte = unsafe chunk[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        isInText = true
        isEscaped = false
        if openEntry != nil { textStart = pending.count + index - (kept ?? 0) } else { key.removeAll() }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 3, isInEntries, openEntry == nil {
          openEntry = line
          kept = index - 1
        }
        open(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        close()
        guard let first = openEntry, depth == 3 else { break }
        let entry = unsafe chunk[(kept ?? index)..<index]
        if isTooLong {
          take(nil, first)
        } else if pending.isEmpty {
          unsafe take(UnsafeBufferPointer(rebasing: entry), first)
        } else {
          unsafe pending.append(contentsOf: entry)
          unsafe pending.withUnsafeBufferPointer { unsafe take($0, first) }
        }
        pending.removeAll(keepingCapacity: pending.count <= Self.longestText)
        (openEntry, isTooLong) = (nil, false)
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: if depth == 0 { stage = .broken }
      }
      if stage == .broken { return }
    }
    guard openEntry != nil, let kept else { return }
    unsafe keep(chunk[kept...])
  }

  /// The index of the quote that ends the open text; nil when the text continues after the chunk.
  private mutating func endOfText(_ chunk: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = chunk.baseAddress else { return nil }
    var from = start
    if isEscaped {
      isEscaped = false
      from += 1
    }
    let first = from
    while from < chunk.count {
      guard let distance = unsafe (base + from).offset(of: UInt8(ascii: "\""), within: chunk.count - from) else {
        break
      }
      let quote = from + distance
      if unsafe Self.backslashes(chunk[first..<quote]) % 2 == 0 { return quote }
      from = quote + 1
    }
    // A quote may follow in the next chunk, so count the backslashes at the end.
    isEscaped = unsafe first < chunk.count && Self.backslashes(chunk[first...]) % 2 == 1
    return nil
  }

  /// The number of backslashes at the end.
  private static func backslashes(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var index = unsafe text.endIndex
    while unsafe index > text.startIndex && text.base[index - 1] == UInt8(ascii: "\\") { index -= 1 }
    return unsafe text.endIndex - index
  }

  private mutating func note(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    if unsafe key.count + text.count <= 16 { unsafe key.append(contentsOf: text) } else { key = [0] }
  }

  private mutating func open(_ bracket: UInt8) {
    if depth == 0 {
      guard stage == .beforeRoot, bracket == UInt8(ascii: "{") else { return stage = .broken }
      stage = .inside
    } else if openEntry == nil {
      let isObject = bracket == UInt8(ascii: "{")
      if depth == 1 { isInLog = isObject && key.elementsEqual("log".utf8) }
      if depth == 2, isInLog, !isObject, key.elementsEqual("entries".utf8) {
        isInEntries = true
        hasEntries = true
      }
    }
    depth += 1
  }

  private mutating func close() {
    guard depth > 0 else { return stage = .broken }
    depth -= 1
    if depth == 2 { isInEntries = false }
    if depth == 0 { stage = .afterRoot }
  }

  /// Keeps a part of the open entry; of a long text only the quotes.
  private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    if isTooLong { return }
    unsafe pending.append(contentsOf: bytes)
    if isInText, pending.count - textStart > Self.longestText {
      pending.removeSubrange(textStart...)
      isSkipping = true
    }
    if pending.count > Self.longestEntry {
      isTooLong = true
      pending = []
    }
  }
}
