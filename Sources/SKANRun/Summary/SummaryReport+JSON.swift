import SKANDevice
import SKANBase

extension SummaryReport {
  /// The summary as one object; see the manual, "Reports".
  package var json: JSON {
    .object([
      ("endpoint_failures", number(counts.endpointFailures)), ("updates", number(counts.updates)),
      ("updates_succeeded", number(counts.updatesSucceeded)),
      ("coarse", .array(ConversionWindow.allCases.map { coarse(summary.phones.coarse[$0]) })),
      ("errors", .array(summary.errors.sorted.map(error))), ("errors_of_other_texts", number(summary.errors.others)),
      ("expectations", number(counts.expectations)), ("failures", number(counts.failures)),
      ("failures_alike", .array(summary.failures.sorted.map(group))),
      ("failures_of_other_kinds", number(summary.failures.others)), ("files", number(counts.lists)),
      ("findings", number(counts.findings)), ("findings_by_code", numbers(summary.findings)),
      ("fine", numbers(fine)), ("format", .integer(1)), ("outcomes", numbers(outcomes)),
      ("phones", number(summary.phones.phones)), ("postbacks", .array(summary.phones.sortedPostbacks.map(postback))),
      ("skipped", number(counts.skipped)), ("steps", number(counts.steps)), ("unfinished", number(summary.unfinished)),
    ])
  }

  private func number(_ count: Int) -> JSON { .integer(Int64(count)) }

  /// Members in the order of their names.
  private func numbers(_ counts: [String: Int]) -> JSON { .object(counts.map { ($0.key, number($0.value)) }) }

  private var outcomes: [String: Int] {
    var outcomes: [String: Int] = [:]
    for outcome in Outcome.allCases where counts[outcome] > 0 { outcomes[outcome.name] = counts[outcome] }
    return outcomes
  }

  private var fine: [String: Int] {
    var fine = summary.phones.withoutFine > 0 ? ["none": summary.phones.withoutFine] : [:]
    for (value, phones) in summary.phones.fine.enumerated() where phones > 0 { fine["\(value)"] = phones }
    return fine
  }

  private func coarse(_ counts: [Int]) -> JSON {
    .object(zip(["none", "low", "medium", "high"], counts).map { ($0, number($1)) })
  }

  private func error(_ kind: ErrorTally.Kind, _ count: Int) -> JSON {
    .object([
      ("count", number(count)), ("outcome", .string(kind.outcome.name)), ("text", .string(redact(kind.text))),
    ])
  }

  private func group(_ group: FailureGroups.Group) -> JSON {
    let phones: [JSON] = group.phones.map {
      .object([("device", .string(redact($0.name))), ("file", .string(redact($0.list)))])
    }
    return .object([
      ("count", number(group.count)), ("first", .string(redact(group.first))),
      ("more_phones", number(group.morePhones)), ("more_phones_is_exact", .bool(!group.hasUncountedPhones)),
      ("phones", .array(phones)), ("text", .string(redact(group.text))),
    ])
  }

  private func postback(_ kind: PhoneTally.PostbackKind, _ count: Int) -> JSON {
    .object([
      ("count", number(count)), ("state", .string(kind.state.rawValue)), ("value", .optional(kind.value.text)),
      ("window", number(kind.window.rawValue)),
    ])
  }
}
