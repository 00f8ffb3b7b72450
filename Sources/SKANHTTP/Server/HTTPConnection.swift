import SKANBase
import SKANSystem

/// One client's connection: what has come, what has still to go, and until when it may wait.
///
/// A class, since the server's loop changes two of its parts in one call, which an array of structs does not allow.
final class HTTPConnection {
  /// What a connection waits for, and by when.
  enum Wait: Equatable {
    /// For nothing: it is being dealt with.
    case none
    /// For the first request.
    case first
    /// For another request.
    case idle
    /// For the rest of a request's head.
    case head
    /// For the rest of a request's body.
    case body
    /// For the time of a delayed answer.
    case answer
    /// For the client to read.
    case output
    /// For the client to read our last bytes and close.
    case linger

    /// Whether it is the client's turn to send.
    var isForInput: Bool {
      switch self {
      case .first, .idle, .head, .body: true
      case .none, .answer, .output, .linger: false
      }
    }
  }

  let descriptor: Int32
  let peer: String
  /// Whether it is one too many, and is only refused.
  let isSurplus: Bool
  /// Its index in ``HTTPServer/connections``.
  var index: Int
  /// Whether the server has not closed it.
  var isOpen = true
  var parser: HTTPRequestParser
  var output = ByteText()
  /// How much of ``output`` has gone.
  var sent = 0
  /// How much of it had gone when ``deadline`` was set.
  var sentAtDeadline = 0
  /// A reply that is not known yet, and how it goes out. Nothing that came later is answered before it.
  var late: HTTPAnswer?
  /// An answer whose time has not come. Nothing that came later is answered before it.
  var delayed: (answer: HTTPAnswer, due: Double)?
  /// Set as soon as the last answer is known; what comes after is not read as a request.
  var isEnding = false
  /// Whether the client has sent its last byte. It may still be reading.
  var inputEnded = false
  /// When a client that has sent its last byte is taken to be gone.
  var goneAt = Double.infinity
  /// Whether the client closes too, and nothing of it is unread, so that closing at once loses nothing.
  var closesAtOnce = false
  var wait = Wait.first
  var deadline: Double
  /// When its wait began, in ``HTTPServer/waits``: of two connections the one with the lower number has waited longer.
  var waitNumber = 0
  /// Its part in ``HTTPServer/buffered``.
  var accounted = 0

  init(descriptor: Int32, peer: String, index: Int, isSurplus: Bool, limits: HTTPLimits, deadline: Double) {
    self.descriptor = descriptor
    self.peer = peer
    self.index = index
    self.isSurplus = isSurplus
    self.parser = HTTPRequestParser(limits: limits)
    self.deadline = deadline
  }

  var hasOutput: Bool { sent < output.count }

  /// The bytes that it keeps. An answer is kept whole until its last byte has gone.
  var held: Int {
    parser.buffered + (hasOutput ? output.capacity : 0) + (delayed?.answer.reply.response.body.count ?? 0)
  }

  /// Sends as much as goes.
  func transmit() -> Socket.Transfer {
    while hasOutput {
      let outcome = unsafe Socket.transmit(descriptor, UnsafeRawBufferPointer(rebasing: output.written[sent...]))
      guard case .bytes(let count) = outcome, count > 0 else { return outcome }
      sent += count
    }
    if output.capacity <= 8192 { output.removeAll() } else { output = ByteText() }
    let count = sent
    sent = 0
    return .bytes(count)
  }
}
