import Foundation
import Synchronization
import Testing

@testable import SKANBase

private final class Found: Sendable {
  let error = Mutex<JSONError?>(nil)
}

/// Reads a text as the program does, on a stack of a main thread's size: a debug build's 512 levels do not fit the half
/// megabyte that tests run on.
private func error(in text: String, dialect: JSONDialect = .strict) -> JSONError? {
  let shared = Found()
  let ended = DispatchSemaphore(value: 0)
  let thread = Thread {
    do throws(JSONError) {
      _ = try JSONReader.read(Array(text.utf8), dialect: dialect)
    } catch {
      shared.error.withLock { $0 = error }
    }
    ended.signal()
  }
  thread.stackSize = 8 << 20
  thread.start()
  ended.wait()
  return shared.error.withLock { $0 }
}

@Suite("JSON reader: limits")
struct JSONReaderLimitTests {
  /// The opening and closing text of one level.
  enum Bracket: CaseIterable {
    case array, object, mixed

    func text(depth: Int, closed: Bool) -> String {
      let pair: (open: String, close: String)
      switch self {
      case .array: pair = ("[", "]")
      case .object: pair = (#"{"a":"#, "}")
      case .mixed: pair = (#"[{"a":"#, "}]")
      }
      let count = self == .mixed ? depth / 2 : depth
      let core = self == .array ? "" : "1"
      return String(repeating: pair.open, count: count) + core
        + (closed ? String(repeating: pair.close, count: count) : "")
    }
  }

  @Test("512 brackets are read", arguments: Bracket.allCases, [1, 511, 512])
  func deep(bracket: Bracket, depth: Int) {
    for dialect in [JSONDialect.strict, .phone] {
      #expect(error(in: bracket.text(depth: depth, closed: true), dialect: dialect) == nil)
    }
  }

  @Test("The 513th is refused where it stands", arguments: [JSONDialect.strict, .phone])
  func tooDeep(dialect: JSONDialect) {
    let problem = JSONError.Problem.tooDeep(512)
    #expect(
      error(in: Bracket.array.text(depth: 513, closed: true), dialect: dialect)
        == JSONError(problem: problem, offset: 512))
    #expect(
      error(in: Bracket.object.text(depth: 513, closed: true), dialect: dialect)
        == JSONError(problem: problem, offset: 512 * 5))
  }

  @Test("100,000 brackets are no crash", arguments: Bracket.allCases, [true, false])
  func veryDeep(bracket: Bracket, closed: Bool) {
    #expect(error(in: bracket.text(depth: 100_000, closed: closed), dialect: .phone)?.problem == .tooDeep(512))
  }

  @Test("Depth counts what is open, not what was")
  func siblings() throws {
    let text = "[" + Array(repeating: "[[]]", count: 2000).joined(separator: ",") + "]"
    guard case .array(let items) = try JSONReader.read(Array(text.utf8)).value else {
      Issue.record("no array")
      return
    }
    #expect(items.count == 2000)
  }

  @Test("A trailing comma does not count as a level")
  func trailingCommas() {
    let text = String(repeating: "[", count: 512) + String(repeating: "],", count: 511) + "]"
    #expect(error(in: text, dialect: .phone) == nil)
  }

  @Test("A string of a megabyte, with and without escapes", arguments: ["a", "é", "\\n", "\\u00e9"])
  func long(piece: String) throws {
    let text = "\"" + String(repeating: piece, count: 1 << 17) + "\""
    guard case .string(let string) = try JSONReader.read(Array(text.utf8)).content else {
      Issue.record("no string")
      return
    }
    #expect(string.unicodeScalars.count == 1 << 17)
  }

  @Test("Every truncation of a document is an error, never a crash")
  func truncated() throws {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00é",true,null,{"b":{}}],"c":"\\"}"#.utf8)
    _ = try JSONReader.read(text)
    for count in 0..<text.count {
      let error = #expect(throws: JSONError.self) { try JSONReader.read(text.prefix(count), dialect: .phone) }
      #expect(try #require(error).offset <= count)
    }
  }

  @Test("Every changed byte of a document is read or refused, never a crash")
  func changed() {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9é",true,null],"c":{}}"#.utf8)
    for index in text.indices {
      for byte in [0x00, 0x22, 0x2C, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] as [UInt8] {
        var bytes = text
        bytes[index] = byte
        do throws(JSONError) { _ = try JSONReader.read(bytes, dialect: .phone) } catch {
          #expect(error.offset <= bytes.count)
        }
      }
    }
  }
}

@Suite("Errors of the JSON reader")
struct JSONErrorTests {
  @Test("The place of a reader's error")
  func ofError() throws {
    let bytes = Array("{\n  \"é\": tru\n}".utf8)
    let error = try #require(#expect(throws: JSONError.self) { try JSONReader.read(bytes) })
    let problem = SourceProblem(error)
    #expect(problem.message == "not JSON: expected a value: an object, array, string, number, true, false or null")
    let index = TextLocation(of: problem.range, in: bytes)
    #expect(index.line == 2)
    #expect(index.column == 8)
    #expect(index.text == "  \"é\": tru")
  }
}
