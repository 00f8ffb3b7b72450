import SKANDevice

extension StepResult {
  /// What stays of the step in the install's history, in order: nothing of a look at the phone and of a fresh install.
  package var lifeEvents: [LifeEvent] {
    let own = step.operation.spec.history(step.operation).map { event($0, report) }
    return [own, forwarded?.applied.map { event(.forward, $0) }].compactMap(\.self)
  }

  /// The same for a device file: with who answered, and the warnings. Pictures of a life need neither.
  package var recordedEvents: [LifeEvent] {
    var events = lifeEvents
    var warnings = report.warnings.map(\.kind)
    // What a value for the app's server brings about is among the step's warnings, too.
    let ofForwarded = events.count > 1 ? forwarded?.applied?.warnings.map(\.kind) ?? [] : []
    for code in ofForwarded { if let index = warnings.lastIndex(of: code) { warnings.remove(at: index) } }
    for index in events.indices {
      let isForwarded = events[index].kind == .forward
      events[index].account = LifeEvent.Account(
        answeredBy: isForwarded ? forwarded?.answeredBy.name : exchange?.answeredBy.name,
        warnings: isForwarded && events.count > 1 ? ofForwarded : warnings)
    }
    return events
  }

  private func event(_ kind: LifeEvent.Kind, _ report: StepReport) -> LifeEvent {
    LifeEvent(
      at: endedAt, kind, report.outcome, call: report.framework, fate: report.frameworkAnswer?.fate.kind,
      error: report.frameworkAnswer?.error)
  }
}
