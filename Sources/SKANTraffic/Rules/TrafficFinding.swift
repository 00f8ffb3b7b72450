import SKANDevice

/// One breach of one rule by one request.
package struct TrafficFinding: Sendable, Equatable {
  /// The rule that fired.
  package var rule: TrafficRule
  /// The problem with this request, a sentence. It holds no key and no token.
  package var message: String
  /// Where the request is in its capture.
  package var location: CaptureLocation
  /// When the request was sent; nil where the capture has no time.
  package var at: Instant?
  /// The device that it is about; nil for a request without an identifier.
  package var device: TrafficDevice?

  /// A finding of its parts.
  package init(
    _ rule: TrafficRule, _ message: String, location: CaptureLocation, at: Instant? = nil,
    device: TrafficDevice? = nil
  ) {
    self.rule = rule
    self.message = message
    self.location = location
    self.at = at
    self.device = device
  }
}

/// A finding that is left open at the end of a capture: its message says what is missing, up to the request.
extension TrafficFinding {
  /// The capture ends before it is known whether this request breaks a rule.
  ///
  /// - Parameters:
  ///   - end: the time of the capture's last request, in Unix seconds.
  ///   - seconds: the time of this request, where the capture has none.
  func open(_ rule: TrafficRule, end: Int64?, seconds: Int64?) -> TrafficFinding {
    let after = end.flatMap { end in (at?.wholeSeconds ?? seconds).map { max(0, end - $0) } }
    return open(rule, after.map { "the capture ends \($0) s after" } ?? "the capture ends after")
  }

  func open(_ rule: TrafficRule, _ reason: String) -> TrafficFinding {
    var finding = self
    finding.rule = rule
    finding.message = reason
    return finding
  }
}

/// A device as its requests name it: an app and an identifier.
package struct TrafficDevice: Sendable, Hashable {
  /// Which parameter identifies it: `idfv`, else `idfa`; of V2's events `sdid`.
  package enum Kind: String, CaseIterable, Sendable { case idfv, idfa, sdid }

  /// The bundle identifier in small letters: a difference in case is a finding, not another app.
  package let app: String
  /// Which identifier it is.
  package let kind: Kind
  /// The identifier in capitals, as iOS writes it.
  package let id: String

  /// A device of its parts.
  package init(app: String, kind: Kind, id: String) {
    self.app = app.lowercased()
    self.kind = kind
    self.id = id.uppercased()
  }
}

extension TrafficDevice: CustomStringConvertible {
  /// `com.example.app, idfv 21DB6612-…`.
  package var description: String { "\(app), \(kind.rawValue) \(id)" }
}
