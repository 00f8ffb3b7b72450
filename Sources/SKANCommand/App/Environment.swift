import SKANBacktest
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem

/// Everything outside the program that a command can touch. The live one is made in `main`; tests make their own.
package struct Environment: Sendable {
  /// Environment variables; nil and empty mean the same.
  package var variable: @Sendable (String) -> String?
  /// All environment variables whose names begin so.
  package var variables: @Sendable (_ prefix: String) -> [(name: String, value: String)] = { _ in [] }
  /// Whether the value of a variable is UTF-8; what else is read of it is not its value.
  package var isUTF8: @Sendable (_ variable: String) -> Bool = { _ in true }
  /// The real clock.
  package var now: @Sendable () -> Instant
  package var files: FileAccess
  /// Where a project file may be, nearest first: the working directory and those above it, each with its slash and empty
  /// for the first. None unless it is set.
  package var projectFolders: @Sendable () -> [String] = { [] }
  /// Results, escaped by ``Terminal``. Throws when the reader is gone or the disk is full.
  package var writeOutput: @Sendable ([UInt8]) throws(CommandError) -> Void
  /// Everything else, as it is: ``printError(_:)-(StyledText)`` escapes what is not the program's own. What cannot be
  /// written is lost.
  package let writeError: @Sendable (String) -> Void
  /// Takes whole lines for a person who watches, on the output or beside it: what cannot be written at once is left out.
  /// Lines that a ``TerminalStyle`` has made are written as they are.
  package var watchLines: @Sendable (_ stream: TextStream, _ isStyled: Bool) -> ([UInt8]) -> Void
  /// Results as they are, for lines that a ``TerminalStyle`` has made.
  let writeStyled: @Sendable ([UInt8]) throws(CommandError) -> Void
  /// How lines for people are shown.
  var styles = TerminalStyles.plain
  /// A GET, or a POST of a JSON text; the headers that every request has are added.
  package var send: @Sendable (HTTPRequest, _ limits: HTTPAnswerLimits) -> Result<HTTPExchange, TransportFailure>
  /// Requests as raw bytes, all at the same time, each over a connection of its own; plain HTTP only.
  package var sendRaw:
    @Sendable (_ requests: [HTTPRawRequest], HTTPAddress, _ seconds: Double) ->
      [Result<HTTPRawAnswer, TransportFailure>] = { requests, _, _ in
        requests.map { _ in .failure(.unreachable("there is no network here")) }
      }
  /// Starts what sends requests, so that the first one begins sooner.
  package var prepareToSend: @Sendable () throws(CommandError) -> Void = { () throws(CommandError) in }
  /// Keeps this process's memory, which holds the SDK key from then on, out of core files.
  package var protectMemory: @Sendable () -> Void = {}
  /// A new identifier for vendors each time: all that is random in this program.
  package var randomIDFV: @Sendable () -> String = {
    DeviceProfile.idfv(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }
  /// Whether the user asked to stop.
  package var isInterrupted: @Sendable () -> Bool
  /// From then on SIGHUP does not end the process: what is given back says, once for each, whether there was one.
  package var catchHangups: @Sendable () -> @Sendable () -> Bool = { { false } }
  /// Waits this many seconds, or until the user asks to stop.
  package var sleep: @Sendable (_ seconds: Double) -> Void = { _ in }
  /// Whether a person watches what is written to stderr, on a terminal that can move its cursor.
  package var isTerminal: @Sendable () -> Bool = { false }
  /// The width of the terminal that a stream goes to; nil where it goes elsewhere.
  package var terminalColumns: @Sendable (TextStream) -> Int? = { _ in nil }
  /// Whether the output goes into a pipe.
  package var isPiped: @Sendable () -> Bool = { false }
  /// How many lists can run at a time.
  package var cores: @Sendable () -> Int = { 1 }
  /// How many rows of one device an import or a backtest takes.
  package var mostRowsOfDevice = EventPartitions.mostRecords
  /// Runs something on a thread of its own; false when the system has no thread left.
  package var startThread: @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool = { WorkerThread.start($0) }
  /// Starts a program of the user's beside this one.
  package var startProgram: ProgramStarter = { (arguments, _) throws(CommandError) in
    throw .commandNotStarted("cannot start \(arguments[0].oneLine): no program can be started here", status: 126)
  }
  /// The folder of the examples that were installed with this program; nil in a clone.
  package var installedFixtures: @Sendable () -> String? = { nil }
  /// What a packed source holds; see ``GzipReader``.
  package var unpack: @Sendable (ByteSource) throws(SourceFailure) -> ByteSource = { _ throws(SourceFailure) in
    throw .programMissing("gzip")
  }
  /// Signing and checking of postbacks.
  package var signatures = SignatureTool.missing

  package init(
    variable: @escaping @Sendable (String) -> String?, now: @escaping @Sendable () -> Instant, files: FileAccess,
    writeOutput: @escaping @Sendable ([UInt8]) throws(CommandError) -> Void,
    writeError: @escaping @Sendable (String) -> Void,
    send: @escaping @Sendable (HTTPRequest, _ limits: HTTPAnswerLimits) -> Result<HTTPExchange, TransportFailure>,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.variable = variable
    self.now = now
    self.files = files
    self.writeOutput = { (bytes) throws(CommandError) in try writeOutput(Terminal.visible(bytes)) }
    self.writeError = writeError
    watchLines = { stream, isStyled in
      { lines in
        let visible = isStyled ? lines : Terminal.visible(lines)
        switch stream {
        case .results: try? writeOutput(visible)
        case .messages: writeError(String(decoding: visible, as: UTF8.self))
        }
      }
    }
    writeStyled = writeOutput
    self.send = send
    self.isInterrupted = isInterrupted
  }
}

extension Environment {
  /// Opens an input, and lets `gzip` unpack it where it is packed.
  func openUnpacked(_ path: String) throws(SourceFailure) -> ByteSource {
    let source = try files.open(path)
    let beginning = try source.beginning(2)
    let whole = source.preceded(by: beginning)
    return beginning == [0x1F, 0x8B] ? try unpack(whole) : whole
  }

  /// Writes a text to the output.
  func write(_ text: String) throws(CommandError) { try writeOutput(Array(text.utf8)) }

  /// Writes a line for people to the output.
  func print(_ line: StyledText) throws(CommandError) { try writeStyled(Array(styles.results.text(line).utf8)) }

  /// Writes lines for people to the output, all at once.
  func print(_ lines: [StyledText]) throws(CommandError) {
    try writeStyled(Array(lines.map(styles.results.text).joined().utf8))
  }

  /// Writes a line for people to stderr.
  func printError(_ line: StyledText) { writeError(styles.messages.text(line)) }

  /// Writes lines for people to stderr, all at once.
  func printError(_ lines: [StyledText]) { writeError(lines.map(styles.messages.text).joined()) }

  /// A world without files, network and clock, in which no command runs. The defaults of options are read in it.
  static let empty = Environment(
    variable: { _ in nil }, now: { Instant(microseconds: 0) },
    files: FileAccess(
      read: { _ throws(CommandError) in nil },
      replace: { (path, _) throws(CommandError) in throw .cannotWrite(file: path, reason: "there are no files here") },
      lock: { (path, _, _) throws(CommandError) in throw .cannotWrite(file: path, reason: "there are no files here") },
      readInput: { () throws(CommandError) in [] }, open: { _ throws(SourceFailure) in throw .missing },
      entries: { _ throws(SourceFailure) in nil }, glob: { _ in [] }),
    writeOutput: { _ throws(CommandError) in }, writeError: { _ in }, send: { _, _ in .failure(.noSuchHost) },
    isInterrupted: { false })
}

/// Where a command writes; the SDK key never gets past it, wherever a text has it from.
struct Output: Sendable {
  let environment: Environment
  let isQuiet: Bool
  private let redactor: Redactor

  init(_ environment: Environment, isQuiet: Bool, redactor: Redactor) {
    self.environment = environment
    self.isQuiet = isQuiet
    self.redactor = redactor
  }

  /// A line of results for people, unless `--quiet`.
  func line(_ line: StyledText) throws(CommandError) {
    if !isQuiet { try environment.print(line.mapText(redactor.redacted)) }
  }

  /// A line of results for programs, unless `--quiet`: neither colored nor wrapped.
  func result(_ line: String) throws(CommandError) {
    if !isQuiet { try always(line) }
  }

  /// A line of results for people that is printed also with `--quiet`.
  func always(_ line: StyledText) throws(CommandError) { try environment.print(line.mapText(redactor.redacted)) }

  /// The same for programs.
  func always(_ line: String) throws(CommandError) { try environment.write(redactor.redacted(line) + "\n") }

  /// A remark on stderr, unless `--quiet`.
  func note(_ line: StyledText) { if !isQuiet { error(line) } }

  /// A line on stderr.
  func error(_ line: StyledText) { environment.printError(line.mapText(redactor.redacted)) }

  /// Lines on stderr.
  func error(_ lines: [StyledText]) { environment.printError(lines.mapText(redactor.redacted)) }
}

/// A program of the user's that runs beside this one, with the same streams.
package struct StartedProgram: Sendable {
  /// What it ended with: its exit code, or 128 and the number of the signal that ended it; nil while it runs. Asking
  /// passes on the signals that this process got.
  package let status: @Sendable () -> Int32?

  package init(status: @escaping @Sendable () -> Int32?) { self.status = status }
}

/// Starts a program: its name and arguments, and variables that its environment has besides ours.
///
/// - Throws: ``CommandError/commandNotStarted(_:status:)``.
package typealias ProgramStarter =
  @Sendable (_ arguments: [String], _ variables: [(name: String, value: String)]) throws(CommandError) -> StartedProgram
