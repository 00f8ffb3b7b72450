import SKANBase
import SKANDevice

// What a run records, without the SDK key. Each text is redacted once, before reports cut, escape or lay it out.

extension StepRecord {
  /// The record without the SDK key.
  func redacted(by redactor: Redactor) -> StepRecord {
    if redactor.isEmpty { return self }
    var step = self
    step.file = redactor.redacted(file)
    step.device = redactor.redacted(device)
    step.name = redactor.redacted(name)
    step.label = label.map(redactor.redacted)
    switch fate {
    case .ran(let outcome, let explanation): step.fate = .ran(outcome, explanation: redactor.redacted(explanation))
    case .skipped(let reason): step.fate = .skipped(reason: redactor.redacted(reason))
    }
    step.findings = findings.map { Finding(code: $0.code, message: redactor.redacted($0.message)) }
    step.failures = failures.map { $0.redacted(by: redactor) }
    step.fault = fault.map { EndpointFault(failure: $0.failure, reason: redactor.redacted($0.reason)) }
    step.exchanges = exchanges.map { $0.redacted(by: redactor) }
    return step
  }
}

extension ListRecord {
  /// The record without the SDK key, except for its steps; see ``ReplayReport/reported(_:)``.
  func redacted(by redactor: Redactor) -> ListRecord {
    if redactor.isEmpty { return self }
    var list = self
    list.file = redactor.redacted(file)
    list.problems = problems.map { problem in
      let place = problem.place.map { place in
        var place = place
        place.file = redactor.redacted(place.file)
        place.message = redactor.redacted(place.message)
        return place
      }
      return Problem(redactor.redacted(problem.text), at: place)
    }
    list.drawings = drawings.map { LifeDrawing(phone: redactor.redacted($0.phone), html: redactor.redacted($0.html)) }
    return list
  }
}

extension StepRecord.Exchange {
  fileprivate func redacted(by redactor: Redactor) -> Self {
    func redact(_ text: String) -> String { redactor.redacted(text) }
    return Self(
      method: method, url: redact(url), sent: sent.map(redact), status: status, contentType: contentType.map(redact),
      text: redact(text), size: size)
  }
}

extension Expectation.Verdict {
  fileprivate func redacted(by redactor: Redactor) -> Self {
    var verdict = self
    verdict.path = redactor.redacted(path)
    verdict.expected = expected.redacted(by: redactor)
    verdict.actual = actual.redacted(by: redactor)
    return verdict
  }
}

extension JSON {
  /// The value with all its texts redacted. A number that is a secret becomes a text, so that the result stays JSON.
  fileprivate func redacted(by redactor: Redactor) -> JSON {
    switch self {
    case .null, .bool: return self
    case .integer, .unsigned, .double:
      let text = JSONWriter.text(self)
      let redacted = redactor.redacted(text)
      return redacted.isLiterally(text) ? self : .string(redacted)
    case .string(let text): return .string(redactor.redacted(text))
    case .array(let items): return .array(items.map { $0.redacted(by: redactor) })
    case .object(let members):
      return .object(members.map { (redactor.redacted($0.key), $0.value.redacted(by: redactor)) })
    }
  }
}
