import SKANHTTP
import SKANBase

/// Makes a request of a line of an access log: its answer is a status, and the body of a POST is not known.
struct LogLineReader: LineEntryReader {
  private let form: AccessLogForm
  private let hosts: TrafficHosts
  private var columns = CloudFrontColumns()

  init(form: AccessLogForm, hosts: TrafficHosts) {
    self.form = form
    self.hosts = hosts
  }

  mutating func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe line.first == UInt8(ascii: "#") else { return false }
    if form == .cloudFront, let named = unsafe CloudFrontColumns(comment: String(decoding: line, as: UTF8.self)) {
      columns = named
    }
    return true
  }

  func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry {
    let text = unsafe String(decoding: line, as: UTF8.self)
    let logged: LoggedRequest? =
      switch form {
      case .combined: CombinedLogLine(text)?.request
      case .loadBalancer: LoadBalancerLine(text)?.request
      case .cloudFront: columns.line(text)
      }
    guard let logged else { throw CaptureProblem("the line has another form than the log's first", at: location) }
    let host = TrafficHosts.host(of: logged.target.origin)
    switch hosts.destination(of: logged.target) {
    case .otherHost: return .other(host)
    case .otherPath: return .other(host.isEmpty ? CaptureTally.otherPaths : host + logged.target.path)
    case .endpoint: break
    }
    return .request(
      CapturedRequest(
        HTTPRequest(method: logged.method, target: logged.target), at: logged.at,
        answer: logged.status > 0 ? .status(logged.status) : .failure("no status"), location: location))
  }
}
