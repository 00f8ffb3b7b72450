import Foundation

/// Whole pieces to a descriptor. A write that is cut short goes on; a reader that is gone ends the program quietly.
enum StandardStream {
  static func write(_ text: String, to descriptor: Int32) throws(CommandError) {
    try write(Array(text.utf8), to: descriptor)
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(CommandError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR where !Interrupt.wasRequested: continue
      case EINTR: throw .interrupted
      case EPIPE: throw .outputClosed
      default: throw .outputFailed(reason: String(cString: strerror(errno)))
      }
    }
  }
}
