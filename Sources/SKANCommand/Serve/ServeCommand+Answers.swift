import SKANDevice
import SKANRun
import SKANBase

extension ServeCommand {
  /// One answer a line, as in event lists; blank lines and comments are skipped.
  static func readAnswers(_ path: String, _ invocation: Invocation) throws(CommandError) -> [EndpointAnswer] {
    let bytes = try invocation.environment.readRequired(path, hint: "it should hold answers, one a line")
    var answers: [EndpointAnswer] = []
    var notes: [SourceNote] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !EventListReader.isSkipped(line) {
      do throws(SourceProblems) {
        answers.append(try AnswerForm.read(Array(line)))
      } catch {
        notes += error.problems.map {
          ListProblem(file: path, line: index + 1, problem: $0, text: Array(line)).note
        }
      }
    }
    guard notes.isEmpty else { throw .content(file: path, notes) }
    return answers
  }
}
