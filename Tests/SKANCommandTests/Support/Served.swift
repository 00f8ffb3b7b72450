import Foundation
import SKANHTTP
import TestSupport
import Testing
import skan_http

/// `skan serve` on a port of its own, as an executable.
final class Served {
  let address: String
  private let process: Process
  private let output = Pipe()
  private let errors = Pipe()
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - isQuiet: whether it prints no line for each request.
  ///   - environment: variables beside those of every process.
  init(
    _ arguments: [String], in workspace: Workspace, isQuiet: Bool = true, environment: [String: String] = [:]
  ) throws {
    process = Process()
    process.executableURL = Workspace.executable
    process.arguments = ["serve", "--port", "0"] + (isQuiet ? ["--quiet"] : []) + arguments
    process.currentDirectoryURL = workspace.url
    process.environment = Workspace.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
    // A test runs on a thread that takes no signals, and a process inherits that.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      line += String(decoding: data, as: UTF8.self)
    }
    firstLine = line
    address = String(line.dropFirst("listening on ".count).dropLast())
  }

  /// All that was on standard output when the server was ready.
  let firstLine: String

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// GETs a path and its query.
  func get(_ path: String, headers: [(String, String)] = []) throws -> (status: Int, text: String) {
    let exchange = try exchange(path, headers: headers)
    return (exchange.response.status, String(decoding: exchange.response.body, as: UTF8.self))
  }

  /// The same with the answer's headers.
  func exchange(_ path: String, headers: [(String, String)] = []) throws -> HTTPExchange {
    let request = HTTPRequest.get(
      "\(address)\(path)", headers: HTTPFields(headers.map { HTTPField($0.0, $0.1) }))
    return try HTTPTransport().send(request, within: HTTPAnswerLimits(seconds: TestTime.patience)).get()
  }

  /// Sends a signal and goes on.
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end, though not forever, perhaps after a signal.
  func end(_ signal: Int32? = nil) -> (code: Int32, out: String, err: String) {
    if let signal { kill(process.processIdentifier, signal) }
    if hasEnded.wait(timeout: .now() + TestTime.patience) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
    }
    let status = process.terminationStatus
    return (
      process.terminationReason == .uncaughtSignal ? -status : status,
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    )
  }
}
