import SKANBase

@testable import SKANCommand
@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANRun

// Command lines, up to where a command would run: a world without files, network and clock.

private let environment = Environment(
  variable: { _ in nil }, now: { Instant(microseconds: 1_780_315_200_000_000) },
  files: FileAccess(
    read: { _ throws(CommandError) in nil },
    replace: { (path, _) throws(CommandError) in throw .cannotWrite(file: path, reason: "none here") },
    lock: { (path, _, _) throws(CommandError) in throw .cannotWrite(file: path, reason: "none here") },
    readInput: { () throws(CommandError) in [] }, open: { _ throws(SourceFailure) in throw .missing },
    entries: { _ throws(SourceFailure) in nil }, glob: { _ in [] }),
  writeOutput: { _ throws(CommandError) in }, writeError: { _ in }, send: { _, _ in .failure(.noSuchHost) },
  isInterrupted: { false })

/// An option whose value can be read, whatever it is.
private protocol Readable {
  func readValue(_ invocation: Invocation) throws(CommandError)
}

extension Option: Readable {
  func readValue(_ invocation: Invocation) throws(CommandError) { _ = try invocation[self] }
}

/// One argument a line. A wrong one is answered by a message, and what completion sees is what the parser sees.
func fuzzArguments(_ bytes: [UInt8]) {
  let words = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0).text }
  let line = CompletedLine(words)
  do throws(CommandError) {
    let (spec, rest) = try CommandLineTool.spec(words[...])
    let parsed = try ParsedArguments(Array(rest), for: spec, variable: { _ in nil })
    precondition(words.isEmpty || line.spec == nil || line.spec?.name == spec.name || words.count == 2)
    precondition(parsed.positional.count <= rest.count)
    let invocation = Invocation(spec, parsed, environment)
    for case let option as any Readable in spec.options {
      do throws(CommandError) { try option.readValue(invocation) } catch { check(error) }
    }
  } catch {
    check(error)
  }
}

private func check(_ error: CommandError) {
  guard let message = error.message else { preconditionFailure("refused without a message") }
  precondition(!message.isEmpty && error.code != .ok, "refused with exit code 0")
}
