import Foundation
import Testing

@testable import SKANBase

@Suite("Characters, by a plain list")
struct HiddenCharacterTests {
  private static let hidden: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200B,
    0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3,
    0x1D173...0x1D17A, 0xE0000...0xE0FFF,
  ]

  private static func mayHide(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { $0.mayHide(at: 0) }
  }

  @Test(
    "Exactly these are hidden, and the quick look at their bytes misses none, and takes none of plain texts for one")
  func hidden() {
    let values: [ClosedRange<UInt32>] = [
      0...0xFFFF, 0x1BC00...0x1BD00, 0x1D100...0x1D200, 0x1F600...0x1F650, 0xDFF00...0xE1100,
    ]
    var (wrong, missed): ([UInt32], [UInt32]) = ([], [])
    for value in values.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isHidden = Self.hidden.contains { $0.contains(value) }
      if scalar.isHidden != isHidden { wrong.append(value) }
      if isHidden, value >= 0x80, !Self.mayHide(Array(String(scalar).utf8)) { missed.append(value) }
    }
    #expect(wrong.isEmpty && missed.isEmpty)
    // Their neighbours are not taken for one, where a byte tells them apart.
    let plain: [UInt32] = [
      0xA0, 0xAC, 0xAE, 0xE9, 0x34E, 0x350, 0x61B, 0x61D, 0x17FF, 0x1840, 0x200A, 0x200C, 0x200D, 0x2010, 0x2027,
      0x202F, 0x205F, 0x20AC, 0x6F22, 0xFEBF, 0xFF00, 0x1A000, 0x1F600,
    ]
    for value in plain {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(!Self.mayHide(Array(String(scalar).utf8)), "\(value)")
    }
    // At the end of a buffer, where the rest is missing.
    for cut in [[0xC2], [0xE2], [0xE2, 0x80], [0xCD], [0xD8], [0xF3]] as [[UInt8]] {
      #expect(Self.mayHide(cut) == (cut == [0xC2]), "\(cut)")
    }
  }
}
