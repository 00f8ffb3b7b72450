import Foundation

/// Whole pieces to a descriptor. A write that is cut short goes on; a reader that is gone ends the program quietly.
package enum StandardStream {
  /// Takes the places of standard streams that are closed, so that no file gets one of them: what is written to a closed
  /// output would end up in it. They stay as closed as they were, for reading and for writing.
  package static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe Foundation.open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  static func write(_ text: String, to descriptor: Int32) throws(CommandError) {
    try write(Array(text.utf8), to: descriptor)
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(CommandError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Foundation.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR where !Interrupt.wasRequested: continue
      case EINTR: throw .interrupted
      case EPIPE: throw .outputClosed
      default: throw unsafe .outputFailed(reason: String(cString: strerror(errno)))
      }
    }
  }
}
