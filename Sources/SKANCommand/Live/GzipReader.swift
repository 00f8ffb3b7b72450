import SKANRun
import SKANSystem

/// What the program `gzip` makes of a packed source, as it comes.
///
/// One socket is its input and its output: what it takes and what it gives are waited for at the same time.
final class GzipReader {
  private let source: ByteSource
  private let socket: Int32
  private let child: ChildProcess
  /// What was read of the source and not taken yet.
  private var pending: ArraySlice<UInt8> = []
  private var isInputEnded = false
  private var isEnded = false
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts `gzip -dc`.
  init(_ source: ByteSource) throws(SourceFailure) {
    self.source = source
    guard let program = ProgramPath.find("gzip") else { throw .programMissing("gzip") }
    let variables = ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
      System.variable(name).map { "\(name)=\($0)" }
    }
    var start = ProgramStart(program, arguments: ["gzip", "-dc"], environment: variables)
    start.streams = [.socket, .sameAs(0), .dropped]
    do throws(Errno) {
      let (child, ends) = try start.run()
      (self.child, socket) = (child, ends[0])
    } catch {
      throw .unreadable("gzip cannot be started: \(error.reason)")
    }
  }

  deinit {
    Socket.closeDescriptor(socket)
    if !isEnded { child.kill() }
  }

  /// Fills a buffer; 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
    while !isEnded {
      if Interrupt.wasRequested { throw .interrupted }
      if pending.isEmpty, !isInputEnded { try refill() }
      let interest: PollSet.Interest = pending.isEmpty ? .input : .inputOrOutput
      guard let ready = Socket.wait(for: interest, on: socket, seconds: 0.1) else { continue }
      if ready.canRead || ready.hasFailed {
        switch unsafe Socket.receive(socket, into: buffer) {
        case .bytes(let count): return count
        case .wouldBlock: break
        // A reader that leaves input unread resets the connection.
        case .ended, .failed: try end()
        }
      } else if ready.canWrite {
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
    switch unsafe pending.withUnsafeBytes({ unsafe Socket.transmit(socket, $0) }) {
    case .bytes(let count): pending = pending.dropFirst(count)
    case .wouldBlock: break
    case .ended, .failed:
      // It is gone: its status says why.
      pending = []
      endInput()
    }
  }

  private func endInput() {
    isInputEnded = true
    Socket.endOutput(socket)
  }

  private func end() throws(SourceFailure) {
    isEnded = true
    if child.wait() == .code(0) { return }
    throw .unreadable("gzip cannot unpack it: it is cut off or damaged")
  }
}
