/// Where the objects stand that were written last to a text, so that one that a value holds several times is written once
/// and then copied: a result holds what the app keeps before, during and after a step, which mostly is the same.
///
/// They are told apart by the memory of their members, which stays where it is while the value that holds them is written.
@safe struct WrittenObjects {
  /// The members of an object that is worth it.
  static let leastMembers = 3

  private var last: (address: UnsafeRawPointer, range: Range<Int>)?
  private var second: (address: UnsafeRawPointer, range: Range<Int>)?

  /// Where the same object stands in the text.
  @inline(__always)
  func range(of members: [(key: String, value: JSON)]) -> Range<Int>? {
    let address = unsafe Self.address(of: members)
    if let last = unsafe last, unsafe last.address == address { return unsafe last.range }
    if let second = unsafe second, unsafe second.address == address { return unsafe second.range }
    return nil
  }

  @inline(__always)
  mutating func add(_ members: [(key: String, value: JSON)], at range: Range<Int>) {
    guard let address = unsafe Self.address(of: members) else { return }
    unsafe second = unsafe last
    unsafe last = unsafe (address, range)
  }

  @inline(__always)
  private static func address(of members: [(key: String, value: JSON)]) -> UnsafeRawPointer? {
    unsafe members.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe UnsafeRawPointer($0) } }
  }
}
