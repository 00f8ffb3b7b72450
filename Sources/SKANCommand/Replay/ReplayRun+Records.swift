import SKANDevice
import SKANRun

/// The records of the lists, for reports.
extension ReplayRun {
  /// Of the lists that began, and of those that cannot run.
  var records: [ListRecord] {
    let (records, last) = state.withLock { ($0.records, $0.last ?? sources.count) }
    return records.filter { $0.key <= last }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether it ended at the first expectation that failed.
  var wasStopped: Bool { state.withLock { $0.last != nil } }

  var redactor: Redactor { setup.redactor }

  var invocation: Invocation { setup.invocation }

  /// Keeps why a list cannot be read; other failures are no list's own.
  func keep(_ failure: CommandError, of index: Int) {
    switch failure {
    case .missing, .unreadable, .nothingMatched: break
    default: return
    }
    keep(failure.reportText.map { [$0] } ?? [], of: index)
  }

  func keep(_ check: ListCheck, of index: Int) {
    let more = check.count - check.problems.count
    keep(
      check.problems.map { $0.note.line(file: $0.file) } + (more > 0 ? ["and \(more) more problems"] : []), of: index)
  }

  private func keep(_ problems: [String], of index: Int) {
    guard plan.keepsRecords, !problems.isEmpty else { return }
    let empty = ListRecord(file: sources[index].name, start: start)
    state.withLock { $0.records[index, default: empty].problems = problems }
  }
}
