/// What an entry of a capture is.
enum CaptureEntry {
  /// A request to one of the endpoints, and what is odd about its form.
  case request(CapturedRequest, remarks: [String] = [])
  /// A request to another host, or to a path that is not checked: a host, or a host and a path.
  case other(String)
  /// A tunnel through the proxy: what went through it is not in the capture.
  case undecrypted(host: String)
  case webSocket
}

/// Reads a form of capture that has an entry a line.
protocol LineEntryReader {
  /// Whether a line, which is not empty, is none of the entries.
  mutating func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool

  /// - Throws: why a line cannot be read.
  mutating func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry
}
