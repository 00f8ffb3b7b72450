import SKANSystem

/// The records of a list's steps, in the order of the list; set aside, however many there are.
package struct StepRecords: Sendable {
  /// What there is in them.
  package private(set) var totals = RecordTotals()
  /// The last line of the list itself that has a step.
  private(set) var lastLine = 0
  private let list: String
  /// The first is added to, the others are those of other threads.
  private var parts: [RecordPart]

  /// - Parameters:
  ///   - list: the outermost list.
  ///   - spool: where they are set aside.
  package init(of list: String, in spool: RecordSpool) {
    self.list = list
    parts = [RecordPart(in: spool)]
  }

  /// Adds a record.
  ///
  /// - Parameter index: of the step in its list, higher than that of the one before.
  package mutating func append(_ step: StepRecord, at index: Int) throws(FileError) {
    try parts[0].append(step, at: index)
    totals.count(step)
    if step.file == list { lastLine = max(lastLine, step.line) }
  }

  /// Adds the records of other steps of the list: those with indices between these.
  package mutating func merge(_ other: StepRecords) {
    totals += other.totals
    lastLine = max(lastLine, other.lastLine)
    parts += other.parts
  }

  /// Sets everything aside, as no more is added.
  package mutating func finish() throws(FileError) { try parts[0].flush() }

  /// Gives each record to `body`, in the order of the list.
  ///
  /// - Parameter failure: what to throw when they cannot be read back.
  package func forEach<Failure>(
    _ failure: (FileError) -> Failure, _ body: (StepRecord) throws(Failure) -> Void
  ) throws(Failure) {
    var cursors: [RecordCursor] = []
    do throws(FileError) { for part in parts { cursors.append(try RecordCursor(part)) } } catch { throw failure(error) }
    while let next = cursors.indices.min(by: { cursors[$0].precedes(cursors[$1]) }),
      let step = cursors[next].current?.step
    {
      try body(step)
      do throws(FileError) { try cursors[next].advance() } catch { throw failure(error) }
    }
  }
}

extension RecordCursor {
  /// Whether it stands at an earlier step; behind the last is after all others.
  fileprivate func precedes(_ other: RecordCursor) -> Bool {
    (current?.index ?? .max) < (other.current?.index ?? .max)
  }
}
