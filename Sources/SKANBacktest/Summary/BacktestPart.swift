import SKANBase
import SKANRun

/// A partial result of a backtest as one line of JSON. It consists of integers, so that the sum of all parts equals the
/// whole.
package struct BacktestPart: Sendable, Equatable {
  private static let kind = "skan-backtest-partial"
  /// Increased when other things are counted: parts with different formats do not belong together.
  private static let format = 3

  /// The whole that a part belongs to. Only parts of one whole are added up.
  package enum Origin: Sendable, Equatable {
    /// A shard of the devices of an input that every part reads completely; a shard of count 1 contains all devices.
    case shard(Shard)
    /// A separate input, one of several into which rows were divided by device beforehand, in a named run.
    case divided(Shard, run: String)
  }

  package var origin: Origin
  /// A hash of all input (``InputHash``); nil in parts of versions that did not write it.
  package var inputHash: UInt64?
  package var summary: BacktestSummary

  package init(_ summary: BacktestSummary, origin: Origin, inputHash: UInt64?) {
    self.summary = summary
    self.origin = origin
    self.inputHash = inputHash
  }

  /// The line without its line end.
  package var line: String {
    let groups = summary.groups.sorted { $0.key.literallyPrecedes($1.key) }
    var members: [(key: String, value: JSON)] = [
      ("kind", .string(Self.kind)), ("format", .integer(Int64(Self.format))), ("header", summary.header.json),
      ("input", InputTally.partialFields.json(summary.input)),
      ("groups", .object(groups.map { ($0.key, $0.value.json) })),
    ]
    if let resamples = summary.resamples { members.append(("resamples", resamples.json)) }
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
    /// The line is other JSON.
    case notPart
    case otherFormat(Int)
  }

  /// Parses a ``line``.
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
    if header.models.count > 1 {
      summary.resamples = try json["resamples"].map { (json) throws(LineError) in
        guard let resamples = ModelResamples(json, models: header.models.count) else { throw .notPart }
        return resamples
      }
    }
    for (name, value) in groups {
      guard let group = GroupTally(value, header) else { throw .notPart }
      summary.groups[name] = group
    }
  }
}

extension GroupTally {
  fileprivate var json: JSON {
    .object([
      ("models", .array(models.map(\.json))),
      ("changes", .array(changes.map { .array($0.numbers.map(\.json)) })),
    ])
  }

  fileprivate init?(_ json: JSON, _ header: BacktestHeader) {
    self.init(header)
    guard let models = json["models"]?.items, models.count == self.models.count,
      let changes = json["changes"]?.items, changes.count == self.changes.count
    else { return nil }
    for (index, model) in models.enumerated() {
      guard self.models[index].read(model) else { return nil }
    }
    for (index, change) in changes.enumerated() {
      guard let numbers = change.numbers, self.changes[index].set(numbers) else { return nil }
    }
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

  /// - Returns: false for any other JSON.
  fileprivate mutating func read(_ json: JSON) -> Bool {
    guard let numbers = json["numbers"]?.numbers, set(numbers), let days = json["departures"]?.members else {
      return false
    }
    for (key, value) in days {
      guard let day = Int(utcDay: key), let counts = value.numbers, counts.count == 3,
        counts.allSatisfy(CountedUnit.count.range.contains)
      else { return false }
      departures[day] = counts
    }
    return true
  }
}

/// The parts of a backtest that are added up. They must be of one run, without repetitions and gaps.
package struct AddedParts {
  /// The most missing parts that are listed.
  private static let mostListed = 12

  /// The first part, to which the others must belong.
  package private(set) var first: (origin: BacktestPart.Origin, inputHash: UInt64, place: String)?
  /// The location of each part, by index.
  private var places: [Int: String] = [:]
  /// The locations of parts with devices and a separate input, by the input's hash.
  private var inputs: [UInt64: String] = [:]

  package init() {}

  /// Checks and records a part.
  ///
  /// - Parameter place: the location of the part, for messages.
  /// - Returns: why the part cannot be added to the others; nil when it can.
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
    // Parts without devices may have equal inputs.
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

  /// A description of the missing parts after the last one; nil when there are none.
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
  /// The index of the part and the number of parts.
  fileprivate var share: Shard {
    switch self {
    case .shard(let share), .divided(let share, run: _): share
    }
  }

  /// Whether the part is already the whole.
  fileprivate var isAlone: Bool {
    if case .shard(let shard) = self { shard.isWhole } else { false }
  }

  /// A description for messages.
  fileprivate var title: String {
    switch self {
    case .shard(let shard): shard.isWhole ? "a part without --shard" : "shard \(shard.text)"
    case .divided(let part, let run): "part \(part.text) of the run \(JSONWriter.quoted(run))"
    }
  }
}

/// One of `count` parts of all devices. A device's part is determined by a hash of its identifier. The hash function is
/// stable, so that parts made on different machines belong together.
package struct Shard: Sendable, Equatable {
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

  /// Parses a ``text``: `K/N`, from `1/N` to `N/N`; nil for any other text.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1], (1...Self.largestCount).contains(count),
      (1...count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }

  /// The text as in `--shard`: `2/3`.
  package var text: String { "\(index)/\(count)" }
  package var isWhole: Bool { count == 1 }

  /// Whether the shard contains a device, by the FNV-1a hash (64 bits) of its identifier's UTF-8 bytes, modulo the
  /// count.
  @inline(__always)
  package func contains(_ device: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe isWhole || fnv1a(device) % UInt64(count) == UInt64(index - 1)
  }
}

/// A hash of all bytes of some files in order, which distinguishes parts of a backtest that read different inputs.
///
/// It does not depend on how the bytes are divided into reads, and is not secure against deliberate collisions.
package final class InputHash {
  private var (high, low): (UInt64, UInt64) = (0, 0x4528_21E6_38D0_1377)
  /// The bytes of an incomplete word.
  private var (word, filled): (UInt64, Int) = (0, 0)
  /// The number of bytes of the file so far.
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

  /// Ends a file; further bytes belong to the next one.
  private func endFile() {
    mix(word)
    mix(count)
    (word, filled, count) = (0, 0, 0)
  }

  /// Ends the last file, and returns the hash of all files.
  package func finish() -> UInt64 {
    endFile()
    return high ^ low
  }

  /// Returns a source of the same bytes that hashes them as the next file while they are read.
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
