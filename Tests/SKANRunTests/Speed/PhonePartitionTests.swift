import SKANDevice
import Testing

@testable import SKANRun

@Suite("Parts of a list's phones")
struct PhonePartitionTests {
  private func phone(_ line: String) -> String? {
    let bytes = Array(line.utf8)
    return bytes.withUnsafeBufferPointer { PhonePartition.phone(ofLine: $0) }.map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
  }

  @Test(
    "The name that a line shows",
    arguments: [
      (#"{"op":"session","device":"a"}"#, "a"), (#"{"device":"","op":"session"}"#, ""),
      (#"{"name":"device","device":"é","at":1}"#, "é"), (#"{"name":"device:","device":"b"}"#, "b"),
      (#"{"op":"session","device":"c","label":"\"device\":\"d\"","expect":{"device":"e"}}"#, "c"),
    ])
  func name(line: String, name: String) {
    #expect(phone(line) == name)
  }

  @Test(
    "A line that does not show it",
    arguments: [
      "", "{", #"{"op":"session"}"#, #"{"device": "a"}"#, #"{"device":"a"#, #"{"device":"a\n"}"#, #"{"device":"${A}"}"#,
      #"{"label":"\"device\":\"d\"","device":"c"}"#, #"{"expect":{"device":"e"},"device":"c"}"#, #"["device":"c"]"#,
      #"{"name":"\\","device":"c"}"#, #" {"device":"a"}"#, #"{"device":"#,
    ])
  func hidden(line: String) {
    #expect(phone(line) == nil)
  }

  @Test("Each phone belongs to one part, and the line says the same as the name", arguments: 1...7)
  func parts(count: Int) {
    var sizes = [Int](repeating: 0, count: count)
    for number in 0..<1000 {
      let name = "phone-\(number)"
      let owners = (0..<count).filter { PhonePartition($0, of: count).contains(name.utf8) }
      #expect(owners.count == 1)
      let line = Array(#"{"device":"\#(name)"}"#.utf8)
      for part in 0..<count {
        let isContained = line.withUnsafeBufferPointer {
          PhonePartition(part, of: count).containsPhone(ofLine: $0)
        }
        #expect(isContained == owners.contains(part))
      }
      for owner in owners { sizes[owner] += 1 }
    }
    #expect(sizes.allSatisfy { $0 * count > 700 })
  }

  @Test("Whether a list is worth the threads")
  func divides() {
    let many = (0..<100).map { #"{"op":"session","device":"p\#($0)"}"# + "\n" }
    let texts: [(String, Bool)] = [
      (many.joined(), true), ("# comment\n\n" + many.joined(), true), ("", false),
      (String(repeating: many[0], count: 100), false),
      (many.joined() + String(repeating: "{\"op\":\"session\"}\n", count: 40), false),
      // The last line may be cut anywhere.
      (many.joined() + #"{"op":"#, true),
    ]
    for (text, isDivided) in texts { #expect(PhonePartition.divides(Array(text.utf8), into: 2) == isDivided) }
  }
}
