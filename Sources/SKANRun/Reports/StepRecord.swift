import SKANDevice

/// What became of a step, for reports: no more than they tell, as there may be a million of them.
package struct StepRecord: Sendable {
  /// What can become of a step.
  package enum Fate: Sendable, Equatable {
    case ran(Outcome, Explanation)
    case skipped(reason: String)
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
  /// Its warnings of level finding.
  package var findings: [Warning] = []
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
