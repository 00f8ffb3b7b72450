import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1 for tests, which answers as badly as a handler wants.
///
///     let server = try TestServer { request in
///       request.path == "/" ? .status(200, body: "{}") : .status(404)
///     }
///     defer { server.stop() }
///     // ask server.url("/")
///
/// Each connection has its own thread, so that a slow answer holds up no other. The handler runs on these threads:
/// it has to be `@Sendable`, and a closure made on the main actor must say so (`{ @Sendable request in … }`), or it
/// traps there. The threads keep the server alive until it is stopped.
package final class TestServer: Sendable {
  /// Answers one request.
  package typealias Handler = @Sendable (Request) -> Response

  private struct Log {
    var requests: [Request] = []
    var connections = 0
    var isStopped = false
  }

  /// Chosen by the system.
  package let port: Int
  private let handler: Handler
  private let listener: Int32
  /// Its writing end is closed to wake every thread at once.
  private let alarm: Pipe
  private let threads = DispatchGroup()
  private let log = Mutex(Log())

  /// Listens as soon as it is made.
  package init(handler: @escaping Handler) throws {
    self.handler = handler
    let alarm = try Pipe()
    do {
      (listener, port) = try TestSocket.listen()
    } catch {
      alarm.close()
      throw error
    }
    self.alarm = alarm
    threads.enter()
    Thread.detachNewThread { [self] in
      acceptConnections()
      threads.leave()
    }
  }

  /// `http://127.0.0.1:port` and the path.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// All requests so far, in their order.
  package var requests: [Request] { log.withLock { $0.requests } }

  /// How many connections were accepted so far.
  package var connections: Int { log.withLock { $0.connections } }

  /// Breaks all connections off, waits for the threads and closes every descriptor. A second call does nothing.
  package func stop() {
    let isFirst = log.withLock { log in
      defer { log.isStopped = true }
      return !log.isStopped
    }
    guard isFirst else { return }
    alarm.ring()
    threads.wait()
    close(listener)
    alarm.close()
  }

  private func acceptConnections() {
    while TestSocket.wait(for: listener, POLLIN, alarm: alarm.reading) {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { continue }
      TestSocket.prepare(descriptor)
      log.withLock { $0.connections += 1 }
      threads.enter()
      Thread.detachNewThread { [self] in
        var connection = Connection(descriptor: descriptor, alarm: alarm.reading)
        while let request = connection.nextRequest() {
          log.withLock { $0.requests.append(request) }
          guard connection.send(handler(request)) else { break }
        }
        close(descriptor)
        threads.leave()
      }
    }
  }
}
