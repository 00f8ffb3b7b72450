import SKANDevice

/// What became of a list, for reports.
package struct ListRecord: Sendable {
  /// As it was named.
  package let file: String
  /// When it was begun, in the real world, and how long it took.
  package var start: Instant
  package var time = TimeSpan.zero
  package var steps: StepRecords
  /// Why it could not run, or not to its end: a text for each reason, with its location.
  package var problems: [String] = []
  /// The lives of some of its phones, drawn.
  package var drawings: [LifeDrawing] = []
  /// Which lives are not among ``drawings``, in a sentence; nil where all are.
  package var drawingNote: String?

  package init(file: String, start: Instant) {
    self.file = file
    self.start = start
    steps = StepRecords(of: file, in: RecordSpool())
  }
}
