import SKANBase
import SKANRun

/// A part of a backtest as one line of JSON: whole numbers, so that the sum of all parts is the whole.
package struct BacktestPart: Sendable, Equatable {
  private static let kind = "skan-backtest-partial"
  /// Rises when what is counted changes: parts of different versions do not belong together.
  private static let format = 1

  /// The whole that a part belongs to. Only parts of one whole are added up.
  package enum Origin: Sendable, Equatable {
    /// A share of the devices of an input that each part reads whole. All devices, where the shard is the whole.
    case shard(Shard)
    /// An input of its own, one of several into which the rows were divided by device before, in a run with a name.
    case divided(Shard, run: String)
  }

  package var origin: Origin
  /// A hash of everything that was read (``InputHash``); nil in parts of versions that did not write it.
  package var inputHash: UInt64?
  package var summary: BacktestSummary

  package init(_ summary: BacktestSummary, origin: Origin, inputHash: UInt64?) {
    self.summary = summary
    self.origin = origin
    self.inputHash = inputHash
  }

  /// The line, without its end.
  package var line: String {
    let groups = summary.groups.sorted { $0.key.literallyPrecedes($1.key) }
    var members: [(key: String, value: JSON)] = [
      ("kind", .string(Self.kind)), ("format", .integer(Int64(Self.format))), ("header", summary.header.json),
      ("input", InputTally.partialFields.json(summary.input)),
      ("groups", .object(groups.map { ($0.key, $0.value.json) })),
    ]
    if let inputHash { members.append(("input_hash", .string(inputHash.hexText))) }
    switch origin {
    case .shard(let shard): if !shard.isWhole { members.append(("shard", .string(shard.text))) }
    case .divided(let part, let run): members += [("part", .string(part.text)), ("run", .string(run))]
    }
    return JSONWriter.text(.object(members))
  }

  /// Why a line is not a part.
  package enum LineError: Error, Equatable {
    case json(SourceProblems)
    /// It is JSON, and something else.
    case notPart
    case otherFormat(Int)
  }

  /// Reads ``line`` again.
  package init(line: [UInt8]) throws(LineError) {
    let json: JSON
    do throws(SourceProblems) { json = try JSONReader.readSource(line).value } catch { throw .json(error) }
    guard json["kind"] == .string(Self.kind), let format = json["format"]?.number else { throw .notPart }
    guard format == Self.format else { throw .otherFormat(format) }
    guard let header = json["header"].flatMap({ BacktestHeader($0) }),
      let input = json["input"].flatMap({ InputTally($0) }), let groups = json["groups"]?.members
    else { throw .notPart }
    func read<Value>(_ key: String, _ value: (String) -> Value?) throws(LineError) -> Value? {
      guard let member = json[key] else { return nil }
      guard let read = member.text.flatMap(value) else { throw .notPart }
      return read
    }
    inputHash = try read("input_hash") { UInt64($0, radix: 16) }
    switch (try read("shard") { Shard($0) }, try read("part") { Shard($0) }, try read("run") { $0 }) {
    case (let shard, nil, nil): origin = .shard(shard ?? .whole)
    case (nil, let part?, let run?): origin = .divided(part, run: run)
    default: throw .notPart
    }
    summary = BacktestSummary(header)
    summary.input = input
    for (name, value) in groups {
      guard let group = GroupTally(value, header) else { throw .notPart }
      summary.groups[name] = group
    }
  }
}

extension GroupTally {
  fileprivate var json: JSON {
    .object([
      ("model", model.json), ("other", other.map(\.json) ?? .null), ("changes", .array(changes.numbers.map(\.json))),
    ])
  }

  fileprivate init?(_ json: JSON, _ header: BacktestHeader) {
    self.init(nameCount: header.names.count, compares: header.other != nil)
    guard let model = json["model"], self.model.read(model), let changes = json["changes"]?.numbers,
      changes.count == self.changes.numbers.count
    else { return nil }
    var index = 0
    self.changes.forEachNumber {
      $0 = changes[index]
      index += 1
    }
    guard var other else { return }
    guard let given = json["other"], other.read(given) else { return nil }
    self.other = other
  }
}

extension BacktestTally {
  fileprivate var json: JSON {
    .object([
      ("numbers", .array(numbers.map(\.json))),
      (
        "departures",
        .object(departures.sorted { $0.key < $1.key }.map { ("\($0.key)", .array($0.value.map(\.json))) })
      ),
    ])
  }

  /// - Returns: false when it is something else.
  fileprivate mutating func read(_ json: JSON) -> Bool {
    guard let numbers = json["numbers"]?.numbers, set(numbers), let days = json["departures"]?.members else {
      return false
    }
    for (key, value) in days {
      guard let day = Int(key), let counts = value.numbers, counts.count == 3 else { return false }
      departures[day] = counts
    }
    return true
  }
}

/// The parts of a backtest that are added up: all of one run, none twice and none missing.
package struct AddedParts {
  /// How many missing parts are listed.
  private static let mostListed = 12

  /// The first part, to which the others must belong.
  package private(set) var first: (origin: BacktestPart.Origin, inputHash: UInt64, place: String)?
  /// Where each part is, by its index.
  private var places: [Int: String] = [:]
  /// Where the parts with devices are that read an input of their own, by its hash.
  private var inputs: [UInt64: String] = [:]

  package init() {}

  /// Takes a part among those that are added up.
  ///
  /// - Parameter place: of the part, for messages.
  /// - Returns: why it cannot be added to the others; nil when it can.
  package mutating func take(_ part: BacktestPart, at place: String) -> String? {
    guard let hash = part.inputHash else {
      return "this part does not say which input it was made from, as parts of an earlier version: make it again"
    }
    if let first {
      if let problem = Self.problem(part.origin, hash, first.origin, first.inputHash) {
        return "this part and that of \(first.place) do not belong together: \(problem)"
      }
    } else {
      first = (part.origin, hash, place)
    }
    if let other = places.updateValue(place, forKey: part.origin.share.index) {
      return part.origin.isAlone
        ? "this part and that of \(other) both count a whole input. Parts of one input are made with --shard K/N; where "
          + "the rows were divided by device before, with --run NAME --part K/N"
        : "this part and that of \(other) are both \(part.origin.title): name one of each"
    }
    // Partitions without a device are equal.
    guard case .divided = part.origin, part.summary.input.devices > 0,
      let other = inputs.updateValue(place, forKey: hash)
    else { return nil }
    return "this part and that of \(other) have read the same input: --part is for rows that were divided by device "
      + "before; where each reads all of them, --shard divides"
  }

  private static func problem(
    _ origin: BacktestPart.Origin, _ hash: UInt64, _ first: BacktestPart.Origin, _ firstHash: UInt64
  ) -> String? {
    let apart = "this one is \(origin.title), that one is \(first.title)"
    switch (origin, first) {
    case (.shard(let shard), .shard(let other)):
      if shard.count != other.count { return apart }
      return shard.isWhole || hash == firstHash
        ? nil : "they were made from different inputs: make all shards from the same files, in the same order"
    case (.divided(let part, let run), .divided(let other, let otherRun)):
      return part.count == other.count && run == otherRun ? nil : apart
    default: return apart
    }
  }

  /// What is missing after the last part; nil when nothing is.
  package var missing: String? {
    guard let origin = first?.origin, origin.share.count > 1 else { return nil }
    let missing = (1...origin.share.count).filter { places[$0] == nil }
    if missing.isEmpty { return nil }
    let listed = missing.prefix(Self.mostListed).map(String.init).joined(separator: ", ")
    let more = missing.count > Self.mostListed ? " and \(missing.count - Self.mostListed) more" : ""
    let noun = if case .shard = origin { "shard" } else { "part" }
    return "\(noun)\(missing.count == 1 ? "" : "s") \(listed)\(more) of \(origin.share.count) "
      + "\(missing.count == 1 ? "is" : "are") missing: name one of each"
  }
}

extension BacktestPart.Origin {
  /// Which of how many it is.
  fileprivate var share: Shard {
    switch self {
    case .shard(let share), .divided(let share, run: _): share
    }
  }

  /// Whether it is no part of anything.
  fileprivate var isAlone: Bool {
    if case .shard(let shard) = self { shard.isWhole } else { false }
  }

  /// For messages.
  fileprivate var title: String {
    switch self {
    case .shard(let shard): shard.isWhole ? "a part without --shard" : "shard \(shard.text)"
    case .divided(let part, let run): "part \(part.text) of the run \(JSONWriter.quoted(run))"
    }
  }
}

/// A part of all devices: one of `count` parts, by a hash of the identifier that is part of the contract, so that parts
/// made on different machines belong together.
package struct Shard: Sendable, Equatable {
  /// All devices.
  package static let whole = Shard(index: 1, count: 1)
  private static let largestCount = 1_000_000

  /// From 1 to `count`.
  package let index: Int
  package let count: Int

  /// - Parameters:
  ///   - index: from 1 to `count`.
  ///   - count: at least 1.
  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Reads ``text`` again: `K/N`, from `1/N` to `N/N`; nil when it is something else.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1], (1...Self.largestCount).contains(count),
      (1...count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }

  /// As `--shard` takes it: `2/3`.
  package var text: String { "\(index)/\(count)" }
  package var isWhole: Bool { count == 1 }

  /// Whether a device is in it: the FNV-1a hash (64 bits) of its identifier's UTF-8 bytes, modulo the count.
  @inline(__always)
  package func contains(_ device: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe isWhole || fnv1a(device) % UInt64(count) == UInt64(index - 1)
  }
}

/// A hash of all bytes of some files, in their order, by which parts of a backtest that read different inputs are told apart.
///
/// It does not depend on how the bytes come, and is no protection against someone who makes two inputs with one hash.
package final class InputHash {
  private var (high, low): (UInt64, UInt64) = (0, 0x4528_21E6_38D0_1377)
  /// The bytes that do not fill a word yet.
  private var (word, filled): (UInt64, Int) = (0, 0)
  /// How many bytes the file has so far.
  private var count: UInt64 = 0

  package init() {}

  /// Adds bytes of a file.
  func add(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var offset = 0
    while filled > 0, offset < bytes.count { unsafe add(bytes[offset], &offset) }
    while offset + 8 <= bytes.count {
      mix(unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    while offset < bytes.count { unsafe add(bytes[offset], &offset) }
  }

  private func add(_ byte: UInt8, _ offset: inout Int) {
    word |= UInt64(byte) << (8 * UInt64(filled))
    filled += 1
    offset += 1
    if filled < 8 { return }
    mix(word)
    (word, filled) = (0, 0)
  }

  private func mix(_ word: UInt64) { (high, low) = DeviceKey.mix(high, low, word) }

  /// Ends a file: what follows belongs to the next one.
  private func endFile() {
    mix(word)
    mix(count)
    (word, filled, count) = (0, 0, 0)
  }

  /// The hash of the files so far, and the end of the last one.
  package func finish() -> UInt64 {
    endFile()
    return high ^ low
  }

  /// Returns a source of the same bytes, which are hashed as the next file as they are read.
  package func watching(_ source: ByteSource) -> ByteSource {
    endFile()
    return unsafe ByteSource(isRegular: source.isRegular, size: source.size, identity: source.identity) {
      (buffer) throws(SourceFailure) in
      let count = try unsafe source.read(buffer)
      unsafe self.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count
    }
  }
}
