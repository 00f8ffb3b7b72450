import Foundation
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem

extension Environment {
  /// The real world.
  package static var live: Environment {
    let transport = HelperTransport(places: HelperProtocol.places(besideProgramIn: System.programFolder.path))
    var environment = Environment(
      variable: System.variable,
      now: { Instant(microseconds: SystemClock.microsecondsSince1970) },
      files: .live,
      writeOutput: { (bytes) throws(CommandError) in
        do throws(StreamFailure) { try StandardStream.write(bytes, to: StandardStream.output) } catch {
          throw CommandError(error)
        }
      },
      writeError: { text in try? StandardStream.write(Array(text.utf8), to: StandardStream.errors) },
      send: { request, limits in
        transport.send(request.complete, within: limits, isInterrupted: { Interrupt.wasRequested })
      },
      isInterrupted: { Interrupt.wasRequested })
    environment.prepareToSend = { () throws(CommandError) in
      do throws(HelperTransport.StartFailure) { try transport.prepare() } catch { throw .cannotSend(error.reason) }
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
    environment.startProgram = StartedProgram.start
    environment.unpack = { (source) throws(SourceFailure) in
      let reader = try GzipReader(source)
      return unsafe ByteSource(isRegular: false) { buffer throws(SourceFailure) in try unsafe reader.read(buffer) }
    }
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
