/// What is said on stderr of one receiver: a problem once, and that it is over.
struct ForwardStatus {
  private let target: ForwardTarget
  private let environment: Environment
  /// The problem that was reported last.
  private var problem: String?

  init(_ target: ForwardTarget, _ environment: Environment) {
    self.target = target
    self.environment = environment
  }

  mutating func report(_ problem: String) {
    if problem != self.problem { write(problem) }
    self.problem = problem
  }

  /// A postback was accepted.
  mutating func accepted() {
    if problem != nil { write("accepts postbacks again") }
    problem = nil
  }

  private func write(_ text: String) {
    let text = Redactor(key: environment.sdkKey).redacted(text)
    environment.printError(.remark("forward \(target.displayText): \(text)"))
  }
}
