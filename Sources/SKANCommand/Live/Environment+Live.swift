import Foundation
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning

extension Environment {
  /// The real world.
  package static var live: Environment {
    let transport = HelperTransport(places: HelperProtocol.places(besideProgramIn: ownFolder.path))
    var environment = Environment(
      variable: { name in unsafe getenv(name).map { unsafe String(cString: $0) } },
      now: {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
      },
      files: .live,
      writeOutput: { (bytes) throws(CommandError) in try StandardStream.write(bytes, to: STDOUT_FILENO) },
      writeError: { text in try? StandardStream.write(text, to: STDERR_FILENO) },
      send: { request, limits in
        transport.send(request.complete, within: limits, isInterrupted: { Interrupt.wasRequested })
      },
      isInterrupted: { Interrupt.wasRequested })
    environment.prepareToSend = { () throws(CommandError) in
      do throws(SocketChild.Failure) { try transport.prepare() } catch { throw .cannotSend(error.reason) }
    }
    environment.sendRaw = { requests, address, seconds in
      HTTPRawClient.send(requests, to: address, within: seconds, isInterrupted: { Interrupt.wasRequested })
    }
    environment.variables = { prefix in
      ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix(prefix) }.map { ($0.key, $0.value) }
    }
    environment.isUTF8 = { name in
      unsafe getenv(name).map { unsafe String(validatingCString: $0) != nil } ?? true
    }
    environment.catchHangups = {
      Interrupt.catchHangups()
      return { Interrupt.consumeHangup() }
    }
    environment.sleep = { seconds in
      let end = Date(timeIntervalSinceNow: seconds)
      while !Interrupt.wasRequested, end.timeIntervalSinceNow > 0 {
        Thread.sleep(forTimeInterval: min(0.05, max(0, end.timeIntervalSinceNow)))
      }
    }
    environment.isTerminal = {
      unsafe isatty(STDERR_FILENO) == 1 && getenv("TERM").map { unsafe strcmp($0, "dumb") != 0 } ?? false
    }
    environment.terminalColumns = { stream in
      let descriptor = stream == .results ? STDOUT_FILENO : STDERR_FILENO
      guard isatty(descriptor) == 1 else { return nil }
      var size = winsize()
      // A terminal that does not say is as wide as terminals were.
      return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
    environment.isPiped = {
      var status = stat()
      return unsafe fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
    environment.cores = { ProcessInfo.processInfo.activeProcessorCount }
    environment.projectFolders = {
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      return (0...depth).map { String(repeating: "../", count: $0) }
    }
    environment.watchLines = { stream, isStyled in
      let lines = WatchedLines(stream == .results ? STDOUT_FILENO : STDERR_FILENO, isStyled: isStyled)
      return { lines.write($0) }
    }
    environment.startProgram = StartedProgram.start
    environment.unpack = { (source) throws(SourceFailure) in
      let reader = try GzipReader(source)
      return unsafe ByteSource(isRegular: false) { buffer throws(SourceFailure) in try unsafe reader.read(buffer) }
    }
    environment.installedFixtures = {
      let folder = ownFolder.deletingLastPathComponent().appending(path: "share/skan/fixtures")
      return FileManager.default.fileExists(atPath: folder.path) ? folder.path : nil
    }
    environment.protectMemory = CoreFiles.forbid
    environment.signatures = .platform { Interrupt.wasRequested }
    return environment
  }

  /// The folder of this program's file, links resolved.
  private static var ownFolder: URL {
    #if canImport(Darwin)
      let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    #else
      let program = "/proc/self/exe"
    #endif
    return URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
  }
}

extension HTTPRequest {
  /// With the headers that all of its kind have: a postback is JSON, and a body that says itself what it is stays that.
  fileprivate var complete: HTTPRequest {
    var request = self
    let isTyped = method == "GET" || headers["Content-Type"] != nil
    request.headers = [
      HTTPField(isTyped ? "Accept" : "Content-Type", "application/json"),
      HTTPField("User-Agent", "skan/\(CommandLineTool.version)"),
    ]
    for field in headers { request.headers.append(field.name, field.value) }
    return request
  }
}
