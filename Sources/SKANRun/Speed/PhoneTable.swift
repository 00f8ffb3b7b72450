import SKANDevice

/// The phones of a list by their index, in blocks, so that a new one does not move the others.
@safe final class PhoneTable {
  private static let blockSize = 256
  private var blocks: [UnsafeMutablePointer<Phone>] = unsafe []
  private(set) var count = 0
  /// Keeps the loads of ``touch(_:)`` from being optimized away; never read.
  private var touched: UInt64 = 0

  deinit {
    for number in unsafe blocks.indices {
      let block = unsafe blocks[number]
      unsafe block.deinitialize(count: min(Self.blockSize, count - number * Self.blockSize))
      unsafe block.deallocate()
    }
  }

  subscript(index: Int) -> Phone {
    @inline(__always) _read { yield unsafe pointer(index).pointee }
    @inline(__always) _modify { yield unsafe &pointer(index).pointee }
  }

  @inline(__always)
  private func pointer(_ index: Int) -> UnsafeMutablePointer<Phone> {
    precondition(index < count)
    return unsafe blocks[index / Self.blockSize] + index % Self.blockSize
  }

  func append(_ phone: Phone) {
    if count % Self.blockSize == 0 { unsafe blocks.append(.allocate(capacity: Self.blockSize)) }
    count += 1
    unsafe pointer(count - 1).initialize(to: phone)
  }

  /// Loads one word of every cache line that steps on these phones may need, so that the waits for memory overlap. The
  /// values do not matter, padding included.
  func touch(_ indices: [Int]) {
    var found: UInt64 = 0
    for index in indices where index < count {
      let phone = unsafe UnsafeRawPointer(pointer(index))
      for offset in stride(from: 0, to: Self.lastWord, by: Self.cacheLine) {
        unsafe found &+= phone.load(fromByteOffset: offset, as: UInt64.self)
      }
      unsafe found &+= phone.load(fromByteOffset: Self.lastWord, as: UInt64.self)
    }
    // The phones are here now, and so are the references in them.
    for index in indices where index < count { unsafe found &+= pointer(index).pointee.touch() }
    touched &+= found
  }

  /// Bytes.
  private static let cacheLine = 64
  private static let lastWord = MemoryLayout<Phone>.stride - MemoryLayout<UInt64>.size
}
