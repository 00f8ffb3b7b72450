import SKANDevice

extension StepResult {
  /// What stays of the step in the install's history, in order: nothing of a look at the phone and of a fresh install.
  package var lifeEvents: [LifeEvent] {
    let own = step.operation.spec.history(step.operation).map { event($0, report) }
    return [own, forwarded?.applied.map { event(.forward, $0) }].compactMap(\.self)
  }

  private func event(_ kind: LifeEvent.Kind, _ report: StepReport) -> LifeEvent {
    LifeEvent(
      at: endedAt, kind, report.outcome, call: report.framework, fate: report.frameworkAnswer?.fate.kind,
      error: report.frameworkAnswer?.error)
  }
}
