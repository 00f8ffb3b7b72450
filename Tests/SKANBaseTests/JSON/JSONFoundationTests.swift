import Foundation
import Testing

@testable import SKANBase

/// Another reader of the same texts: Foundation's. Where the two are known to differ, ``Difference`` says how.
@Suite("The JSON reader beside Foundation's")
struct JSONFoundationTests {
  @Test("Valid documents have the same value", arguments: 0..<4 as Range<UInt64>)
  func valid(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    for _ in 0..<1500 {
      let text = random.document()
      let ours = try JSONReader.read(Array(text.utf8)).value
      #expect(agree(ours, try foundation(Array(text.utf8))), "\(text)")
    }
  }

  @Test(
    "What ours accepts of spoilt documents Foundation accepts as the same value",
    arguments: 0..<4 as Range<UInt64>, [false, true])
  func spoilt(seed: UInt64, isForPhone: Bool) {
    var random = RandomJSON(seed: 1000 + seed)
    var accepted = 0
    for _ in 0..<3000 {
      let bytes = random.mutated()
      guard let ours = try? JSONReader.read(bytes, dialect: isForPhone ? .phone : .strict).value else { continue }
      accepted += 1
      let theirs = try? foundation(bytes)
      #expect(theirs.map { agree(ours, $0) } ?? false, "\(String(decoding: bytes, as: UTF8.self)) \(bytes)")
    }
    // Else there was nothing to compare.
    #expect((500..<2500).contains(accepted))
  }

  @Test(
    "What they are known to differ in",
    arguments: [
      ("[-0.0]", [.signOfZero]), ("[-0]", [.signOfZero]), ("[0.1]", []), ("[1e-400]", []),
      ("[31709.30241383481123]", [.manyDigits]), ("[-1728061800703751243e30]", [.manyDigits]),
      ("{\"\u{E9}\":1,\"e\u{301}\":2}", [.equivalentKeys]),
    ] as [(String, Set<Difference>)])
  func known(text: String, differences: Set<Difference>) throws {
    var found: Set<Difference> = []
    let ours = try JSONReader.read(Array(text.utf8)).value
    _ = agree(ours, try foundation(Array(text.utf8))) { found.insert($0) }
    // Other systems may have another Foundation, with fewer of them.
    #expect(found.isSubset(of: differences), "\(found)")
  }

  private func foundation(_ bytes: [UInt8]) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }
}

/// Where Foundation's value of a text may be another than ours.
enum Difference {
  /// Foundation may forget the sign of a zero.
  case signOfZero
  /// Foundation may keep a number with many digits as a decimal, whose nearest double it then misses by a little.
  case manyDigits
  /// Two keys that look the same, such as an é of one code point and of two, are one key in a Swift dictionary.
  case equivalentKeys
}

/// Whether the values are the same, but for known differences.
private func agree(_ ours: JSON, _ theirs: Any, _ differ: (Difference) -> Void = { _ in }) -> Bool {
  switch ours {
  case .null: return theirs is NSNull
  case .bool(let bool): return number(theirs, isBool: true)?.boolValue == bool
  case .integer(let integer): return number(theirs)?.int64Value == integer
  case .unsigned(let unsigned): return number(theirs)?.uint64Value == unsigned
  case .double(let double): return number(theirs).map { agree(double, $0, differ) } ?? false
  case .string(let string): return (theirs as? String).map { $0.isLiterally(string) } ?? false
  case .array(let items):
    guard let others = theirs as? [Any], items.count == others.count else { return false }
    return zip(items, others).allSatisfy { agree($0, $1, differ) }
  case .object(let members):
    guard let others = theirs as? [String: Any] else { return false }
    if Set(members.map(\.key)).count < members.count {
      differ(.equivalentKeys)
      return others.count < members.count
    }
    return others.count == members.count
      && members.allSatisfy { member in others[member.key].map { agree(member.value, $0, differ) } ?? false }
  }
}

private func agree(_ ours: Double, _ theirs: NSNumber, _ differ: (Difference) -> Void) -> Bool {
  if theirs.doubleValue.bitPattern == ours.bitPattern { return true }
  differ(ours == 0 ? .signOfZero : .manyDigits)
  return theirs.doubleValue == ours || Double(theirs.stringValue) == ours
}

private func number(_ value: Any, isBool: Bool = false) -> NSNumber? {
  // Foundation makes no other number of one byte.
  guard let number = value as? NSNumber, (String(cString: number.objCType) == "c") == isBool else { return nil }
  return number
}

/// Random JSON texts, the same on every run.
struct RandomJSON: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A linear congruential generator (Knuth's MMIX); its upper half is the random one.
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let upper = state >> 32
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return upper << 32 | state >> 32
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &self)]
  }

  /// A valid document with no key twice in an object.
  mutating func document() -> String { space() + value(depth: 4) + space() }

  /// The document with one to three of its bytes removed, doubled, swapped or replaced.
  mutating func mutated() -> [UInt8] {
    var bytes = Array(document().utf8)
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      guard !bytes.isEmpty else { break }
      let index = Int.random(in: bytes.indices, using: &self)
      switch Int.random(in: 0...4, using: &self) {
      case 0: bytes.remove(at: index)
      case 1: bytes.insert(bytes[index], at: index)
      case 2: bytes.swapAt(index, Int.random(in: bytes.indices, using: &self))
      case 3: bytes[index] = pick(Array("{}[]\",:.eE+-0129ntf\\u/ \n".utf8))
      default: bytes[index] = UInt8(truncatingIfNeeded: next())
      }
    }
    return bytes
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &self) {
    case 0: pick(["null", "true", "false"])
    case 1...3: number()
    case 4, 5:
      string(pick(["", "a", "purchase", "é", "日本", "😀", "e\u{301}", "\u{7F}\u{2028}", "a b/c", "\u{0}\u{1F}\t"]))
    case 6, 7: array(depth: depth - 1)
    default: object(depth: depth - 1)
    }
  }

  private mutating func number() -> String {
    let whole = pick(["", "-"]) + digits()
    switch Int.random(in: 0...5, using: &self) {
    case 0:
      return pick(["0", "-0", "-0.0", "0e5", "9223372036854775807", "-9223372036854775808", "9223372036854775808"])
    case 1: return pick(["18446744073709551615", "18446744073709551616", "1e308", "5e-324", "1e-400", "0.1", "9.99"])
    case 2: return whole
    case 3: return whole + "." + digits()
    case 4: return whole + pick(["e", "E", "e+", "E-"]) + String(Int.random(in: 0...40, using: &self))
    default: return whole + "." + digits() + pick(["e", "e-"]) + String(Int.random(in: 0...300, using: &self) % 250)
    }
  }

  /// Of any length.
  private mutating func digits() -> String { String(next() >> UInt64.random(in: 0...63, using: &self)) }

  /// Quoted, some of its characters as escapes.
  private mutating func string(_ text: String) -> String {
    var quoted = "\""
    for unit in text.unicodeScalars {
      let mustEscape = unit.value < 0x20 || unit == "\"" || unit == "\\"
      if mustEscape || Int.random(in: 0...5, using: &self) == 0 {
        for half in String(unit).utf16 {
          let digits = String(half, radix: 16, uppercase: .random(using: &self))
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        quoted.unicodeScalars.append(unit)
      }
    }
    return quoted + pick(["", #"\n"#, #"\"\\"#, #"\/\b\f\r\t"#]) + "\""
  }

  private mutating func array(depth: Int) -> String {
    let items = (0..<Int.random(in: 0...4, using: &self)).map { _ in space() + value(depth: depth) + space() }
    return "[" + (items.isEmpty ? space() : items.joined(separator: ",")) + "]"
  }

  private mutating func object(depth: Int) -> String {
    let names = ["a", "b", "conversion_value", "", "é", "日", "A", "a "].shuffled(using: &self)
    let members = names.prefix(.random(in: 0...4, using: &self)).map { name in
      // Without what a string may end with, so that no two keys are one.
      space() + "\"\(name)\"" + space() + ":" + space() + value(depth: depth) + space()
    }
    return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
  }

  private mutating func space() -> String { pick(["", "", "", " ", "\n", "\t\r\n "]) }
}
