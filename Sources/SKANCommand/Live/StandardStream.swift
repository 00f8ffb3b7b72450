import Foundation

/// Whole texts to a descriptor. A write that is cut short goes on; a reader that is gone ends the program quietly.
enum StandardStream {
  static func write(_ text: String, to descriptor: Int32) throws(CommandError) {
    var text = text
    var written = 0
    while written < text.utf8.count {
      let count = text.withUTF8 { bytes in
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
