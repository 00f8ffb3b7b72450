import SKANDevice

/// What became of a list, for reports.
package struct ListRecord: Sendable {
  /// A reason why a list could not run.
  package struct Problem: Sendable, Equatable {
    /// In a line of a list, which may be an included one.
    package struct Place: Sendable, Equatable {
      package var file: String
      /// Both from 1.
      package var (line, column): (Int, Int)
      /// The reason without the place.
      package var message: String

      package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
      }
    }

    /// The reason, with its place.
    package var text: String
    package var place: Place?

    package init(_ text: String, at place: Place? = nil) {
      self.text = text
      self.place = place
    }
  }

  /// As it was named.
  package let file: String
  /// When it was begun, in the real world, and how long it took.
  package var start: Instant
  package var time = TimeSpan.zero
  package var steps: StepRecords
  /// Why it could not run, or not to its end.
  package var problems: [Problem] = []
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
