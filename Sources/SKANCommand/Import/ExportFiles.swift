import SKANBacktest
import SKANBase
import SKANRun

/// The inputs of a command that reads events, one after the other: exports, whose preset is found by their columns, and
/// event lists of ours.
struct ExportFiles {
  enum Input {
    /// The rows of an export, and how they are read.
    case rows(ExportBlocks, ExportMapping)
    case eventList(ByteSource, file: String)
  }

  private let invocation: Invocation
  private let options: ExportOptions
  private let paths: [String]
  private let given: ExportMapping?
  /// Where none is given, that of the columns of the first export.
  private var guessed: (mapping: ExportMapping, preset: ExportPreset, file: String)?
  private var index = 0
  /// Whether a guess is said on stderr.
  private let saysGuess: Bool
  /// Gets all bytes of the inputs, unpacked.
  private let hash: InputHash?

  /// - Parameters:
  ///   - options: say how the files of the arguments are read.
  ///   - saysGuess: whether a guess is said on stderr.
  ///   - hash: gets all bytes of the inputs.
  /// - Throws: when a file holds no mapping, or a file is named twice.
  init(
    _ invocation: Invocation, _ options: ExportOptions, saysGuess: Bool, hash: InputHash? = nil
  ) throws(CommandError) {
    self.invocation = invocation
    self.options = options
    self.hash = hash
    self.saysGuess = saysGuess
    paths = invocation.positional
    given = try options.givenMapping(invocation)
    try invocation.checkNamedOnce(paths, hint: "a file of events, or - for standard input")
  }

  /// The next input that is not empty; nil after the last.
  mutating func next() throws(CommandError) -> Input? {
    while index < paths.count {
      let (path, number) = (paths[index], index)
      index += 1
      let file = path.inputName
      let source: ByteSource
      do throws(SourceFailure) {
        let text = try invocation.environment.openUnpacked(path)
        source = hash?.watching(text) ?? text
      } catch {
        throw CommandError(error, file: path, hint: "it should hold events")
      }
      do throws(ExportFailure) {
        switch try ExportInput.open(source, file: file, index: number) {
        case .empty: continue
        case .eventList(let list): return .eventList(list, file: path)
        case .rows(let blocks): return .rows(blocks, try mapping(of: blocks.layout))
        }
      } catch {
        throw CommandError(error, file: path)
      }
    }
    return nil
  }

  private mutating func mapping(of layout: ExportLayout) throws(ExportFailure) -> ExportMapping {
    let mapping: ExportMapping
    if let given { mapping = given } else { mapping = try guess(layout) }
    let problems = mapping.problems(with: layout)
    if problems.isEmpty { return mapping }
    throw .content(line: 1, message: problems.joined(separator: "\n      "))
  }

  private mutating func guess(_ layout: ExportLayout) throws(ExportFailure) -> ExportMapping {
    guard let preset = ExportPreset(columns: layout.columns) else {
      throw .content(line: 1, message: layout.unknownColumns)
    }
    if let guessed {
      if guessed.preset == preset { return guessed.mapping }
      throw .content(
        line: 1,
        message:
          "these are columns of \(preset.rawValue), and \(guessed.file) has those of \(guessed.preset.rawValue): "
          + "import each by itself, or name a mapping for both")
    }
    let mapping = options.completed(preset.mapping)
    guessed = (mapping, preset, layout.file)
    if saysGuess {
      invocation.environment.printError(
        .remark("\(layout.file): read with preset \(preset.rawValue), by its columns"))
    }
    return mapping
  }
}

extension CommandError {
  /// Why an export cannot be read.
  init(_ failure: ExportFailure, file: String) {
    switch failure {
    case .source(let failure): self = CommandError(failure, file: file, hint: "it should hold events")
    case .content(let line, let message):
      self = .lines([.at("\(file.inputName):\(line)", message)])
    }
  }
}
