import SKANDevice

/// What became of a step, for reports: no more than they tell, as there may be a million of them.
package struct StepRecord: Sendable, Equatable {
  /// What can become of a step.
  package enum Fate: Sendable, Equatable {
    case ran(Outcome, explanation: String)
    case skipped(reason: String)
  }

  /// A warning of level finding.
  package struct Finding: Sendable, Equatable {
    package var code: String
    package var message: String

    init(code: String, message: String) {
      self.code = code
      self.message = message
    }

    package init(_ warning: Warning) { self.init(code: warning.code, message: warning.message) }
  }

  /// The list that it stands in, which may be an included one.
  package var file: String
  /// From 1.
  package var line: Int
  /// Its phone; empty where the list names none.
  package var device: String
  package var op: String
  /// What it does: `event purchase`.
  package var name: String
  package var label: String?
  package var fate: Fate
  package var findings: [Finding] = []
  /// How many expectations it has.
  package var expectations = 0
  /// Those that were not met.
  package var failures: [Expectation.Verdict] = []
  /// How long it took in the real world.
  package var time = TimeSpan.zero

  package init(
    file: String, line: Int, device: String = "", op: String, name: String, label: String? = nil, fate: Fate
  ) {
    self.file = file
    self.line = line
    self.device = device
    self.op = op
    self.name = name
    self.label = label
    self.fate = fate
  }
}
