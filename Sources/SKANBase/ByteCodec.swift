/// Writes values as consecutive bytes for a ``ByteReader`` that reads them in the same order: records in temporary
/// files, and the frames between processes of one version on one machine.
///
/// Fixed-width integers are in the machine's byte order, floating-point numbers are their bit patterns. Other integers,
/// and the counts of texts and collections, have seven bits per byte, the lowest first.
///
/// The first bytes are on the stack, so that a short record allocates no memory.
///
/// Public, because only members of a public type are inlined into other modules.
@safe public struct ByteWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  /// The number of bytes written.
  @usableFromInline package var count = 0
  /// Whether this writer allocated its memory; otherwise the memory is on the stack.
  private var isOwner = false

  @inline(__always)
  fileprivate init(on stack: UnsafeMutableRawBufferPointer) {
    // A buffer of a positive size has an address.
    unsafe start = stack.baseAddress.unsafelyUnwrapped
    capacity = stack.count
  }

  /// A writer that allocates its memory and keeps it when it is emptied.
  package init() {
    capacity = 256
    unsafe start = .allocate(byteCount: capacity, alignment: 8)
    isOwner = true
  }

  deinit { if isOwner { unsafe start.deallocate() } }

  /// Removes all bytes and keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// The bytes so far, valid until the next change.
  @inline(__always)
  package var written: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }

  /// Makes room for `more` bytes.
  @inlinable
  mutating func reserve(_ more: Int) { if capacity - count < more { grow(by: more) } }

  @inline(never) @usableFromInline
  mutating func grow(by more: Int) {
    let larger = max(2 * capacity, count + more)
    let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    unsafe new.copyMemory(from: start, byteCount: count)
    if isOwner { unsafe start.deallocate() }
    unsafe (start, capacity, isOwner) = (new, larger, true)
  }

  // Writes an integer in as many bytes as its type has. Not generic, because other modules would call it unspecialized.
  @inlinable package mutating func put(fixed value: UInt8) { store(value) }
  @inlinable package mutating func put(fixed value: UInt16) { store(value) }
  @inlinable package mutating func put(fixed value: UInt32) { store(value) }
  @inlinable package mutating func put(fixed value: UInt64) { store(value) }
  @inlinable package mutating func put(fixed value: Int64) { store(value) }

  @inlinable
  mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    reserve(MemoryLayout<Value>.size)
    unsafe start.storeBytes(of: value, toByteOffset: count, as: Value.self)
    count += MemoryLayout<Value>.size
  }

  // Replaces the integer that was written at an offset.
  @inlinable package mutating func replace(at offset: Int, fixed value: UInt32) { restore(value, at: offset) }
  @inlinable package mutating func replace(at offset: Int, fixed value: Int64) { restore(value, at: offset) }

  @inlinable
  mutating func restore<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
    unsafe start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  @inlinable
  package mutating func put(_ value: Double) { put(fixed: value.bitPattern) }

  package mutating func put(_ value: Bool) { put(fixed: UInt8(value ? 1 : 0)) }

  package mutating func put(_ value: Int) { put(UInt64(bitPattern: Int64(value))) }

  package mutating func put(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      put(fixed: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(fixed: UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a text's byte count and its UTF-8 bytes.
  package mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { unsafe put($0) }
  }

  /// Writes the count of the bytes and the bytes.
  package mutating func put(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe put($0) } }

  /// Writes the count of the bytes and the bytes.
  package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    put(bytes.count)
    unsafe putPlain(bytes)
  }

  /// Writes bytes without their count.
  package mutating func putPlain(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let address = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (start + count).copyMemory(from: address, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func putPlain(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe putPlain($0) } }

  /// Writes a value that may be absent.
  package mutating func put<Value>(_ value: Value?, _ put: (inout ByteWriter, Value) -> Void) {
    self.put(value != nil)
    if let value { put(&self, value) }
  }

  /// Writes the count of the values and the values.
  package mutating func put<Value>(all values: some Collection<Value>, _ put: (inout ByteWriter, Value) -> Void) {
    self.put(values.count)
    for value in values { put(&self, value) }
  }
}

extension [UInt8] {
  /// The bytes that `write` writes.
  package init(writing write: (inout ByteWriter) -> Void) {
    self = unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { stack in
      var writer = unsafe ByteWriter(on: stack)
      write(&writer)
      return unsafe Array(writer.written)
    }
  }
}

/// Reads the values that a ``ByteWriter`` wrote.
///
/// After bytes that no writer writes it ``isBroken`` and every further value is zero or empty, so a caller checks once,
/// at the end. No count makes it read or allocate more than there are bytes.
///
/// Public, because only members of a public type are inlined into other modules.
@safe public struct ByteReader {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  @usableFromInline package var offset: Int
  /// Whether the bytes end within a value, or do not encode one.
  @usableFromInline package var isBroken = false

  /// - Parameter bytes: valid as long as the reader is used.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    unsafe self.bytes = bytes
    self.offset = offset
  }

  /// The number of bytes left.
  @inlinable
  package var rest: Int { unsafe bytes.count - offset }

  /// Marks the bytes as broken; a caller uses it for a value that no ``ByteWriter`` writes.
  @inlinable
  package mutating func fail() {
    isBroken = true
    unsafe offset = bytes.count
  }

  // Reads an integer of as many bytes as its type has.
  @inlinable package mutating func fixed(_ type: UInt8.Type = UInt8.self) -> UInt8 { load() }
  @inlinable package mutating func fixed(_ type: UInt16.Type = UInt16.self) -> UInt16 { load() }
  @inlinable package mutating func fixed(_ type: UInt32.Type = UInt32.self) -> UInt32 { load() }
  @inlinable package mutating func fixed(_ type: UInt64.Type = UInt64.self) -> UInt64 { load() }
  @inlinable package mutating func fixed(_ type: Int64.Type = Int64.self) -> Int64 { load() }

  @inlinable
  mutating func load<Value: FixedWidthInteger & BitwiseCopyable>() -> Value {
    guard rest >= MemoryLayout<Value>.size else {
      fail()
      return 0
    }
    defer { offset += MemoryLayout<Value>.size }
    return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  @inlinable
  package mutating func double() -> Double { Double(bitPattern: fixed()) }

  package mutating func flag() -> Bool {
    let byte = fixed(UInt8.self)
    if byte > 1 { fail() }
    return byte == 1
  }

  package mutating func number() -> Int { Int(truncatingIfNeeded: word()) }

  package mutating func word() -> UInt64 {
    var (word, shift) = (UInt64(0), UInt64(0))
    while true {
      let next = fixed(UInt8.self)
      word |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return isBroken ? 0 : word }
      shift += 7
      // The next bits would be beyond a 64-bit word.
      if shift > 63 { fail() }
    }
  }

  package mutating func text() -> String { unsafe String(decoding: slice(number()), as: UTF8.self) }

  package mutating func data() -> [UInt8] { unsafe Array(slice(number())) }

  /// The next bytes, unchanged.
  @inlinable
  package mutating func slice(_ count: Int) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest else {
      fail()
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset])
    }
    defer { offset += count }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// A value that may be absent.
  package mutating func optional<Value>(_ read: (inout ByteReader) -> Value) -> Value? { flag() ? read(&self) : nil }

  /// Values after their count; each takes at least one byte.
  package mutating func all<Value>(_ read: (inout ByteReader) -> Value) -> [Value] {
    let count = number()
    if count < 0 || count > rest { fail() }
    var values: [Value] = []
    while values.count < count, !isBroken { values.append(read(&self)) }
    return values
  }
}

extension [UInt8] {
  /// The value that `read` reads; nil if the bytes are broken.
  package func reading<Value>(_ read: (inout ByteReader) -> Value) -> Value? {
    unsafe withUnsafeBytes { bytes in
      var reader = unsafe ByteReader(bytes)
      let value = read(&reader)
      return reader.isBroken ? nil : value
    }
  }
}
