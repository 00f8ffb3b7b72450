import Foundation
import Synchronization
import Testing

@testable import SKANBase

@Suite("A document that is read again")
struct JSONDocumentTests {
  #if DEBUG
    @Test("A node of an earlier text traps")
    func staleNode() async {
      await #expect(processExitsWith: .failure) {
        let document = JSONDocument()
        try Array("[1]".utf8).withUnsafeBufferPointer { try document.read($0) }
        let node = document.root
        try Array("[2]".utf8).withUnsafeBufferPointer { try document.read($0) }
        _ = node.kind
      }
    }
  #endif

  @Test("The padding moves with the end of the text, whatever stood there before")
  func padding() {
    var bytes = PaddedBytes(capacity: 0)
    defer { bytes.deallocate() }
    for length in [100, 7, 0, 300, 8] {
      Array(repeating: UInt8(ascii: "x"), count: length).withUnsafeBufferPointer { bytes.assign($0) }
      #expect(bytes.count == length && bytes.word(at: length) == 0)
      if length > 0 { #expect(bytes.word(at: length - 1) == UInt64(UInt8(ascii: "x"))) }
    }
  }
}
