import SKANDevice
import SKANRun

/// The records of the lists, for reports.
extension ReplayRun {
  var redactor: Redactor { setup.redactor }

  var invocation: Invocation { setup.invocation }

  /// Keeps why a list cannot be read; other failures are no list's own.
  func keep(_ failure: CommandError, of index: Int) {
    switch failure {
    case .missing, .unreadable, .nothingMatched: break
    default: return
    }
    keep(failure.reportText.map { [ListRecord.Problem($0)] } ?? [], of: index)
  }

  func keep(_ check: ListCheck, of index: Int) {
    let more = check.count - check.problems.count
    let problems = check.problems.map { problem in
      let note = problem.note
      return ListRecord.Problem(
        note.heading(file: problem.file).text,
        at: .init(
          file: problem.file, line: note.location.line, column: note.location.column, message: note.message))
    }
    keep(problems + (more > 0 ? [ListRecord.Problem("and \(more) more problems")] : []), of: index)
  }

  private func keep(_ problems: [ListRecord.Problem], of index: Int) {
    guard plan.lists.keepsRecords, !problems.isEmpty else { return }
    schedule.record(problems, of: index, empty: ListRecord(file: sources[index].name, start: start))
  }
}
