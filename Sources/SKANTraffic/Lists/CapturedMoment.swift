import SKANDevice

/// What the app and its server sent of one thing that happened: the snippet's request, the server's, or both.
struct CapturedMoment {
  /// The snippet's request for the next value.
  var ask: CheckedRequest?
  /// What the app's server reported.
  var report: CheckedRequest?
  /// The answer to the report, that to the last attempt.
  var reportAnswer: CapturedAnswer?
  /// The index of the report among the requests.
  var reportIndex: Int?
  /// The index of the request by which it is named.
  let index: Int

  /// The request by which it is named: the snippet's, else the server's.
  var request: CheckedRequest? { ask ?? report }

  /// How much later than a report its request may stand in a capture, in seconds.
  private static let slack: Int64 = 2

  /// Pairs the requests of a device.
  ///
  /// A report belongs to the last request of its name before it that no other report belongs to.
  ///
  /// - Parameter requests: in order of time.
  static func all(_ requests: [CheckedRequest]) -> [CapturedMoment] {
    var moments: [CapturedMoment] = []
    for (index, request) in requests.enumerated() {
      if case .conversionValue = request.kind {
        moments.append(CapturedMoment(ask: request, index: index))
        continue
      }
      let answer = request.captured.answer
      if request.isRetry(of: moments.last?.report) {
        moments[moments.count - 1].reportAnswer = answer
        continue
      }
      let partner = moments.lastIndex { moment in
        guard let ask = moment.ask, moment.report == nil, ask.pairingName == request.pairingName else { return false }
        guard let asked = ask.seconds, let reported = request.seconds else { return true }
        return asked <= reported + slack
      }
      if let partner {
        moments[partner].report = request
        moments[partner].reportAnswer = answer
        moments[partner].reportIndex = index
      } else {
        moments.append(CapturedMoment(report: request, reportAnswer: answer, reportIndex: index, index: index))
      }
    }
    return moments
  }
}

extension CheckedRequest {
  /// Whether it is the same report, sent again.
  fileprivate func isRetry(of other: CheckedRequest?) -> Bool {
    guard let other, other.kind == kind, other.pairingName == pairingName else { return false }
    return other.captured.request.target == captured.request.target
      && other.captured.request.body == captured.request.body
  }
}
