import SKANDevice
import SKANModel

/// Answers launch and evt: with the documented refusals, and with the value that the model makes of the metadata.
///
/// Its counts are its own: an event that a phone asks about and its server reports is one event for each.
final class ReportHandler {
  private let conversion: ConversionHandler
  private var phones: PhoneMemory<Remembered<InstallMemory>>
  private let forgotten: ForgottenPhones

  /// - Parameter conversion: whose model counts, also after a change.
  init(_ conversion: ConversionHandler, _ forgotten: ForgottenPhones) {
    self.conversion = conversion
    self.forgotten = forgotten
    phones = PhoneMemory(limit: forgotten.limit)
  }

  func answer(_ report: ServerReport) -> PhoneAnswer {
    var isRepeated = false
    let answer: ForwardedAnswer
    if report.isHead {
      var memory = phones.known(report.install)?.value ?? .none
      answer = conversion.endpoint.forwardedAnswer(
        to: report.parameters, at: report.endpoint, report.time, memory: &memory)
    } else {
      let before = phones.forgotten
      answer = phones.with(report.install, new: Remembered(.none)) {
        isRepeated = $0.repeats(report.request)
        return conversion.endpoint.forwardedAnswer(
          to: report.parameters, at: report.endpoint, report.time, memory: &$0.value)
      }
      forgotten.note(before: before, after: phones.forgotten)
    }
    var explanation = answer.explanation
    if report.request.hasUnreadBody {
      explanation += " The body is not a form (application/x-www-form-urlencoded), so its parameters are not read."
    }
    if isRepeated, answer.refusal == nil {
      explanation += " The request before was the same: Singular counts both, as it does not de-duplicate."
    }
    return PhoneAnswer(body: Array(answer.body.utf8), explanation: Array(explanation.utf8))
  }
}
