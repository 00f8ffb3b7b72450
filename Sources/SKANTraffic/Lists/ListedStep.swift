import SKANDevice
import SKANBase
import SKANRun

/// A step of a list that is made of a capture, before it is written.
struct ListedStep {
  var operation: Step.Operation
  var at: Instant?
  var label: String?
  /// What the next request of the real phone shows; the step must leave it.
  var shown: ShownDetails?
  /// What the app's server forwarded of the step.
  var forwarded: ShownDetails?
  /// Whether the simulated phone took a value from the answer to a report.
  var hasApplied = false
  /// Anything else that is expected.
  var others: [Expectation] = []

  init(_ operation: Step.Operation, at: Instant?, label: String? = nil) {
    self.operation = operation
    self.at = at
    self.label = label
  }

  /// Whether it can have changed what the app keeps, or shows it.
  var keepsValues: Bool { operation.keepsValues || hasApplied }

  /// Everything that is expected. Where the app's server forwarded something else than the phone shows next, each entry
  /// that it forwarded is asked for by itself.
  var expectations: [Expectation] {
    let entries = forwarded ?? ShownDetails()
    let each = entries.expected.map { Expectation(path: "details.\($0.key)", expected: $0.value) }
    guard let shown else { return others + each }
    if entries.isPart(of: shown) { return others + [Expectation(path: "details", expected: .object(shown.expected))] }
    return others + each
  }
}
