import Foundation
import SKANBase
import SKANDevice
import Testing

@testable import SKANSigning

/// What is read, at each of its edges.
@Suite("Keys and signatures at their edges")
struct KeyEdgeTests {
  private static func isRefused(_ der: [UInt8]) -> Bool {
    do throws(KeyProblem) { _ = try PublicKey(Data(der).base64EncodedString()) } catch { return true }
    return false
  }

  @Test("Of both forms of a public key each byte before the point counts, and the length")
  func forms() throws {
    let (whole, short) = (try PublicKey(TestKeys.publicBase64).der, try PublicKey(TestKeys.compressed).der)
    #expect(!Self.isRefused(whole) && !Self.isRefused(short))
    for (der, prefix) in [(whole, 27), (short, 26)] {
      for index in 0..<prefix {
        var other = der
        other[index] ^= 1
        #expect(Self.isRefused(other), "\(index) of \(der.count)")
      }
      #expect(Self.isRefused(der + [0]) && Self.isRefused(Array(der.dropLast())))
    }
    // A compressed point begins with the sign of its y.
    for first in UInt8.min...UInt8.max {
      var other = short
      other[26] = first
      #expect(Self.isRefused(other) == (first != 2 && first != 3), "\(first)")
    }
  }

  @Test("Lines of a key file, with white space around them or not")
  func lines() throws {
    let key = try PublicKey(TestKeys.publicBase64)
    for (before, after) in [("", " "), (" ", ""), ("\t", " \t"), ("  ", "\t")] {
      let lines = TestKeys.publicPEM.split(separator: "\n").map { "\(before)\($0)\(after)" }
      #expect(try PublicKey(lines.joined(separator: "\n")) == key, "\(before)|\(after)")
    }
    #expect(PEMBlock.blocks(in: "-----BEGIN -----\nAAAA\n-----END -----\n").isEmpty)
    let shortest = PEMBlock.blocks(in: "-----BEGIN A-----\nAAAA\n-----END B-----\nAAAA\n-----END A-----\n")
    #expect(shortest.map(\.label) == ["A"] && shortest.first?.der == nil)
    let two = PEMBlock.blocks(in: TestKeys.pem("A", "AAAA") + "between\n" + TestKeys.pem("B", "AQID"))
    #expect(two.map(\.label) == ["A", "B"] && two.map(\.der) == [[0, 0, 0], [1, 2, 3]])
    for count in [0, 1, 47, 48, 49, 96, 97] {
      let der = [UInt8](repeating: 7, count: count)
      #expect(
        PEMBlock.text("X", der) == TestKeys.pem("X", Data(der).base64EncodedString()).replacing("\n\n", with: "\n"))
    }
  }

  @Test("A private key is as long as it may be, or one byte longer; the name of its curve alone is enough to know it")
  func lengths() {
    let curve: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    for (count, expected) in [(10, nil), (11, nil), (2048, nil), (2049, .tooLong(2049))] as [(Int, KeyProblem?)] {
      let zeros = [UInt8](repeating: 0, count: count - curve.count)
      for der in [curve + zeros, zeros + curve] {
        var problem: KeyProblem?
        do throws(KeyProblem) {
          _ = try PrivateKey(pem: TestKeys.pem("PRIVATE KEY", Data(der).base64EncodedString()))
        } catch { problem = error }
        #expect(problem == expected, "\(count)")
      }
    }
  }

  @Test("The numbers of a signature as DER and back, with every first byte")
  func numbers() {
    var random = SplitMix64(seed: 4)
    for first in UInt8.min...UInt8.max {
      for zeros in [0, 1, 30, 31] {
        let half =
          [UInt8](repeating: 0, count: zeros) + [first] + (zeros..<31).map { _ in UInt8(random.next() % 255 + 1) }
        guard half.contains(where: { $0 != 0 }) else { continue }
        for numbers in [half + Array(half.reversed()), Array(half.reversed()) + half] {
          let der = SignatureForm.der(ofNumbers: numbers)
          #expect(SignatureForm.fault(der) == nil, "\(numbers)")
          #expect(SignatureForm.numbers(of: der) == numbers, "\(numbers)")
        }
      }
    }
    let none = SignatureForm.der(ofNumbers: [UInt8](repeating: 0, count: 64))
    #expect(none == [0x30, 6, 2, 1, 0, 2, 1, 0] && SignatureForm.fault(none) == "its number r is 0")
    // A length of more than seven bits has another form.
    #expect(
      SignatureForm.fault([0x30, 0x80] + [UInt8](repeating: 2, count: 128)) == "its length is not that of its content")
  }
}
