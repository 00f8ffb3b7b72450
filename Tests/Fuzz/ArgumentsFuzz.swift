@testable import SKANCommand

/// One argument a line. A wrong one is answered by a message, and what completion sees is what the parser sees.
func fuzzArguments(_ bytes: [UInt8]) {
  let words = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0).text }
  let line = CompletedLine(words)
  do throws(CommandError) {
    let (spec, rest) = try CommandLineTool.spec(words[...])
    let parsed = try ParsedArguments(Array(rest), for: spec, variable: { _ in nil })
    precondition(words.isEmpty || line.spec == nil || line.spec?.name == spec.name || words.count == 2)
    precondition(parsed.positional.count <= rest.count)
    // Up to where the command would run: in a world without files, network and clock.
    let invocation = Invocation(spec, parsed, .empty)
    for option in spec.options {
      do throws(CommandError) { try invocation.check(option) } catch { check(error) }
    }
  } catch {
    check(error)
  }
}

private func check(_ error: CommandError) {
  guard let message = error.message else { preconditionFailure("refused without a message") }
  precondition(!message.isEmpty && error.code != .ok, "refused with exit code 0")
}
