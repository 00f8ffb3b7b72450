import SKANDevice

extension StateRules {
  /// What concerns the sums of revenue.
  func revenue(
    _ request: CheckedRequest, first: Int64, hasRefund: Bool, into findings: inout [TrafficFinding]
  ) {
    let tables = RevenueTables.Kind.allCases.map { RevenueTables($0, of: request.kept) }
    for (kind, now) in zip(RevenueTables.Kind.allCases, tables) {
      let before = last.map { RevenueTables(kind, of: $0) }
      if !hasRefund, let before {
        for (old, new) in zip(before.all, now.all) {
          guard let lost = old?.shrunk(to: new) else { continue }
          findings.append(request.finding(.revenueShrank, "\(kind.rawValue) revenue went \(lost)."))
          break
        }
      }
      guard let seconds = request.captured.at?.wholeSeconds else { continue }
      outside(kind, now, before, request, since: seconds - first, into: &findings)
      if seconds - first < ConversionWindow.p2.end - Self.clockTolerance, let currency = now.newGap(since: before) {
        findings.append(
          request.finding(
            .totalNotSum, "\(kind.rawValue) revenue in \(currency) is not the sum of that of P0, P1 and P2."))
      }
    }
  }

  private func outside(
    _ kind: RevenueTables.Kind, _ now: RevenueTables, _ before: RevenueTables?, _ request: CheckedRequest,
    since: Int64, into findings: inout [TrafficFinding]
  ) {
    for window in ConversionWindow.allCases where now.windows[window] != before?.windows[window] {
      let began = since >= window.start - Self.clockTolerance
      let ended = lastSeconds.map { $0 - (request.kept.firstCall ?? $0) >= window.end + Self.clockTolerance } ?? false
      guard now.windows[window] != nil, !began || (before != nil && ended) else { continue }
      findings.append(
        request.finding(
          .revenueOutsideWindow, "\(kind.rawValue) revenue of P\(window.rawValue) changed outside that window."))
    }
  }
}
