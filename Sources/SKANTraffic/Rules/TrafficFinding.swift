import SKANDevice

/// One breach of one rule by one request.
package struct TrafficFinding: Sendable, Equatable {
  package var rule: TrafficRule
  /// The problem with this request, in a sentence. It contains no key and no token.
  package var message: String
  /// The names of the parameters that it is about, as the request sends them or as it should send them; empty for a
  /// finding about the request as a whole. The one that is wrong or missing is the first.
  package var parameters: [String]
  /// The location of the request in its capture.
  package var location: CaptureLocation
  /// When the request was sent; nil where the capture has no time.
  package var at: Instant?
  /// The device of the request; nil without an identifier.
  package var device: TrafficDevice?
  /// The requests from whose absence it concludes; nil for a finding about what is there.
  var absence: Absence?

  package init(
    _ rule: TrafficRule, _ message: String, parameters: [String] = [], location: CaptureLocation, at: Instant? = nil,
    device: TrafficDevice? = nil
  ) {
    self.rule = rule
    self.message = message
    self.parameters = parameters
    self.location = location
    self.at = at
    self.device = device
  }
}

/// Possible findings that the end of a capture leaves undecided. Their messages are the first part of
/// ``TrafficReport/Open/reason``.
extension TrafficFinding {
  /// A possible finding that is undecided because the capture ends.
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
    finding.absence = nil
    return finding
  }
}

/// A device as requests identify it: by app and identifier.
package struct TrafficDevice: Sendable, Hashable {
  /// The parameter that identifies the device: `idfv`, or else `idfa`; in events of V2 `sdid`.
  package enum Kind: String, CaseIterable, Sendable { case idfv, idfa, sdid }

  /// The bundle identifier in lower case: a difference in case is a finding, not another app.
  package let app: String
  package let kind: Kind
  /// The identifier in upper case, as iOS writes it.
  package let id: String

  package init(app: String, kind: Kind, id: String) {
    self.app = app.lowercased()
    self.kind = kind
    self.id = id.uppercased()
  }
}

extension TrafficDevice: CustomStringConvertible {
  /// A text such as `com.example.app, idfv 21DB6612-…`.
  package var description: String { "\(app), \(kind.rawValue) \(id)" }
}
