import SKANBase
import SKANDevice

@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANRun

// Drives the reader of event lists with anything at all, and runs what is read. The first byte says in what pieces the
// bytes arrive. The rest is one list and, each behind a byte 0xFF, those that it may include as "1", "2" and so on. What is
// read must be the same however it arrives, nothing may crash, and every problem has a location.

/// A list may include another many times, and each of those too.
private let mostOpened = 20

private func source(_ bytes: [UInt8], pieces: Int) -> ByteSource {
  var rest = bytes[...]
  return ByteSource(isRegular: true, size: bytes.count) { buffer throws(SourceFailure) in
    let piece = rest.prefix(min(pieces, buffer.count))
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}

private func reader(_ lists: [[UInt8]], pieces: Int) -> ListReader {
  var options = ListReader.Options()
  options.variables = Variables(["a": "x", "quote": "a \"b\" \\ é", "empty": ""])
  var opened = 0
  options.open = { path throws(SourceFailure) in
    opened += 1
    guard let index = Int(path), lists.indices.contains(index), opened <= mostOpened else { throw .missing }
    return source(lists[index], pieces: pieces)
  }
  return ListReader("0", source(lists.first ?? [], pieces: pieces), options)
}

/// What was read, in a form that can be compared.
private func items(_ lists: [[UInt8]], pieces: Int, visit: (Step) -> Void = { _ in }) -> [String] {
  let reader = reader(lists, pieces: pieces)
  var items: [String] = []
  var step = Step(.details)
  var isSound = true
  do throws(SourceFailure) {
    while let item = try reader.next(into: &step) {
      let position = reader.location
      switch item {
      case .step:
        items.append(
          "\(position.file):\(position.line) \(step.operation) \(step.device) \(String(describing: step.time))")
        // As in `replay`, nothing runs behind a problem: what it says of a phone counts for the steps behind it.
        if isSound { visit(step) }
      case .problems(let problems):
        precondition(!problems.isEmpty, "refused without a problem")
        isSound = false
        for problem in problems { items.append(reported(problem, at: position)) }
      }
    }
  } catch {
    preconditionFailure("bytes in memory cannot fail")
  }
  precondition(
    reader.consumed == lists.first?.count ?? 0 || items.contains { $0.contains(" this is ") }, "not all is read")
  return items
}

private func reported(_ problem: ListProblem, at position: (file: String, line: Int)) -> String {
  precondition(problem.file == position.file && problem.line == position.line && problem.line > 0)
  precondition(!problem.problem.message.isEmpty && problem.problem.range.lowerBound <= problem.text.count)
  let column = TextLocation(of: problem.problem.range, in: problem.text).column
  return "\(problem.file):\(problem.line):\(column) \(problem.problem.message)"
}

/// Runs a step as `replay --json` does.
private func runList(_ step: Step, _ lists: ListPhones) {
  guard step.skip == nil else { return lists.skip(step) }
  guard let result = try? lists.run(step) else { return }
  let json = result.json
  for expectation in step.expectations { _ = expectation.verdict(on: json) }
  precondition((try? JSONReader.read(Array(JSONWriter.text(json).utf8))) != nil, "a result that is no JSON")
}

/// The first byte says in what pieces the bytes arrive.
func fuzzList(_ bytes: [UInt8]) {
  guard let first = bytes.first, bytes.count > 1 else { return }
  let lists = bytes.dropFirst().split(separator: 0xFF, omittingEmptySubsequences: false).map(Array.init)
  let runner = ListPhones(StepRunner())
  let whole = items(lists, pieces: .max) { runList($0, runner) }
  precondition(items(lists, pieces: Int(first) + 1) == whole, "the pieces change what is read")
}

/// One argument a line. A wrong one is answered by a message, and what completion sees is what the parser sees.
func fuzzArguments(_ bytes: [UInt8]) {
  let words = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0).text }
  let line = CompletedLine(words, of: .skan)
  do throws(CommandError) {
    let (spec, rest) = try CommandTable.skan.command(words[...])
    let parsed = try ParsedArguments(Array(rest), for: spec, of: .skan, variable: { _ in nil })
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
