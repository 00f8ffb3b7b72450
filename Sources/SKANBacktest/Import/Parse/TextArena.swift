/// Memory for the texts of one row that are not in the input as they are meant: fields with doubled quotes, strings with
/// escapes.
@safe struct TextArena: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  private var used = 0

  deinit { unsafe memory?.deallocate() }

  /// From here on the texts of the row before are gone.
  @inline(__always)
  mutating func clear() { used = 0 }

  /// Makes room for texts of a row; before it has any.
  mutating func reserve(_ bytes: Int) {
    if bytes <= capacity || used > 0 { return }
    unsafe memory?.deallocate()
    unsafe memory = .allocate(capacity: bytes)
    capacity = bytes
  }

  /// A copy of a text, or an empty one when there is no room: a row's texts are never longer than the row.
  mutating func copy(_ text: some Sequence<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let memory = unsafe memory else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    let start = unsafe memory + used
    var count = 0
    for byte in text where used + count < capacity {
      unsafe start[count] = byte
      count += 1
    }
    used += count
    return unsafe UnsafeBufferPointer(start: start, count: count)
  }

  /// A field without the first of each two quotes.
  mutating func unquoted(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let quote = UInt8(ascii: "\"")
    guard let memory = unsafe memory else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    let start = unsafe memory + used
    var (index, count) = (0, 0)
    while index < text.count, used + count < capacity {
      unsafe start[count] = unsafe text[index]
      index += unsafe text[index] == quote ? 2 : 1
      count += 1
    }
    used += count
    return unsafe UnsafeBufferPointer(start: start, count: count)
  }
}
