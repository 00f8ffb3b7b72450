import SKANBase

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
