import SKANDevice

extension StepResult {
  /// What stays of the step in the install's history; nil for a look at the phone and for a fresh install.
  package var lifeEvent: LifeEvent? {
    guard let kind = step.operation.spec.history(step.operation) else { return nil }
    return LifeEvent(
      at: endedAt, kind, report.outcome, call: report.framework,
      fate: report.frameworkAnswer?.fate.kind, error: report.frameworkAnswer?.error)
  }
}
