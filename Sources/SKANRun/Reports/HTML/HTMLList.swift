/// The list of which a page is written.
struct HTMLList {
  /// From 1; 0 before the first.
  var number = 0
  private(set) var hasFailed = false
  /// Whether there was room for it.
  var isShown = false
  private let file: String
  /// Steps of included lists so far.
  private var included = 0
  /// The rows of the steps that pass.
  var rows = ""
  var passed = 0
  var passedLeftOut = 0
  var failedLeftOut = 0

  /// None yet.
  init() { file = "" }

  init(number: Int, _ record: ListRecord, hasFailed: Bool) {
    self.number = number
    self.hasFailed = hasFailed
    file = record.file
  }

  /// The name of a step within the page: `L23` for a line of the first list, `F2L23` for one of the second, and `F1I4` for
  /// the fourth step of included lists, of which one line may come several times.
  mutating func id(of step: StepRecord) -> String {
    if step.file == file { return number == 1 ? "L\(step.line)" : "F\(number)L\(step.line)" }
    included += 1
    return "F\(number)I\(included)"
  }
}
