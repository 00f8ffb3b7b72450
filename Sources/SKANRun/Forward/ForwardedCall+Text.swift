import SKANDevice
import SKANModel

extension ForwardedCall {
  /// What became of it, one or more sentences for a person.
  package var explanation: String {
    ([result] + [appliedSentence, staleSentence].compactMap(\.self)).joined(separator: " ")
  }

  private var result: String {
    let name = if case .session = request.subject { "launch" } else { "evt" }
    let count = attempts == 1 ? "" : " after \(attempts) attempts"
    switch reply {
    case .ok(nil)?: return "\(name) is taken\(count)."
    case .ok(let value?)?: return "\(name) is taken\(count); its conversion_value is \(value)."
    case .refused(let refusal)?:
      return "\(name) is refused for good (\(refusal.reason)): the same request is refused again, and its data is lost."
    case .failed(let reason)?: return "\(name) is not taken\(count) (\(reason)): its data is lost."
    case nil:
      guard case .failure(let error) = answer else { return "" }
      return "\(name) has no answer\(count) (\(error)): whether its data arrived is not known."
    }
  }

  private var appliedSentence: String? {
    guard let applied else { return nil }
    return "The snippet applies it: \(applied.explanation)"
  }

  private var staleSentence: String? {
    guard !stale.isEmpty else { return nil }
    let parts = stale.map { item in item.value.map { "\(item.name)=\($0)" } ?? "no \(item.name)" }
    return "The guide's sample, which reads before the answer, would have sent \(parts.joined(separator: ", "))."
  }
}
