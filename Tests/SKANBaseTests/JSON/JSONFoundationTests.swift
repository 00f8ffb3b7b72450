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
