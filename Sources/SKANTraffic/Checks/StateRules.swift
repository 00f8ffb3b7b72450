import SKANDevice

/// The rules about a phone's kept state over the requests of one side: the snippet's, or the app server's.
///
/// Each side is checked separately, because a report may be repeated while the app continues.
struct StateRules {
  /// The seconds by which the clocks of the capture and the phone may differ.
  static let clockTolerance: Int64 = 600

  /// The state in the previous request.
  private(set) var last: KeptState?
  /// The time of the previous request, in Unix seconds.
  private(set) var lastSeconds: Int64?
  /// The latest of all last calls.
  private var latestCall: Int64?

  mutating func check(_ request: CheckedRequest, hasRefund: Bool, into findings: inout [TrafficFinding]) {
    let kept = request.kept
    defer {
      // If a table of this request cannot be read, the next request is compared with the previous one.
      if !request.hasUnreadTable {
        last = kept
        lastSeconds = request.seconds
      }
    }
    keys(request, into: &findings)
    guard let first = kept.firstCall, let lastCall = kept.lastCall else { return }
    if lastCall < first {
      findings.append(
        request.finding(
          .lastCallBeforeFirst, "the last call is \(lastCall), the first \(first).", about: [.lastCall, .firstCall]))
      return
    }
    if let before = last?.lastCall, lastCall < before {
      findings.append(
        request.finding(
          .lastCallWentBack, "the last call is \(lastCall), it was \(before).", about: [.lastCall]))
    }
    let latest = max(latestCall ?? lastCall, lastCall)
    latestCall = latest
    windows(request, first: first, latestCall: latest, into: &findings)
    locks(request, first: first, lastCall: latest, into: &findings)
    end(request, first: first, lastCall: lastCall, into: &findings)
    if !request.hasUnreadTable { revenue(request, first: first, hasRefund: hasRefund, into: &findings) }
  }

  private func keys(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    guard let version = request.iosVersion, version < .singleValueUpdate else { return }
    let written = StoreEntry.skan4.filter { entry in
      (entry.kind.isAsAnswered || entry.kind == .lock) && request.kept.entry(entry) != nil
    }
    guard !written.isEmpty else { return }
    let names = written.map(\.name).joined(separator: ", ")
    findings.append(
      request.finding(.keysBeyondIOS, "iOS is \(version.text), and there is \(names).", about: written))
  }

  private func windows(
    _ request: CheckedRequest, first: Int64, latestCall: Int64, into findings: inout [TrafficFinding]
  ) {
    let kept = request.kept
    for window in ConversionWindow.allCases {
      let name = "P\(window.rawValue)"
      let coarse: [StoreEntry] = [.coarseValue(window), .previousCoarseValue(window)]
      let set = coarse.filter { kept.value($0) != nil }
      if !set.isEmpty, latestCall - first < window.start {
        findings.append(
          request.finding(
            .windowTooEarly,
            "there is a coarse value of \(name), and the last call is \(latestCall - first) s after the first.",
            about: set))
      }
      guard let last, let before = last.lastCall, before - first >= window.end else { continue }
      let changed = coarse.filter { kept.value($0) != last.value($0) }
      if !changed.isEmpty {
        findings.append(
          request.finding(.windowChangedLate, "a coarse value of \(name) changed after its end.", about: changed))
      }
    }
    guard let last, last.fineValue != nil, kept.fineValue != last.fineValue else { return }
    let isCallLate = (last.lastCall ?? first) - first >= ConversionWindow.p0.end
    let isRequestLate = (lastSeconds ?? first) - first >= ConversionWindow.p0.end + Self.clockTolerance
    guard isCallLate || isRequestLate else { return }
    let (old, new) = (last.fineValue?.decimalText ?? "none", kept.fineValue?.decimalText ?? "none")
    findings.append(
      request.finding(
        .fineChangedAfterP0, "the fine value went from \(old) to \(new).", about: [.fineValue]))
  }

  private func locks(
    _ request: CheckedRequest, first: Int64, lastCall: Int64, into findings: inout [TrafficFinding]
  ) {
    for window in ConversionWindow.allCases {
      guard let lock = request.kept.windowLock[window] else { continue }
      if (window.start..<window.end).contains(lock - first), lock <= lastCall { continue }
      let when = lock > lastCall ? "after the last call" : "\(lock - first) s after the first call"
      findings.append(
        request.finding(
          .lockOutsideWindow, "P\(window.rawValue) was locked \(when).", about: [.windowLock(window)]))
    }
  }

  /// Reports a request of the snippet after the end of its windows.
  private func end(_ request: CheckedRequest, first: Int64, lastCall: Int64, into findings: inout [TrafficFinding]) {
    guard case .conversionValue(let api) = request.kind, let now = request.captured.at?.wholeSeconds else { return }
    let (since, limit) =
      api == .v2 ? (now - first, ConversionWindow.p2.end) : (now - lastCall, ConversionWindow.skan3Length)
    guard since >= limit + Self.clockTolerance else { return }
    let (call, entry) = api == .v2 ? ("first", StoreEntry.firstCall) : ("last", .lastCall)
    findings.append(
      request.finding(.requestAfterWindows, "the \(call) call was \(since / 3600) hours before.", about: [entry]))
  }
}

extension ConversionWindow {
  /// Seconds from the first call until the window begins.
  var start: Int64 { ConversionWindow(rawValue: rawValue - 1)?.end ?? 0 }
}
