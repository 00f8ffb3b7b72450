import SKANBase
import SKANDevice
import SKANHTTP

/// Reads a list to its end, with the lines of an included list in place of its `include` step.
@safe package final class ListReader {
  /// An item of a list.
  package enum Item {
    /// A step, stored where the caller asked.
    case step
    /// All problems of a line.
    case problems([ListProblem])
  }

  final class Frame {
    let name: String
    let identity: ByteSource.Identity?
    let lines: LineReader
    /// The number of lines read, including lines read ahead.
    var number = 0
    /// Whether the rest of the list is ignored.
    var isOver = false

    init(_ name: String, _ source: ByteSource) {
      self.name = name
      identity = source.identity
      lines = LineReader(source, skipsByteOrderMark: true)
    }
  }

  var frames: [Frame]
  /// The number of lines of included lists that were read to their ends.
  private var finishedLines = 0
  /// The number of lists included so far.
  var included = 0
  private let reader: EventListReader
  let options: Options
  /// Whether there was a step or a problem.
  private var hasItems = false
  private var ahead = StepsAhead()
  /// The line number of the last item in its list, from 1.
  private var number = 0
  /// The line of the last item as in its file, valid until the next line is read.
  private var currentLine = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  package init(_ name: String, _ source: ByteSource, _ options: Options = Options()) {
    frames = [Frame(name, source)]
    self.options = options
    reader = EventListReader(
      declaresDevices: options.declaresDevices, allowsDevices: options.allowsDevices,
      variesDevices: options.varies != nil)
  }

  /// A place of a list.
  struct Place {
    let location: (file: String, line: Int)
    let index: Int
    let line: [UInt8]
  }

  /// The place of the last item.
  var place: Place { unsafe Place(location: location, index: index, line: Array(currentLine)) }

  /// An earlier item's place, which ``location``, ``index`` and ``withCurrentLine(_:)`` give while it is set.
  private var shown: Place?

  /// Gives the place of an earlier item until the next call; nil for that of the last item.
  func showsPlace(_ place: Place?) { shown = place }

  /// The list and the line number, from 1, of the last item.
  package var location: (file: String, line: Int) { shown?.location ?? (frames.last?.name ?? "", number) }

  /// The index of the last item's line among all lines, including those of included lists.
  package var index: Int { shown?.index ?? finishedLines + frames.dropLast().reduce(number) { $0 + $1.number } }

  /// Bytes read of the outermost list, including steps read ahead.
  package var consumed: Int { frames.first?.lines.consumed ?? 0 }

  /// Whether a `device` step followed a step for an undeclared phone; with the whole list known, that is a problem.
  package var declaresTooLate: Bool { reader.declaresTooLate }

  /// Whether a step was for a phone that no step had declared, as in a list that declares none.
  package var hasUndeclaredSteps: Bool { reader.hasUndeclaredSteps }

  /// The phones of a batch of steps read ahead, right after its first step was returned; otherwise nil.
  package var phonesAhead: [Int]? { ahead.freshPhones }

  /// Passes the line of the last item, as in its file, to `body`; empty after the end of the list. The next line reuses
  /// its memory, so the caller copies what it keeps.
  package func withCurrentLine<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    guard let shown else { return unsafe body(currentLine) }
    return unsafe shown.line.withUnsafeBufferPointer(body)
  }

  /// Returns the next item; nil at the end.
  ///
  /// - Parameter step: receives the step.
  package func next(into step: inout Step) throws(SourceFailure) -> Item? {
    while true {
      if let line = unsafe ahead.next(into: &step, number: &number) {
        unsafe currentLine = unsafe line
        hasItems = true
        return .step
      }
      unsafe currentLine = unsafe UnsafeBufferPointer(start: nil, count: 0)
      guard let frame = frames.last else { return nil }
      if ahead.rest == nil {
        let isAtEnd: Bool
        do throws(SourceFailure) {
          // `||` would throw any error, not a SourceFailure.
          isAtEnd =
            frame.isOver
            ? true : try !ahead.read(from: frame.lines, number: &frame.number, by: reader, partition: options.partition)
        } catch {
          // The caller reports a failure of the outermost list.
          guard frames.count > 1, case .unreadable(let reason) = error else { throw error }
          (frame.isOver, hasItems) = (true, true)
          frame.number += 1
          number = frame.number
          return unsafe problems(
            [SourceProblem("cannot read on: \(reason)", at: 0..<0)], UnsafeBufferPointer(start: nil, count: 0))
        }
        if isAtEnd {
          // The outermost frame stays, so that its location remains known.
          number = frame.number
          if frames.count == 1 { return end() }
          frames.removeLast()
          finishedLines += frame.number
          continue
        }
        if !ahead.isEmpty { continue }
      }
      guard let line = ahead.takeRest() else { continue }
      number = frame.number
      switch line {
      case .tooLong(let beginning):
        unsafe reader.noteUnreadable(beginning)
        let message = "the line is longer than \(LineReader.longest >> 20) MiB; each step is one line"
        hasItems = true
        return unsafe problems([SourceProblem(message, at: 0..<1)], beginning)
      case .line(let text):
        unsafe currentLine = unsafe text
        if frame.number == 1, let message = unsafe Self.noList(text) {
          return unsafe noList(options.otherContent?(frame.name, Array(text)) ?? message, frame)
        }
        if let item = unsafe item(text, &step) {
          // What does not begin with a step may be a file of another kind.
          if frame.number == 1 || !hasItems, case .problems = item,
            let message = unsafe options.otherContent?(frame.name, Array(text))
          {
            return noList(message, frame)
          }
          hasItems = true
          return item
        }
      }
    }
  }

  /// Reports that a file is not a list; the rest of it is not read.
  private func noList(_ message: String, _ frame: Frame) -> Item {
    (frame.isOver, hasItems) = (true, true)
    return unsafe problems([SourceProblem(message, at: 0..<1)], UnsafeBufferPointer(start: nil, count: 0))
  }

  /// The item after the last line: a problem where there should have been a step, else nil.
  private func end() -> Item? {
    guard options.requiresSteps, !hasItems, let frame = frames.last, !frame.isOver else { return nil }
    frame.isOver = true
    hasItems = true
    let message = "the list holds no step\(options.adviceWithoutSteps)"
    return .problems([
      ListProblem(file: frame.name, line: max(1, frame.number), problem: SourceProblem(message, at: 0..<0), text: [])
    ])
  }

  /// The item of a line; nil for a blank line, a comment, or an `include`.
  private func item(_ text: UnsafeBufferPointer<UInt8>, _ step: inout Step) -> Item? {
    do throws(SourceProblems) {
      let replaced: [UInt8]?
      do throws(SourceProblems) { replaced = try unsafe options.variables.replaced(in: text) } catch {
        unsafe reader.noteUnreadable(text)
        throw error
      }
      if let replaced {
        var result: Result<Item?, SourceProblems> = .success(nil)
        unsafe replaced.withUnsafeBufferPointer { line in
          do throws(SourceProblems) { result = unsafe .success(try entry(line, &step)) } catch {
            // Locations refer to the line with its values, so that line is shown.
            result = unsafe .success(problems(error.problems, line))
          }
        }
        return try result.get()
      }
      return try unsafe entry(text, &step)
    } catch {
      return unsafe problems(error.problems, text)
    }
  }

  private func entry(_ line: UnsafeBufferPointer<UInt8>, _ step: inout Step) throws(SourceProblems) -> Item? {
    if let partition = options.partition, unsafe reader.isOther(line, than: partition) { return nil }
    switch try unsafe reader.read(line, into: &step) {
    case .step:
      if case .device(var profile) = step.operation, profile.plist?.file != nil || options.varies != nil {
        if let name = profile.plist?.file { try unsafe readPlist(name, into: &profile, line) }
        options.varies?.apply(to: &profile)
        if let (message, key, _) = profile.iosProblem, options.varies != nil {
          throw [SourceProblem("\(message) (--matrix)", at: unsafe reader.range(of: key, in: line))]
        }
        step.operation = .device(profile)
      }
      return .step
    case .nothing: unsafe options.seesOtherLine?(currentLine)
    case .include(let name, let range):
      do throws(SourceProblems) { try include(name, range) } catch {
        unsafe reader.noteUnreadable(line)
        throw error
      }
    }
    return nil
  }
}

extension ListReader {
  /// A problem of the last step, found when it ran.
  package func problem(_ message: String) -> ListProblem {
    let (file, line) = location
    let chain = frames.dropLast().reversed().map { ($0.name, $0.number) }
    return unsafe ListProblem(
      file: file, line: line, problem: SourceProblem(message, at: 0..<currentLine.count), text: Array(currentLine),
      includedFrom: chain)
  }

  /// The problems of the last line.
  ///
  /// - Parameter text: the line with the values of its variables, to which the problems' locations refer.
  private func problems(_ problems: [SourceProblem], _ text: UnsafeBufferPointer<UInt8>) -> Item {
    let (file, line) = location
    let chain = frames.dropLast().reversed().map { ($0.name, $0.number) }
    // All problems share one copy of the line.
    let bytes = unsafe Array(text)
    return .problems(
      problems.map { ListProblem(file: file, line: line, problem: $0, text: bytes, includedFrom: chain) })
  }

  /// The kind of a file that is not a list, by its first line; nil if it may be one.
  static func noList(_ beginning: UnsafeBufferPointer<UInt8>) -> String? {
    if unsafe beginning.starts(with: [0x1F, 0x8B]) {
      return "this is compressed with gzip; unpack it first, as in 'gunzip -c FILE | skan replay -'"
    }
    if unsafe beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
      return "this is UTF-16; a list is UTF-8"
    }
    // JSON indented by other tools.
    switch unsafe String(decoding: beginning.prefix(8), as: UTF8.self).filter({ !$0.isWhitespace }) {
    case "[":
      return "this is an array over several lines; a list has one step per line; jq -c '.[]' FILE converts it"
    case "{": return "this is a step over several lines; a list has one step per line; jq -c . FILE converts it"
    default: return nil
    }
  }

  /// The options for reading a list.
  @safe package struct Options {
    package var variables = Variables()
    /// False for a list that continues a phone.
    package var allowsDevices = true
    /// Whether a `device` step is known to come; see ``declaresTooLate``.
    package var declaresDevices = false
    /// Whether a list without any step is a problem.
    package var requiresSteps = false
    /// The text after the message of that problem: how to allow it.
    package var adviceWithoutSteps = ""
    /// Describes a file that is not a list, by its name and first line; nil for unknown content.
    package var otherContent: ((_ name: String, _ firstLine: [UInt8]) -> String?)?
    /// Opens an included list.
    package var open: (String) throws(SourceFailure) -> ByteSource = { _ throws(SourceFailure) in throw .missing }
    /// Opens an included list without waiting for a pipe's writer.
    package var openIncluded: ((String) throws(SourceFailure) -> ByteSource)?
    /// Whether the outermost list, or one that it includes, may include a list.
    package var mayInclude: (_ path: String, _ outermost: String) -> Bool = { _, _ in true }
    /// Gives a profile what the content of an Info.plist says; nil where no list may name one.
    package var readPlist: ((_ content: [UInt8], inout DeviceProfile) throws(SourceFailure) -> Void)?
    /// What the phones of the list have instead of their own values; nil for nothing.
    package var varies: PhoneMatrix.Cell?
    /// The phones whose steps are read; nil for all. Steps of other phones are skipped, and rules that concern several
    /// phones apply to these only.
    package var partition: PhonePartition?
    /// Receives every line that is not a step, before the next item is returned.
    package var seesOtherLine: ((UnsafeBufferPointer<UInt8>) -> Void)?

    package init() {}
  }

  /// The deepest nesting of included lists, and the most included lists in all.
  static let (mostNested, mostIncluded) = (64, 10_000)

  /// Continues with the lines of another list.
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
      // Ignore the rest, as any number of includes may follow.
      for frame in frames { frame.isOver = true }
      throw [SourceProblem(message, at: range)]
    }
    let source = try open(path, range)
    // The same file may have several paths, through ".." or a link.
    if frames.contains(where: { $0.name == path || source.identity != nil && $0.identity == source.identity }) {
      let chain = (frames.map(\.name) + [path]).joined(separator: " → ")
      throw [SourceProblem("the list includes itself: \(chain)", at: range)]
    }
    // Every list is read twice, which a pipe does not allow.
    guard source.isRegular else {
      throw [SourceProblem("\(path) is not a file, and only files are included", at: range)]
    }
    frames.append(Frame(path, source))
  }

  /// Reads the Info.plist that a `device` step names. It is found as an included list is.
  private func readPlist(
    _ name: String, into profile: inout DeviceProfile, _ line: UnsafeBufferPointer<UInt8>
  ) throws(SourceProblems) {
    let range = unsafe reader.range(of: "plist", in: line)
    guard let read = options.readPlist else {
      throw [SourceProblem("an Info.plist is read by 'skan replay' and 'skan timeline' alone", at: range)]
    }
    let from = frames.last?.name ?? ""
    let path = name.hasPrefix("/") ? name : (from.lastIndex(of: "/").map { from[...$0] } ?? "") + name
    guard options.mayInclude(path, frames.first?.name ?? "") else {
      let message =
        "\(path) is not below the list's own folder; --allow-include DIR lets lists name what is below DIR"
      throw [SourceProblem(message, at: range)]
    }
    do throws(SourceFailure) {
      try read(try (options.openIncluded ?? options.open)(path).all(most: 1 << 20), &profile)
    } catch {
      let reason =
        switch error {
        case .missing: "it does not exist; it is looked for beside the list"
        case .unreadable(let reason): reason
        default: "it is not a plain file"
        }
      throw [SourceProblem("cannot read \(path) as an Info.plist: \(reason)", at: range)]
    }
  }

  private func open(_ path: String, _ range: Range<Int>) throws(SourceProblems) -> ByteSource {
    if path == "-" { throw [SourceProblem("standard input cannot be included, only files", at: range)] }
    do throws(SourceFailure) { return try (options.openIncluded ?? options.open)(path) } catch {
      let message =
        switch error {
        case .missing: "\(path) does not exist; an included list is looked for beside the one that includes it"
        case .unreadable(let reason): "cannot read \(path): \(reason)"
        case .programMissing(let program): "cannot read \(path): it is packed, and \(program) is not on the PATH"
        case .unpacksToMore(let most): "cannot read \(path): it unpacks to more than \(most) bytes"
        case .interrupted: "interrupted"
        }
      throw [SourceProblem(message, at: range)]
    }
  }
}

/// The lists that a list may include: those below its own folder, and those below folders that the user names.
package struct IncludePermission: Sendable {
  private let allowed: [[String]]
  private let target: @Sendable (String) -> String

  /// - Parameters:
  ///   - folders: folders below which every list may be included.
  ///   - target: resolves a path, following links.
  package init(folders: [String] = [], target: @escaping @Sendable (String) -> String) {
    self.target = target
    allowed = folders.map { Self.folder(of: $0.hasSuffix("/") ? $0 : "\($0)/", target) }
  }

  /// - Parameters:
  ///   - path: the list to be included.
  ///   - list: the list named on the command line.
  package func allows(_ path: String, for list: String) -> Bool {
    let target = self.target(path)
    // A pipe or a directory cannot be resolved further, and is refused when it is opened.
    let name = path.split(separator: "/").last.map { [String($0)] } ?? []
    let parts = target == path ? Self.folder(of: path, self.target) + name : Self.parts(target)
    return (allowed + [Self.folder(of: list, self.target)]).contains { folder in
      parts.count > folder.count && parts.starts(with: folder) && (!folder.isEmpty || !["..", ""].contains(parts[0]))
    }
  }

  /// The folder of a list with links resolved, by resolving a name that does not exist in it.
  private static func folder(of list: String, _ target: (String) -> String) -> [String] {
    let prefix = list.lastIndex(of: "/").map { list[...$0] } ?? ""
    return Array(parts(target("\(prefix).skan-no-such-file")).dropLast())
  }

  /// The components of a path, with an empty first one for an absolute path.
  private static func parts(_ path: String) -> [String] {
    var parts: [String] = path.hasPrefix("/") ? [""] : []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != "..", last != "" {
        parts.removeLast()
      } else {
        parts.append(String(part))
      }
    }
    return parts
  }
}
