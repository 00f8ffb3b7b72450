import SKANHTTP
import SKANBase

extension ListReader {
  /// How many lists may include each other, and how many may be included in all.
  static let (mostNested, mostIncluded) = (64, 10_000)

  /// Goes on with the lines of another list.
  func include(_ name: String, _ range: Range<Int>) throws(SourceProblems) {
    let from = frames.last?.name ?? ""
    let folder = from.lastIndex(of: "/").map { from[...$0] } ?? ""
    let path = name.hasPrefix("/") ? name : folder + name
    guard options.mayInclude(path, frames.first?.name ?? "") else {
      let message =
        "\(path) is not below the list's own folder; --allow-include DIR lets lists include what is below DIR"
      throw [SourceProblem(message, at: range)]
    }
    included += 1
    guard frames.count <= Self.mostNested, included <= Self.mostIncluded else {
      let message =
        included > Self.mostIncluded
        ? "more than \(Self.mostIncluded) lists are included" : "more than \(Self.mostNested) lists include each other"
      // Nothing behind it is looked at: there may be any number of further ones.
      for frame in frames { frame.isOver = true }
      throw [SourceProblem(message, at: range)]
    }
    let source = try open(path, range)
    // The same file may have several paths: by way of "..", or of a link.
    if frames.contains(where: { $0.name == path || source.identity != nil && $0.identity == source.identity }) {
      let chain = (frames.map(\.name) + [path]).joined(separator: " → ")
      throw [SourceProblem("the list includes itself: \(chain)", at: range)]
    }
    // It is read twice, as every file.
    guard source.isRegular else {
      throw [SourceProblem("\(path) is not a file, and only files are included", at: range)]
    }
    frames.append(Frame(path, source))
  }

  private func open(_ path: String, _ range: Range<Int>) throws(SourceProblems) -> ByteSource {
    if path == "-" { throw [SourceProblem("standard input cannot be included, only files", at: range)] }
    do throws(SourceFailure) { return try (options.openIncluded ?? options.open)(path) } catch {
      let message =
        switch error {
        case .missing: "\(path) does not exist; an included list is looked for beside the one that includes it"
        case .unreadable(let reason): "cannot read \(path): \(reason)"
        case .programMissing(let program): "cannot read \(path): it is packed, and \(program) is not on the PATH"
        case .interrupted: "interrupted"
        }
      throw [SourceProblem(message, at: range)]
    }
  }
}
