import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem
import Synchronization

extension Environment {
  /// The environment of the running process.
  package static var live: Environment {
    let transport = HelperTransport(places: HelperProtocol.places(besideProgramIn: System.programFolder.path))
    var environment = Environment(
      variable: System.variable,
      now: { Instant(microseconds: SystemClock.microsecondsSince1970) },
      files: .live,
      writeOutput: { (text) throws(CommandError) in
        do throws(StreamFailure) { try unsafe StandardStream.write(text.written, to: StandardStream.output) } catch {
          throw CommandError(error)
        }
      },
      writeError: { text in try? StandardStream.write(Array(text.utf8), to: StandardStream.errors) },
      send: { request, limits in
        transport.send(request.complete, within: limits, isInterrupted: { Interrupt.wasRequested })
      },
      isInterrupted: { Interrupt.wasRequested })
    environment.prepareToSend = { () throws(CommandError) in
      do throws(HelperTransport.StartFailure) { try transport.prepare(isInterrupted: { Interrupt.wasRequested }) } catch
      { throw .cannotSend(error.reason) }
    }
    environment.sendRaw = { requests, address, seconds in
      HTTPRawClient.send(requests, to: address, within: seconds, isInterrupted: { Interrupt.wasRequested })
    }
    environment.variables = { prefix in
      System.environment.filter { $0.hasPrefix(prefix) }.compactMap { entry in
        entry.firstIndex(of: "=").map { (String(entry[..<$0]), String(entry[$0...].dropFirst())) }
      }
    }
    environment.isUTF8 = System.isUTF8
    environment.catchHangups = {
      Interrupt.catchHangups()
      return { Interrupt.consumeHangup() }
    }
    environment.sleep = { seconds in SystemClock.sleep(seconds) { Interrupt.wasRequested } }
    environment.isTerminal = { StandardStream.isTerminal(StandardStream.errors) }
    environment.terminalColumns = { StandardStream.columns(of: $0.descriptor) }
    environment.isPiped = { StandardStream.isPipe(StandardStream.output) }
    environment.cores = { ProcessInfo.processInfo.activeProcessorCount }
    environment.projectFolders = {
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      return (0...depth).map { String(repeating: "../", count: $0) }
    }
    environment.watchLines = { stream, isStyled in
      let lines = WatchedLines(stream.descriptor, isStyled: isStyled)
      return { lines.write($0) }
    }
    environment.startProgram = { (arguments, variables, isBound) throws(CommandError) in
      try StartedProgram.start(arguments, variables, isBound: isBound)
    }
    environment.unpack = { (source) throws(SourceFailure) in
      let reader = try GzipReader(source)
      return unsafe ByteSource(isRegular: false) { buffer throws(SourceFailure) in try unsafe reader.read(buffer) }
    }
    environment.duckDB = .live
    environment.installedFixtures = {
      let folder = System.programFolder.deletingLastPathComponent().appending(path: "share/skan/fixtures")
      return FileManager.default.fileExists(atPath: folder.path) ? folder.path : nil
    }
    environment.protectMemory = System.forbidCoreFiles
    environment.signatures = .platform { Interrupt.wasRequested }
    return environment
  }
}

extension TextStream {
  fileprivate var descriptor: Int32 { self == .results ? StandardStream.output : StandardStream.errors }
}

extension HTTPRequest {
  /// The request with the headers that every request has. The content type is JSON, unless the request is a GET or sets
  /// its own.
  fileprivate var complete: HTTPRequest {
    var request = self
    let isTyped = method == "GET" || headers["Content-Type"] != nil
    request.headers = [
      HTTPField(isTyped ? "Accept" : "Content-Type", "application/json"),
      HTTPField("User-Agent", "skan/\(ProgramVersion.text)"),
    ]
    for field in headers { request.headers.append(field.name, field.value) }
    return request
  }
}

/// Writes lines for a person without ever blocking: while a pipe is full, lines are dropped and counted.
final class WatchedLines {
  /// The number of bytes that a writable pipe takes at once.
  private static let most = 4096

  private let descriptor: Int32
  private var leftOut = 0
  /// Whether the last line was cut.
  private var isTorn = false

  /// Whether lines are already styled, and are written unchanged.
  private let isStyled: Bool

  init(_ descriptor: Int32, isStyled: Bool) {
    self.descriptor = descriptor
    self.isStyled = isStyled
  }

  /// - Parameter lines: whole lines, each with its line end.
  func write(_ lines: [UInt8]) {
    var rest = ArraySlice(isStyled ? lines : Terminal.visible(lines))
    while !rest.isEmpty {
      guard StandardStream.isReady(descriptor) else { return leaveOut(rest) }
      if leftOut > 0 || isTorn {
        let note = (isTorn ? "…\n" : "") + "skan: \(leftOut.counted("line")) left out: nothing read them in time\n"
        (leftOut, isTorn) = (0, false)
        try? StandardStream.write(Array(note.utf8), to: descriptor)
        continue
      }
      let piece = LineWriter.firstPiece(of: rest, room: Self.most).prefix(Self.most)
      // A reader that is gone is no reason to stop.
      try? StandardStream.write(Array(piece), to: descriptor)
      rest = rest[piece.endIndex...]
      isTorn = !rest.isEmpty && piece.last != UInt8(ascii: "\n")
      if isTorn, !StandardStream.isReady(descriptor) { return leaveOut(rest) }
      isTorn = false
    }
  }

  private func leaveOut(_ rest: ArraySlice<UInt8>) { leftOut += rest.count { $0 == UInt8(ascii: "\n") } }
}

extension StartedProgram {
  /// Starts a program, looked up on the PATH as a shell does, with this process's streams and environment.
  static func start(
    _ arguments: [String], _ variables: [(name: String, value: String)], isBound: Bool
  ) throws(CommandError) -> StartedProgram {
    let own = System.environment.filter { entry in !variables.contains { entry.hasPrefix("\($0.name)=") } }
    var start = ProgramStart(
      arguments[0], arguments: arguments, environment: own + variables.map { "\($0.name)=\($0.value)" })
    start.isOnPath = true
    start.endsWithParent = isBound
    // The program starts with the default action for each signal that this process ignores or handles.
    start.defaultSignals = Interrupt.taken
    let child: ChildProcess
    do throws(Errno) { child = try start.run().child } catch {
      throw failure(error, arguments[0])
    }
    let state = Mutex<(end: Int32?, wasContinued: Bool)>((nil, false))
    return StartedProgram {
      state.withLock { state in
        if state.end == nil { state.end = status(of: child, &state.wasContinued) }
        return state.end
      }
    }
  }

  /// The exit status; nil while the program runs.
  ///
  /// - Parameter wasContinued: whether the program was continued after the first request to stop.
  private static func status(of child: ChildProcess, _ wasContinued: inout Bool) -> Int32? {
    let signals = Interrupt.consumeSent()
    for number in signals { child.send(number) }
    // A stopped program takes no signal, including those of the terminal, until it is continued.
    if !signals.isEmpty || Interrupt.wasRequested && !wasContinued {
      child.send(SIGCONT)
      wasContinued = true
    }
    return switch child.end {
    case .code(let code): code
    case .signal(let number): 128 + number
    // Another part of the process has already waited for the child, so its status is unknown.
    case .unknown: 127
    case nil: nil
    }
  }

  private static func failure(_ error: Errno, _ program: String) -> CommandError {
    let name = program.oneLine
    return switch error {
    case .notFound where program.contains("/"):
      .commandNotStarted(
        "cannot start \(name): there is no such file, or its first line names a program that is not there", status: 127)
    case .notFound: .commandNotStarted("cannot start \(name): there is no such program on the PATH", status: 127)
    // The path leads to no file.
    case .notDirectory, .nameTooLong, .linkLoop:
      .commandNotStarted("cannot start \(name): there is no such file: \(error.reason)", status: 127)
    case .accessDenied: .commandNotStarted("cannot start \(name): it is not executable", status: 126)
    case .notExecutable:
      .commandNotStarted(
        "cannot start \(name): it is not a program; a script begins with a line such as #!/bin/sh", status: 126)
    default: .commandNotStarted("cannot start \(name): \(error.reason)", status: 126)
    }
  }
}
