import SKANDevice

/// The phones of a list by their places, in blocks, so that a new one does not move all others.
final class PhoneTable {
  private static let blockSize = 256
  private var blocks: [UnsafeMutablePointer<Phone>] = []
  private(set) var count = 0
  /// Nobody reads it; what is looked at must go somewhere, or looking would be left out as useless.
  private var fetched: UInt64 = 0

  deinit {
    for (number, block) in blocks.enumerated() {
      block.deinitialize(count: min(Self.blockSize, count - number * Self.blockSize))
      block.deallocate()
    }
  }

  subscript(place: Int) -> Phone {
    @inline(__always) _read { yield pointer(place).pointee }
    @inline(__always) _modify { yield &pointer(place).pointee }
  }

  @inline(__always)
  private func pointer(_ place: Int) -> UnsafeMutablePointer<Phone> {
    precondition(place < count)
    return blocks[place / Self.blockSize] + place % Self.blockSize
  }

  func append(_ phone: Phone) {
    if count % Self.blockSize == 0 { blocks.append(.allocate(capacity: Self.blockSize)) }
    count += 1
    pointer(count - 1).initialize(to: phone)
  }

  /// Looks at everything that steps on these phones may need, all at once: one by one, as the steps come to it, they
  /// would wait for memory each time. It does not matter what the words mean that are looked at, gaps among them.
  func fetch(_ places: [Int]) {
    var found: UInt64 = 0
    for place in places where place < count {
      let phone = UnsafeRawPointer(pointer(place))
      for offset in stride(from: 0, to: Self.lastWord, by: Self.line) {
        found &+= phone.load(fromByteOffset: offset, as: UInt64.self)
      }
      found &+= phone.load(fromByteOffset: Self.lastWord, as: UInt64.self)
    }
    // Only now is it known where these are.
    for place in places where place < count { found &+= pointer(place).pointee.fetch() }
    fetched &+= found
  }

  /// Memory comes in pieces of so many bytes.
  private static let line = 64
  private static let lastWord = MemoryLayout<Phone>.stride - MemoryLayout<UInt64>.size
}
