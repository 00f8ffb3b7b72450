import SKANDevice

extension StepResult {
  /// What stays of the step in the install's history; nil for a look at the phone and for a fresh install.
  package var lifeEvent: LifeEvent? {
    let kind: LifeEvent.Kind
    switch step.operation {
    case .register: kind = .register
    case .session: kind = .session
    case .event(let name, _): kind = .event(name)
    case .revenue(let revenue):
      kind = .revenue(
        amount: revenue.amount, currency: revenue.currency ?? "", isAdMonetization: revenue.isAdMonetization)
    case .relaunch: kind = .relaunch
    case .update: kind = .update
    case .device, .details, .postbacks, .include: return nil
    }
    return LifeEvent(
      at: endedAt, kind, report.outcome, call: report.framework,
      fate: report.frameworkAnswer.map { LifeEvent.Fate($0.fate) }, error: report.frameworkAnswer?.error)
  }
}
