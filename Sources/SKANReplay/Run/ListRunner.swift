import SKANDevice
import SKANEndpoint
import SKANJSON

/// Lives the steps of a list, each on its own phone.
package struct ListRunner {
  /// In blocks, so that a new phone does not move all others.
  private var blocks: [ContiguousArray<Phone>] = []
  private static let blockSize = 256
  private var count = 0
  private let runner: StepRunner
  /// With what an undeclared phone starts.
  private var start: Phone?

  package init(_ runner: StepRunner) { self.runner = runner }

  /// For a list about one phone that has lived already, whatever the list calls it.
  package init(_ runner: StepRunner, everyPhone phone: Phone) {
    self.runner = runner
    start = phone
  }

  /// The phone of a list about one phone, after its steps; nil when it had none.
  package var onlyPhone: Phone? { count == 1 ? blocks[0][0] : nil }

  /// Lives a step on its phone; one that was never declared has the defaults.
  package mutating func live(_ step: Step) throws(StepError) -> LivedStep {
    let place = place(of: step)
    return try runner.live(step, on: &blocks[place / Self.blockSize][place % Self.blockSize])
  }

  /// The same, with everything that can be shown of it.
  package mutating func run(_ step: Step) throws(StepError) -> StepResult {
    let place = place(of: step)
    return try runner.run(step, on: &blocks[place / Self.blockSize][place % Self.blockSize])
  }

  /// A step is not lived; its phone is met all the same.
  package mutating func skip(_ step: Step) { if step.operation.takesPhone { _ = place(of: step) } }

  private mutating func place(of step: Step) -> Int {
    // Places are given in the order in which the phones are first met.
    if step.phone == count {
      if count % Self.blockSize == 0 { blocks.append([]) }
      blocks[count / Self.blockSize].append(start ?? Phone.undeclared(named: step.device))
      count += 1
    }
    return step.phone
  }
}
