import SKANBacktest
import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem

/// Everything outside the program that a command can access. The program's entry point makes the live environment;
/// tests make their own.
package struct Environment: Sendable {
  /// Reads an environment variable. An unset and an empty one are equivalent.
  package var variable: @Sendable (String) -> String?
  /// All environment variables whose names have a prefix.
  package var variables: @Sendable (_ prefix: String) -> [(name: String, value: String)] = { _ in [] }
  /// Whether the value of a variable is valid UTF-8. If not, ``variable`` does not return the actual value.
  package var isUTF8: @Sendable (_ variable: String) -> Bool = { _ in true }
  /// The real clock.
  package var now: @Sendable () -> Instant
  package var files: FileAccess
  /// The keys that are in nothing that is written.
  package var redaction = Redaction()
  /// The directories to search for a project file, nearest first: the working directory, as an empty string, and then
  /// each directory above it, with a trailing slash. Empty unless set.
  package var projectFolders: @Sendable () -> [String] = { [] }
  /// Writes results unchanged: ``write(_:)-([UInt8])`` and ``print(_:)`` remove the SDK key, and escape text from
  /// outside the program. Throws if the reader is gone or the disk is full.
  private let writeOutput: @Sendable (borrowing ByteText) throws(CommandError) -> Void
  /// Writes everything else unchanged: ``printError(_:)`` removes the SDK key, and escapes text from outside the
  /// program. A failed write is ignored.
  private var writeError: @Sendable (String) -> Void
  /// Takes whole lines for a person who watches a stream. Lines that cannot be written at once are dropped. Lines
  /// styled by a ``TerminalStyle`` are written unchanged. See ``watch(_:isStyled:)``.
  package var watchLines: @Sendable (_ stream: TextStream, _ isStyled: Bool) -> ([UInt8]) -> Void
  /// How each stream shows lines for people.
  package var styles = TerminalStyles.plain
  /// Sends a GET, or a POST of a JSON text, and adds the headers common to all requests.
  package var send: @Sendable (HTTPRequest, _ limits: HTTPAnswerLimits) -> Result<HTTPExchange, TransportFailure>
  /// Sends raw requests, all at the same time, each over its own connection. Supports plain HTTP only.
  package var sendRaw:
    @Sendable (_ requests: [HTTPRawRequest], HTTPAddress, _ seconds: Double) ->
      [Result<HTTPRawAnswer, TransportFailure>] = { requests, _, _ in
        requests.map { _ in .failure(.unreachable("there is no network here")) }
      }
  /// Starts the program that sends requests. Throws if it cannot send any.
  package var prepareToSend: @Sendable () throws(CommandError) -> Void = { () throws(CommandError) in }
  /// Excludes this process's memory from core dumps, since it holds the SDK key.
  package var protectMemory: @Sendable () -> Void = {}
  /// Returns a new random identifier for vendors. It is the only random value in this program.
  package var randomIDFV: @Sendable () -> String = {
    DeviceProfile.idfv(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }
  /// Whether the user asked to stop.
  package var isInterrupted: @Sendable () -> Bool
  /// Prevents SIGHUP from ending the process. The returned function says whether a SIGHUP has arrived since it was last
  /// called.
  package var catchHangups: @Sendable () -> @Sendable () -> Bool = { { false } }
  /// Waits this many seconds, or until the user asks to stop.
  package var sleep: @Sendable (_ seconds: Double) -> Void = { _ in }
  /// Whether stderr is a terminal that can move its cursor.
  package var isTerminal: @Sendable () -> Bool = { false }
  /// The width, in columns, of the terminal that a stream is connected to; nil if it is not a terminal.
  package var terminalColumns: @Sendable (TextStream) -> Int? = { _ in nil }
  /// Whether standard output is a pipe.
  package var isPiped: @Sendable () -> Bool = { false }
  /// The number of lists that can run at the same time.
  package var cores: @Sendable () -> Int = { 1 }
  /// The maximum number of rows of one device that an import or a backtest takes.
  package var mostRowsOfDevice = EventPartitions.mostRecords
  /// Runs a closure on a new thread. Returns false if the system cannot create one.
  package var startThread: @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool = { WorkerThread.start($0) }
  /// Starts a program of the user's, which runs beside this one, given its name and arguments, and variables to add to
  /// this process's environment. A bound program gets SIGTERM when this process has ended, where the system has a way.
  ///
  /// - Throws: ``CommandError/commandNotStarted(_:status:)``.
  package var startProgram:
    @Sendable (_ arguments: [String], _ variables: [(name: String, value: String)], _ isBound: Bool)
      throws(CommandError) -> StartedProgram = { (arguments, _, _) throws(CommandError) in
        throw .commandNotStarted("cannot start \(arguments[0].oneLine): no program can be started here", status: 126)
      }
  /// The directory of the examples installed with this program; nil in a clone.
  package var installedFixtures: @Sendable () -> String? = { nil }
  /// The unpacked content of a gzip-compressed source; see ``GzipReader``.
  package var unpack: @Sendable (ByteSource) throws(SourceFailure) -> ByteSource = { _ throws(SourceFailure) in
    throw .programMissing("gzip")
  }
  /// Reads tables that are not text; see ``DuckDBTables``.
  package var duckDB = DuckDBProgram.none
  /// Signs and verifies postbacks.
  package var signatures = SignatureTool.missing

  package init(
    variable: @escaping @Sendable (String) -> String?, now: @escaping @Sendable () -> Instant, files: FileAccess,
    writeOutput: @escaping @Sendable (borrowing ByteText) throws(CommandError) -> Void,
    writeError: @escaping @Sendable (String) -> Void,
    send: @escaping @Sendable (HTTPRequest, _ limits: HTTPAnswerLimits) -> Result<HTTPExchange, TransportFailure>,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.variable = variable
    self.now = now
    self.files = files
    self.writeOutput = writeOutput
    self.writeError = writeError
    watchLines = { stream, isStyled in
      { lines in
        let visible = isStyled ? lines : Terminal.visible(lines)
        switch stream {
        case .results: try? writeOutput(ByteText(visible))
        case .messages: writeError(String(decoding: visible, as: UTF8.self))
        }
      }
    }
    self.send = send
    self.isInterrupted = isInterrupted
  }
}

extension Environment {
  /// Removes the keys known so far.
  package var redactor: Redactor { redaction.redactor }

  /// Writes results for programs, without the SDK key, and escaped by ``Terminal``.
  package func write(_ bytes: [UInt8]) throws(CommandError) {
    try writeOutput(ByteText(Terminal.visible(redactor.redacted(document: bytes))))
  }

  package func write(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

  /// Writes whole lines unchanged, neither redacted nor escaped.
  ///
  /// - Parameter reason: why they hold no SDK key.
  package func write(
    _ text: borrowing ByteText, to stream: TextStream, unredacted reason: StaticString
  ) throws(CommandError) {
    switch stream {
    case .results: try writeOutput(text)
    case .messages: writeError(text.string)
    }
  }

  /// Takes whole lines for a person who watches a stream, and removes the SDK key from them; see ``watchLines``.
  package func watch(_ stream: TextStream, isStyled: Bool) -> ([UInt8]) -> Void {
    let (write, redactor) = (watchLines(stream, isStyled), redactor)
    return { write(redactor.redacted($0)) }
  }

  /// Writes lines for people to the output, all at once, without the SDK key.
  package func print(_ lines: [StyledText]) throws(CommandError) {
    var text = ByteText()
    for line in lines.redacted(by: redactor) { text.append(styles.results.text(line)) }
    try writeOutput(text)
  }

  /// Writes help to the output, all at once. Where the output is no terminal, lines wrap at 80 columns.
  package func printHelp(_ lines: [StyledText]) throws(CommandError) {
    var environment = self
    environment.styles.results.columns = styles.results.columns ?? 80
    try environment.print(lines)
  }

  /// Writes lines for people to stderr, all at once, without the SDK key.
  package func printError(_ lines: [StyledText]) {
    writeError(lines.redacted(by: redactor).map(styles.messages.text).joined())
  }

  /// Calls a function with each text that is written to stderr, before it is written.
  package mutating func observeErrors(_ observe: @escaping @Sendable (String) -> Void) {
    writeError = { [writeError] text in
      observe(text)
      writeError(text)
    }
  }

  /// An environment without files, network or clock, in which no command runs. The defaults of options are read in it.
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

/// The output of a command, which `--quiet` may silence.
package struct Output: Sendable {
  package let environment: Environment
  package let isQuiet: Bool

  package init(_ environment: Environment, isQuiet: Bool) {
    self.environment = environment
    self.isQuiet = isQuiet
  }

  /// Writes a line of results for people, unless `--quiet`.
  package func line(_ line: StyledText, evenIfQuiet: Bool = false) throws(CommandError) {
    if !isQuiet || evenIfQuiet { try environment.print([line]) }
  }

  /// Writes a line of results for programs, unless `--quiet`: neither colored nor wrapped.
  package func result(_ line: String, evenIfQuiet: Bool = false) throws(CommandError) {
    if !isQuiet || evenIfQuiet { try environment.write(line + "\n") }
  }

  /// Writes a remark on stderr, unless `--quiet`.
  package func note(_ line: StyledText) { if !isQuiet { error([line]) } }

  package func error(_ lines: [StyledText]) { environment.printError(lines) }
}

/// A program of the user's that runs beside this one, with the same streams.
package struct StartedProgram: Sendable {
  /// The exit status: the exit code, or 128 plus the number of the signal that ended the program; nil while it runs.
  /// Calling this also forwards the signals that this process received.
  package let status: @Sendable () -> Int32?

  package init(status: @escaping @Sendable () -> Int32?) { self.status = status }
}
