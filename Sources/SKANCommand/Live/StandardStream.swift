import Foundation

/// Whole texts to a descriptor. A write that is cut short goes on; a reader that is gone ends the program quietly.
enum StandardStream {
  static func write(_ text: String, to descriptor: Int32) throws(CommandError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
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
