import SKANBase

extension ListReader {
  /// A problem with the step that was read last, found when it ran.
  package func problem(_ message: String) -> ListProblem {
    let (file, line) = location
    let chain = frames.dropLast().reversed().map { ($0.name, $0.number) }
    return unsafe ListProblem(
      file: file, line: line, problem: SourceProblem(message, at: 0..<currentLine.count),
      text: Array(currentLine),
      includedFrom: chain)
  }

  /// The problems of the last line.
  ///
  /// - Parameter text: the line with the values of its variables, to which the locations in it belong.
  func problems(_ problems: [SourceProblem], _ text: UnsafeBufferPointer<UInt8>) -> Item {
    let (file, line) = location
    let chain = frames.dropLast().reversed().map { ($0.name, $0.number) }
    // One copy for all of them.
    let bytes = unsafe Array(text)
    return .problems(
      problems.map {
        ListProblem(file: file, line: line, problem: $0, text: bytes, includedFrom: chain)
      })
  }
}
