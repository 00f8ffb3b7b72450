import SKANHTTP
import SKANBase

/// Makes a request of a line that is a URL, a GET of which neither time nor answer is known.
struct URLLineReader: LineEntryReader {
  let hosts: TrafficHosts

  func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool { unsafe line.first == UInt8(ascii: "#") }

  func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry {
    guard let text = unsafe String(validating: line, as: UTF8.self) else {
      throw CaptureProblem("the line is not UTF-8", at: location)
    }
    let target = HTTPTarget(String(text.prefix { $0 != "#" }))
    guard !target.origin.isEmpty, !text.contains(where: { $0 == " " || $0 == "\t" }) else {
      throw CaptureProblem("the line is not a URL", at: location)
    }
    let host = TrafficHosts.host(of: target.origin)
    switch hosts.destination(of: target) {
    case .endpoint: return .request(CapturedRequest(HTTPRequest(target: target), location: location))
    case .otherPath: return .other(host + target.path)
    case .otherHost: return .other(host)
    }
  }
}
