import Foundation
import SKANDevice
import SKANEndpoint
import SKANSigning

extension Environment {
  /// The real world.
  package static var live: Environment {
    let transport = HTTPTransport()
    var environment = Environment(
      variable: { name in getenv(name).map { String(cString: $0) } },
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
      },
      files: .live,
      writeOutput: { (bytes) throws(CommandError) in try StandardStream.write(bytes, to: STDOUT_FILENO) },
      writeError: { text in try? StandardStream.write(text, to: STDERR_FILENO) },
      send: { url, headers, seconds in
        transport.get(
          url,
          headers: [("Accept", "application/json"), ("User-Agent", "skan/\(CommandLineTool.version)")] + headers,
          deadline: seconds, isInterrupted: { Interrupt.wasRequested })
      },
      isInterrupted: { Interrupt.wasRequested })
    environment.post = { url, headers, body, seconds in
      transport.post(
        url,
        headers: [("Content-Type", "application/json"), ("User-Agent", "skan/\(CommandLineTool.version)")] + headers,
        body: body, deadline: seconds, isInterrupted: { Interrupt.wasRequested })
    }
    environment.variables = { prefix in
      ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix(prefix) }.map { ($0.key, $0.value) }
    }
    environment.sleep = { seconds in
      let end = Date(timeIntervalSinceNow: seconds)
      while !Interrupt.wasRequested, end.timeIntervalSinceNow > 0 {
        Thread.sleep(forTimeInterval: min(0.05, max(0, end.timeIntervalSinceNow)))
      }
    }
    environment.isTerminal = { isatty(STDERR_FILENO) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false }
    environment.isPiped = {
      var status = stat()
      return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
    environment.cores = { ProcessInfo.processInfo.activeProcessorCount }
    environment.signatures = .platform
    return environment
  }
}
