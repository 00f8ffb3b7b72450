import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Steps that are read ahead of their turn")
struct ReadAheadTests {
  /// Lines of every kind, many of them twice behind each other.
  private static let kinds = [
    #"{"op":"device","device":"a"}"#, #"{"op":"device","device":"b","ios":"16.1"}"#,
    #"{"op":"register","device":"a","at":1767225600}"#, #"{"op":"session","device":"b","after":"1h"}"#,
    #"{"device":"a","op":"event","name":"level_up"}"#, #"{"op":"event","device":"b","name":"\u0061 b","took":2}"#,
    #"{"op":"revenue","device":"a","amount":1.5,"currency":"EUR","ad_monetization":true}"#,
    #"{"op":"session","device":"nobody"}"#, #"{"op":"session","device":7}"#, #"{"op":"sesion"}"#, #"{"op":"session""#,
    #"["no step"]"#, "# a comment", "", "  ", #"{"op":"event","device":"a","name":"${word}"}"#,
    #"{"op":"event","device":"a","name":"${unknown}"}"#, #"{"op":"event","device":"a","name":"$${"}"#,
    #"{"op":"include","file":"other"}"#, #"{"op":"include","file":"none"}"#, #"{"op":"include","file":"array"}"#,
    #"{"op":"include","file":"other","skip":"not now"}"#, #"{"op":"details","device":"a","skip":"why"}"#,
  ]

  /// As it arrives in pieces of this many bytes.
  private static func source(_ text: String, pieces: Int) -> ByteSource {
    var rest = Array(text.utf8)[...]
    return ByteSource(isRegular: true) { buffer throws(SourceFailure) in
      let piece = rest.prefix(min(pieces, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  private static func lines(_ list: String, pieces: Int) throws -> [String] {
    var others = 0
    var options = ListReader.Options()
    options.variables = Variables(["word": "a \"quoted\" one"])
    options.open = { path throws(SourceFailure) in
      switch path {
      case "other": return source("# included\n" + kinds[2...6].joined(separator: "\n"), pieces: pieces)
      // No list: of what follows nothing is a step, nor declares a phone.
      case "array":
        return source("[\n" + kinds[0] + "\n" + #"{"op":"device","device":"nobody"}"# + "\n]", pieces: pieces)
      default: throw .missing
      }
    }
    options.seesOtherLine = { _ in others += 1 }
    let reader = ListReader("list", source(list, pieces: pieces), options)
    var reported: [String] = []
    var step = Step(.details)
    while let item = try reader.next(into: &step) {
      let line = reader.withCurrentLine { String(decoding: $0, as: UTF8.self) }
      switch item {
      case .step:
        reported.append("\(reader.location) \(others) \(step.device) \(step.operation) \(step.time as Any) \(line)")
      case .problems(let problems): reported.append("\(reader.location) \(others) \(problems)")
      }
    }
    reported.append("\(reader.declaresTooLate) \(others) \(reader.consumed)")
    return reported
  }

  @Test("What is read does not depend on how much of it is at hand", arguments: Rounds.of(10))
  func pieces(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var list: [String] = []
    for _ in 0..<200 {
      // Mostly steps, so that many are read ahead.
      let kind = random.next() % 4 > 0 ? Int(random.next() % 7) : Int(random.next() % UInt64(Self.kinds.count))
      list.append(Self.kinds[kind])
    }
    let text = list.joined(separator: "\n") + (seed % 2 == 0 ? "\n" : "")
    let whole = try Self.lines(text, pieces: .max)
    for pieces in [1, 100, 1000] { #expect(try Self.lines(text, pieces: pieces) == whole) }
    #expect(whole.count > 100)
  }

  @Test("Behind the first line of what is no list nothing is read")
  func noList() throws {
    for list in ["[\n" + Self.kinds[0..<3].joined(separator: "\n") + "\n]", "{\n" + Self.kinds[2] + "\n}"] {
      let lines = try read(list)
      #expect(lines.count == 1 && lines[0].step == nil && lines[0].problems.count == 1)
    }
  }

  @Test("A step of a pipe is given before the next line comes")
  func doesNotWait() throws {
    var pieces = [#"{"op":"register"}"# + "\n" + #"{"op":"session"}"# + "\n" + #"{"op":"#, #""session"}"# + "\n"]
    var reads = 0
    let reader = ListReader(
      "-",
      ByteSource(isRegular: false) { buffer throws(SourceFailure) in
        reads += 1
        guard !pieces.isEmpty else { return 0 }
        let piece = Array(pieces.removeFirst().utf8)
        buffer.copyBytes(from: piece)
        return piece.count
      })
    var step = Step(.details)
    var reported: [Int] = []
    while try reader.next(into: &step) != nil { reported.append(reads) }
    #expect(reported == [1, 1, 2])
  }
}
