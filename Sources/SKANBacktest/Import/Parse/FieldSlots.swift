/// The fields of a row that its mapping uses, each in its slot. They are borrowed from the row.
@safe final class FieldSlots {
  private let fields: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>

  init(_ count: Int) {
    unsafe fields = .allocate(capacity: max(count, 1))
    unsafe fields.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0), count: max(count, 1))
  }

  deinit { unsafe fields.deallocate() }

  @inline(__always)
  subscript(slot: Int) -> UnsafeBufferPointer<UInt8> {
    get { unsafe fields[slot] }
    set { unsafe fields[slot] = unsafe newValue }
  }

  /// The first of some slots that is not empty, else an empty one.
  @inline(__always)
  func first(of slots: [Int]) -> UnsafeBufferPointer<UInt8> {
    for slot in slots where unsafe fields[slot].count > 0 { return unsafe fields[slot] }
    return unsafe UnsafeBufferPointer(start: nil, count: 0)
  }
}
