import SKANDevice
import SKANBase
import SKANRun

/// What the app's server reported, and the snippet did not ask for.
extension PhoneList {
  mutating func add(_ report: CheckedRequest) {
    let at = report.seconds.flatMap { Instant(unixSeconds: $0 + skew) }
    let isSession = report.kind == .launch
    if isRegistered, report.metadata.hasSKAN4Names {
      addRevenue(to: report.details, report, sums: SnippetVersion.skan4.rules.sums, at: at)
    }
    if isSession, isRegistered, !hasAsked {
      // The first launch: the app registers and forwards what it then has.
      var step = ListedStep(.details, at: at, label: report.label)
      step.forwarded = report.metadata.isEmpty ? nil : report.details
      add(step)
      return
    }
    let name = redact(report.eventName, report.captured.secrets)
    var step = ListedStep(
      isSession ? .session(Step.Update()) : .event(name: name, Step.Update()), at: at,
      label: "\(report.label): no request of the snippet")
    step.forwarded = report.metadata.isEmpty ? nil : report.details
    if isRegistered {
      step.others.append(Expectation(path: "request", expected: .null))
    } else {
      step.others.append(Expectation(path: "outcome", expected: .string(Outcome.updated.name)))
    }
    add(step)
  }
}
