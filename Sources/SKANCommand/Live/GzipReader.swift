import Foundation
import SKANHTTP
import SKANRun
import SKANSigning

/// What the program `gzip` makes of a packed source, as it comes.
///
/// One socket is its input and its output: what it takes and what it gives are waited for at the same time.
final class GzipReader {
  private let source: ByteSource
  private let socket: Int32
  private let process: pid_t
  /// What was read of the source and not taken yet.
  private var pending: ArraySlice<UInt8> = []
  private var isInputEnded = false
  private var isEnded = false
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts `gzip -dc`.
  init(_ source: ByteSource) throws(SourceFailure) {
    self.source = source
    guard let program = ProgramPath.find("gzip") else { throw .programMissing("gzip") }
    let child = try Self.start(program)
    (process, socket) = (child.process, child.socket)
  }

  deinit {
    close(socket)
    if !isEnded {
      kill(process, SIGKILL)
      _ = status()
    }
  }

  /// Fills a buffer; 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
    while !isEnded {
      if Interrupt.wasRequested { throw .interrupted }
      if pending.isEmpty, !isInputEnded { try refill() }
      let events = Int16(POLLIN) | (pending.isEmpty ? 0 : Int16(POLLOUT))
      var waiting = [pollfd(fd: socket, events: events, revents: 0)]
      guard unsafe poll(&waiting, 1, 100) > 0 else { continue }
      let ready = waiting[0].revents
      if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        let count = unsafe recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return count }
        // A reader that leaves input unread resets the connection.
        if count == 0 || errno == ECONNRESET { try end() }
      } else if ready & Int16(POLLOUT) != 0 {
        give()
      }
    }
    return 0
  }

  private func refill() throws(SourceFailure) {
    let failure = unsafe block.withUnsafeMutableBytes { block -> SourceFailure? in
      do throws(SourceFailure) {
        let count = try unsafe source.read(block)
        unsafe pending = ArraySlice(Array(block[..<count]))
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    if pending.isEmpty { endInput() }
  }

  private func give() {
    let flags = Int32(MSG_DONTWAIT) | SocketChild.sendFlags
    let count = unsafe pending.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, flags) }
    if count > 0 {
      pending = pending.dropFirst(count)
    } else if errno != EAGAIN, errno != EINTR {
      // It is gone: its status says why.
      pending = []
      endInput()
    }
  }

  private func endInput() {
    isInputEnded = true
    shutdown(socket, Int32(SHUT_WR))
  }

  private func end() throws(SourceFailure) {
    isEnded = true
    if status() == 0 { return }
    throw .unreadable("gzip cannot unpack it: it is cut off or damaged")
  }

  /// The exit code, when it has ended; negative for a signal.
  private func status() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }
}
