import SKANReceive
import SKANSigning
import Testing

@Suite("Which postbacks were received before")
struct PostbackMemoryTests {
  private static let apple = ReceivedSignature(.valid, key: .apple)
  private static let simulated = ReceivedSignature(.valid, key: .simulated)
  private static let development = ReceivedSignature(.valid, key: .development)
  private static let forged = ReceivedSignature(.invalid, why: "it does not fit")

  /// Adds postbacks in turn; gives what each is, and the line that it repeats or contradicts.
  private func results(_ postbacks: [(String, ReceivedSignature)]) throws -> [String] {
    var memory = PostbackMemory()
    return try postbacks.enumerated().map { index, postback in
      let document = try Samples.document(postback.0)
      let (repetition, line) = memory.repetition(of: document, postback.1)
      memory.add(document, postback.1, line: index + 1)
      return line.map { "\(repetition) of \($0)" } ?? "\(repetition)"
    }
  }

  @Test("The same again is a duplicate, whatever was added on the way and however its id is written")
  func duplicates() throws {
    let text = Samples.text()
    let added = Samples.text(more: #","ip":"192.0.2.1","attribution-signature":"MEUC""#)
    #expect(
      try results([
        (text, Self.apple), (text, Self.apple), (added, Self.apple), (Samples.text(id: "17EEA21E"), Self.apple),
      ]) == ["first", "duplicate of 1", "duplicate of 1", "conflict of 1"])
  }

  @Test("Another value on a known postback is a conflict also when it verifies; what differs in its key is another")
  func conflicts() throws {
    #expect(
      try results([
        (Samples.text(), Self.apple), (Samples.text(value: 63), Self.apple), (Samples.text(value: nil), Self.apple),
        (Samples.text(index: 1), Self.apple), (Samples.text(network: "b.example"), Self.apple),
        (Samples.text(id: "2"), Self.apple), (Samples.text(value: 63), Self.apple),
      ]) == ["first", "conflict of 1", "conflict of 1", "first", "first", "first", "conflict of 1"])
  }

  @Test("A forgery does not take the genuine one's place, before it or after it")
  func forgeries() throws {
    let forgery = Samples.text(value: 63)
    #expect(
      try results([
        (forgery, Self.forged), (Samples.text(), Self.forged), (Samples.text(), Self.apple), (forgery, Self.forged),
        (Samples.text(), Self.forged), (Samples.text(), Self.apple),
      ]) == ["first", "conflict of 1", "first", "conflict of 3", "duplicate of 3", "duplicate of 3"])
  }

  @Test("What was not kept after all is forgotten, and nothing else")
  func forgotten() throws {
    var memory = PostbackMemory()
    let (first, second) = (try Samples.document(Samples.text()), try Samples.document(Samples.text(id: "2")))
    memory.add(first, Self.forged, line: 1)
    memory.settle()
    memory.add(first, Self.apple, line: 2)
    memory.add(first, Self.apple, line: 3)
    memory.add(second, Self.apple, line: 4)
    #expect(memory.repetition(of: first, Self.apple) == (.duplicate, 2) && memory.count == 2)
    memory.forgetLatest(after: 1)
    #expect(memory.repetition(of: first, Self.apple) == (.first, nil) && memory.count == 1)
    #expect(memory.repetition(of: first, Self.forged) == (.duplicate, 1))
    #expect(memory.repetition(of: second, Self.apple) == (.first, nil))
  }

  @Test("Apple's, development and simulated ones are apart")
  func keys() throws {
    #expect(
      try results([
        (Samples.text(value: 63), Self.simulated), (Samples.text(value: 5), Self.development),
        (Samples.text(), Self.apple), (Samples.text(), Self.simulated), (Samples.text(), Self.development),
      ]) == ["first", "first", "first", "conflict of 1", "conflict of 2"])
  }

  @Test("What tells no transaction is known by its text")
  func withoutTransaction() throws {
    #expect(
      try results([
        ("{}", Self.forged), (#"{"a":1}"#, Self.forged), ("{}", Self.forged),
        (#"{"version":"4.0"}"#, Self.forged), (#"{"version":"4.0"}"#, Self.forged),
      ]) == ["first", "first", "duplicate of 1", "first", "duplicate of 4"])
  }
}
