/// The copies of one postback that one key verified, of which the first counts.
///
/// Which one that is does not depend on the order in which they are added: the one that its receiver took for the first
/// (of copies with the same time it knew which), then the earliest, then the one whose body has the smaller hash.
struct CopyTally: Sendable {
  /// One of the copies.
  struct Copy: Sendable {
    let isMarkedFirst: Bool
    /// Unix microseconds.
    let receivedAt: Int64
    /// FNV-1a of the body: the same in every run of the program.
    let bodyHash: UInt64
    /// Stands for what it says; see ``PostbackIdentity/digest``.
    let digest: Int
    /// In the report's table of postbacks.
    let postback: Int32
  }

  private(set) var first: Copy
  /// How many say what the first says, it included.
  private var same = 1
  /// By digest, how many say something else; nil for none, as nearly always.
  private var others: [Int: Int]?

  init(_ copy: Copy) { first = copy }

  var duplicates: Int { same - 1 }

  var conflicts: Int { others?.values.reduce(0, +) ?? 0 }

  /// - Parameter precedes: decides between two copies with the same time and body.
  mutating func add(_ copy: Copy, precedes: (Copy, Copy) -> Bool) {
    if copy.digest == first.digest { same += 1 } else { others = (others ?? [:]).adding(1, to: copy.digest) }
    guard copy.rank < first.rank || copy.rank == first.rank && precedes(copy, first) else { return }
    if copy.digest != first.digest {
      let counted = others?.removeValue(forKey: copy.digest) ?? 0
      others = (others ?? [:]).adding(same, to: first.digest)
      same = counted
    }
    first = copy
  }
}

extension CopyTally.Copy {
  fileprivate var rank: (Int, Int64, UInt64) { (isMarkedFirst ? 0 : 1, receivedAt, bodyHash) }
}

extension [Int: Int] {
  fileprivate func adding(_ count: Int, to key: Int) -> Self {
    var sum = self
    sum[key, default: 0] += count
    return sum
  }
}
