import SKANText

/// The parts of a backtest that are added up: no shard may be there twice or missing.
package struct AddedParts {
  /// How many missing shards are listed.
  private static let mostListed = 12

  /// The first part: the others have as many shards.
  package private(set) var first: (shard: Shard, place: String)?
  /// Where each part is: by the index of its shard, or without shards by a hash of its line.
  private var places: [UInt64: String] = [:]
  /// How many parts without a shard equal an earlier one, and the first of them.
  private var twins: (count: Int, first: String)?

  package init() {}

  /// Takes a part among those that are added up.
  ///
  /// - Parameters:
  ///   - line: as it is read.
  ///   - place: of the line, for messages.
  /// - Returns: why it cannot be added to the others; nil when it can.
  package mutating func take(_ part: BacktestPart, _ line: [UInt8], at place: String) -> String? {
    let shard = part.shard
    if let first, first.shard.count != shard.count {
      return "this part and that of \(first.place) do not belong together: this one is \(shard.title), that one is "
        + first.shard.title
    }
    first = first ?? (shard, place)
    // Engines have partitions without a device, and their parts are all the same.
    if shard.isWhole, part.summary.input.devices == 0 { return nil }
    guard let other = places.updateValue(place, forKey: shard.isWhole ? fnv1a(line) : UInt64(shard.index)) else {
      return nil
    }
    if shard.isWhole {
      twins = (1 + (twins?.count ?? 0), twins?.first ?? "\(place) is \(other) again, byte for byte")
      return nil
    }
    return "this part and that of \(other) are both \(shard.title): name one part of each shard, made from the whole "
      + "input"
  }

  /// A warning of parts without a shard whose lines are equal: they count the same devices twice, or other devices with
  /// the same counts. Nil when no two are equal.
  package var doubt: String? {
    twins.map { "\($0.first)\($0.count > 1 ? ", and \(($0.count - 1).counted("more part")) likewise" : "")" }
      .map { "\($0): if it is the same part, its devices count twice" }
  }

  /// What is missing after the last part; nil when nothing is.
  package var missing: String? {
    guard let count = first?.shard.count, count > 1 else { return nil }
    let missing = (1...count).filter { places[UInt64($0)] == nil }
    if missing.isEmpty { return nil }
    let listed = missing.prefix(Self.mostListed).map(String.init).joined(separator: ", ")
    let more = missing.count > Self.mostListed ? " and \(missing.count - Self.mostListed) more" : ""
    let (shards, are) = missing.count == 1 ? ("shard", "is") : ("shards", "are")
    return "\(shards) \(listed)\(more) of \(count) \(are) missing: name a part of each shard"
  }
}

extension Shard {
  /// For messages.
  fileprivate var title: String { isWhole ? "a part without --shard" : "shard \(text)" }
}
