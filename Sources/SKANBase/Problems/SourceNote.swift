/// A problem and its location in a text.
package struct SourceNote: Sendable, Equatable {
  package var location: TextLocation
  package var message: String
  package var isWarning: Bool

  package init(location: TextLocation, message: String, isWarning: Bool = false) {
    self.location = location
    self.message = message
    self.isWarning = isWarning
  }

  /// The same in a text with lines in front.
  package func moved(by lines: Int) -> SourceNote {
    var note = self
    note.location.line += lines
    return note
  }
}

/// Why a text cannot be used: every problem with its location.
package struct SourceNotes: Error, Sendable, Equatable {
  package let notes: [SourceNote]
  /// How many there are besides.
  package let more: Int

  package init(_ notes: [SourceNote], more: Int = 0) {
    self.notes = notes
    self.more = more
  }
}

extension SourceProblems {
  /// The first problems with their locations in the text that they are about, at most ``SourceProblem/mostReported``.
  package func notes(in bytes: [UInt8]) -> [SourceNote] {
    var locations = TextLocations(bytes)
    return problems.prefix(SourceProblem.mostReported).map {
      SourceNote(location: locations.location(of: $0.range), message: $0.message, isWarning: $0.isWarning)
    }
  }
}
