import SKANBase
import SKANCommandLine
import SKANReceive
import SKANRun
import SKANSigning

/// Reads postbacks from files.
struct PostbackFiles {
  /// A postback and the file that contains it.
  struct Entry {
    let file: String
    /// Whether the file contains more than one postback.
    let isOneOfMany: Bool
    let document: PostbackDocument

    /// The file, with the line if the file has several postbacks.
    var location: String { isOneOfMany ? "\(file):\(document.line)" : file }
  }

  private let invocation: Invocation
  private var files: FileAccess { invocation.environment.files }

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Reads the postbacks of all arguments: files, directories with `*.json` and `*.jsonl`, and `-`.
  ///
  /// - Parameter target: the file that the postbacks are added to, which must not be among the arguments.
  /// - Throws: the problems of the first file that cannot be used.
  func read(into target: String) throws(CommandError) -> [Entry] {
    var entries: [Entry] = []
    for path in try paths() {
      if path != "-", files.target(path) == files.target(target) {
        throw invocation.usage("\(path.oneLine) is the file that the postbacks go into")
      }
      let new = try read(path)
      let problems = new.compactMap(\.document.intakeProblem)
      if !problems.isEmpty { throw .content(file: path, SourceNotes(problems).notes) }
      entries += new
    }
    return entries
  }

  /// Reads the postbacks of a file without judging whether they can be kept.
  func read(_ path: String) throws(CommandError) -> [Entry] {
    let documents = try invocation.environment.postbacks(
      path, hint: "name a file with postbacks, a directory of such files, or - for standard input")
    return documents.map { Entry(file: path, isOneOfMany: documents.count > 1, document: $0) }
  }

  /// The files that the arguments stand for.
  func paths() throws(CommandError) -> [String] {
    var all: [String] = []
    for argument in invocation.positional { all += try paths(argument) }
    return all
  }

  private func paths(_ argument: String) throws(CommandError) -> [String] {
    if argument.isEmpty { throw invocation.usage("an argument is empty: name a file with postbacks") }
    guard argument != "-", let found = try files(under: argument) else { return [argument] }
    if found.isEmpty { throw .noPostbacks(directory: argument) }
    return found.sorted { $0.literallyPrecedes($1) }
  }

  /// The postback files under a directory, except hidden ones; nil if the path is not a directory.
  private func files(under path: String) throws(CommandError) -> [String]? {
    let entries: [DirectoryEntry]?
    do throws(SourceFailure) { entries = try files.entries(path) } catch { throw CommandError(error, file: path) }
    guard let entries else { return nil }
    let prefix = path.hasSuffix("/") ? path : "\(path)/"
    var found: [String] = []
    for entry in entries where !entry.name.hasPrefix(".") {
      guard entry.isDirectory || entry.name.hasSuffix(".json") || entry.name.hasSuffix(".jsonl") else { continue }
      do throws(SourceFailure) { try entry.requireName() } catch {
        throw CommandError(error, file: prefix + entry.name)
      }
      if entry.isDirectory {
        found += try files(under: prefix + entry.name) ?? []
      } else {
        found.append(prefix + entry.name)
      }
    }
    return found
  }
}

extension Environment {
  /// Reads the postbacks of one file, or of standard input for `-`.
  ///
  /// - Parameter hint: the advice for a file that does not exist.
  func postbacks(_ path: String, hint: String) throws(CommandError) -> [PostbackDocument] {
    let bytes =
      path == "-" ? try files.readInput() : try readRequired(path, as: [.postbacks], hint: hint, most: .max)
    if path == "-" { try ContentKind.check(bytes, of: path, isOneOf: [.postbacks]) }
    do throws(SourceNotes) { return try PostbackDocument.all(in: bytes) } catch {
      throw .content(file: path, error.notes)
    }
  }
}

extension CommandError {
  fileprivate static func noPostbacks(directory: String) -> CommandError {
    .missing(file: "\(directory)/*.json", hint: "no file there has postbacks (*.json, *.jsonl)")
  }
}

extension PostbackDocument {
  /// The reason why the postback cannot be kept; nil if it can.
  fileprivate var intakeProblem: SourceNote? {
    if let formProblem { return formProblem }
    guard body.count > PostbackIntake.longestBody else { return nil }
    return note("a postback must have at most \(PostbackIntake.longestBody >> 10) KiB, this has \(body.count) bytes")
  }
}
