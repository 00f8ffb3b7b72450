import SKANDevice
import SKANHTTP

/// A form of access logs.
package enum AccessLogForm: CaseIterable, Sendable {
  /// Apache's and nginx's.
  case combined
  /// AWS Application Load Balancer.
  case loadBalancer
  /// AWS CloudFront.
  case cloudFront

  /// Whether a line is of this form.
  func reads(_ line: String) -> Bool {
    switch self {
    case .combined: CombinedLogLine(line) != nil
    case .loadBalancer: LoadBalancerLine(line) != nil
    case .cloudFront: CloudFrontColumns().line(line) != nil
    }
  }
}

/// What an access log says of a request.
struct LoggedRequest: Equatable {
  let method: String
  /// Without an origin where the log has no host.
  let target: HTTPTarget
  let status: Int
  let at: Instant
}
