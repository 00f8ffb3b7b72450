import SKANDevice
import SKANEndpoint
import SKANJSON

@testable import SKANReplay

/// Swift Testing has an `Expectation` too.
typealias Expected = SKANReplay.Expectation

/// The step of a line, or its problems.
func step(_ line: String) throws(SourceProblems) -> Step { try StepReader.read(Array(line.utf8)).get() }

/// The messages of everything that is wrong with a line.
func problems(_ line: String) -> [String] {
  do throws(SourceProblems) {
    _ = try step(line)
    return []
  } catch {
    return error.problems.map(\.message)
  }
}

/// Lives every line of a list, each on its phone.
func live(_ lines: [String], runner: StepRunner = StepRunner()) throws -> [StepResult] {
  var lists = ListRunner(runner)
  return try lines.map { try lists.run(step($0)) }
}

/// The moment so many seconds after 2026-01-01T00:00:00Z, where a list without times begins.
func moment(_ seconds: Double) -> Instant {
  Instant(microseconds: Instant.listStart.microseconds + Int64((seconds * 1e6).rounded()))
}
