import SKANBase
import SKANRun

/// The inputs of a command that may be packed: opens them in order, bounds what they unpack to, and shows on a terminal
/// how much is read.
///
///     let inputs = PackedInputs(paths, mostUnpacked: 1 << 30, isWatched: true, environment)
///     let source = try inputs.open("capture.har.gz")
package final class PackedInputs: Sendable {
  /// In bytes.
  package static let maxUnpacked = Option<Int>(
    "max-unpacked", "SIZE", .size(to: 1 << 40), default: "1GiB",
    "the largest unpacked size of a packed file, such as 8GiB")

  /// The part of the bar that each input has, since the sizes of later ones are not known.
  private static let share = 1_000_000

  private let environment: Environment
  private let mostUnpacked: Int
  private let progress: ProgressBar?

  /// - Parameters:
  ///   - count: the number of inputs.
  ///   - mostUnpacked: the most bytes to which a packed input may unpack.
  ///   - isWatched: whether to show progress if standard error is a terminal and no pager uses it.
  package init(count: Int, mostUnpacked: Int, isWatched: Bool, _ environment: Environment) {
    self.environment = environment
    self.mostUnpacked = mostUnpacked
    progress =
      isWatched && environment.isTerminal() && !environment.isPiped()
      ? ProgressBar(environment, total: count * Self.share, of: .bytes) : nil
  }

  deinit { progress?.end() }

  /// Opens an input; its source throws ``SourceFailure/unpacksToMore(than:)`` behind the bound.
  package func open(_ path: String) throws(SourceFailure) -> ByteSource {
    guard progress != nil else { return try environment.openUnpacked(path, atMost: mostUnpacked) }
    var (read, size, shown) = (0, Int?.none, 0)
    let source = try environment.openUnpacked(path, atMost: mostUnpacked) { count, whole in
      read += count
      size = whole
    }
    return source.watched { [self] count in
      let part = Self.part(read, of: size, isAtEnd: count == 0)
      progress?.advance(read: part - shown, steps: count)
      shown = part
    }
  }

  /// Hides the bar while `body` writes.
  package func hidden(_ body: () -> Void) { if let progress { progress.hidden(body) } else { body() } }

  /// How much of its ``share`` an input has, by its bytes on the disk. One of unknown size has none before its end.
  private static func part(_ read: Int, of size: Int?, isAtEnd: Bool) -> Int {
    if isAtEnd { return share }
    guard let size, size > 0 else { return 0 }
    return Int(Double(share) * min(1, Double(read) / Double(size)))
  }
}

extension Environment {
  /// Opens an input, and unpacks it with `gzip` if it is compressed.
  ///
  /// - Parameters:
  ///   - most: the most bytes to which it may unpack.
  ///   - watch: receives the number of bytes of each read of the file as it is, and the file's size if it is known.
  fileprivate func openUnpacked(
    _ path: String, atMost most: Int, watch: @escaping (Int, _ size: Int?) -> Void = { _, _ in }
  ) throws(SourceFailure) -> ByteSource {
    let file = try files.open(path)
    let source = file.watched { watch($0, file.size) }
    let beginning = try source.beginning(2)
    let whole = source.preceded(by: beginning)
    return beginning == [0x1F, 0x8B] ? try unpack(whole).bounded(to: most) : whole
  }
}
