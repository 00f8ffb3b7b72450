/// The numbers of the hash, for where each byte counts.
package enum FNV1a {
  @inline(__always)
  package static var offset: UInt64 { 0xCBF2_9CE4_8422_2325 }
  @inline(__always)
  package static var prime: UInt64 { 0x100_0000_01B3 }
}

/// The 64-bit FNV-1a hash of bytes, by Fowler, Noll and Vo.
///
/// - Parameter hash: that of what stands before the bytes.
package func fnv1a(_ bytes: some Sequence<UInt8>, after hash: UInt64 = FNV1a.offset) -> UInt64 {
  bytes.reduce(hash) { ($0 ^ UInt64($1)) &* FNV1a.prime }
}

/// The hash of a text's UTF-8 bytes.
///
/// - Parameter hash: that of what stands before the text.
package func fnv1a(_ text: String, after hash: UInt64 = FNV1a.offset) -> UInt64 {
  var text = text
  return text.withUTF8 { unsafe fnv1a($0, after: hash) }
}
