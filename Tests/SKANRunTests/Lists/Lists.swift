import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

/// Swift Testing has an `Expectation` too.
typealias Expected = SKANRun.Expectation

/// The step of a line, or its problems. Where the scanner takes the line, it gives the same step.
func step(_ line: String) throws(SourceProblems) -> Step {
  expectEqual(line)
  return try fullStep(line)
}

/// The step that the full reader gives.
func fullStep(_ line: String) throws(SourceProblems) -> Step {
  var step = Step(.details)
  var result: Result<ListEntry, SourceProblems> = .success(.nothing)
  Array(line.utf8).withUnsafeBufferPointer { bytes in
    do throws(SourceProblems) {
      result = .success(try StepReader().read(bytes, into: &step, phones: NameTable()))
    } catch {
      result = .failure(error)
    }
  }
  guard case .step = try result.get() else { throw [SourceProblem("no step", at: 0..<0)] }
  return step
}

/// What came of a line of a list.
struct ReadLine {
  var file: String
  var line: Int
  var step: Step?
  var problems: [ListProblem] = []
}

/// What every line of a list holds, or what is wrong with it.
func read(_ list: String, _ options: ListReader.Options = ListReader.Options()) throws(SourceFailure) -> [ReadLine] {
  try readAll(ListReader("list", ByteSource(Array(list.utf8)), options))
}

/// What every line holds that a reader comes to.
func readAll(_ reader: ListReader) throws(SourceFailure) -> [ReadLine] {
  var lines: [ReadLine] = []
  var step = Step(.details)
  while let item = try reader.next(into: &step) {
    let (file, line) = reader.location
    switch item {
    case .step: lines.append(ReadLine(file: file, line: line, step: step))
    case .problems(let problems): lines.append(ReadLine(file: file, line: line, problems: problems))
    }
  }
  return lines
}

/// Everything that is wrong with a list.
func check(_ list: String) throws(SourceFailure) -> [ListProblem] {
  var check = ListCheck()
  try check.add("list", ListReader.Options()) { () throws(SourceFailure) in ByteSource(Array(list.utf8)) }
  return check.problems
}

/// The messages of everything that is wrong with a line.
func problems(_ line: String) -> [String] {
  do throws(SourceProblems) {
    _ = try step(line)
    return []
  } catch {
    return error.problems.map(\.message)
  }
}

/// Runs every line of a list, each on its phone.
func runList(_ lines: [String], runner: StepRunner = StepRunner()) throws -> [StepResult] {
  try runSteps(try read(lines.joined(separator: "\n")), runner: runner)
}

/// The results of the steps in the order of the list.
func runSteps(_ lines: [ReadLine], runner: StepRunner = StepRunner()) throws -> [StepResult] {
  let phones = ListPhones(runner)
  var results: [Int: StepResult] = [:]
  func add(_ ended: [UpdatesUnderWay.Ended]) {
    for (ticket, result) in ended { #expect(results.updateValue(result, forKey: ticket) == nil, "\(ticket) ends once") }
  }
  for (index, line) in lines.enumerated() {
    guard let step = line.step else { throw SourceProblems(line.problems.map(\.problem)) }
    if phones.overlaps(step) {
      add(try phones.begin(step, ticket: index))
    } else {
      results[index] = try phones.run(step)
    }
  }
  add(phones.endAll())
  return lines.indices.compactMap { results[$0] }
}

/// The moment this many seconds after 2026-01-01T00:00:00Z, where a list without times begins.
func moment(_ seconds: Double) -> Instant {
  Instant(microseconds: Instant.listStart.microseconds + Int64((seconds * 1e6).rounded()))
}
