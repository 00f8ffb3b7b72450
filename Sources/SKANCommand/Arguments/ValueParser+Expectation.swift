import SKANBase
import SKANRun

extension ValueParser<Expectation> {
  /// `PATH=VALUE`, about a result that the command can have.
  static var expectation: Self {
    Self(.pair) { (given) throws(CommandError) in
      guard let (path, value) = given.pair else { throw given.mustBe("PATH=VALUE, such as outcome=updated") }
      do throws(SourceProblems) {
        return try Expectation(path: path, text: value, more: given.invocation.spec.resultKeys)
      } catch {
        let message = error.problems.map(\.message).joined(separator: "; ")
        throw given.refused("\(JSONWriter.quoted(given.text)): \(message)")
      }
    }
  }
}
