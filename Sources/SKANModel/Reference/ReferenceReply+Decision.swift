import SKANDevice

extension ReferenceReply {
  /// What an answer sets on a phone, without the reasons for it.
  package struct Decision: Sendable, Equatable {
    package let fine: Int64
    package let coarse: CoarseValue?
    package let locks: Bool
  }

  /// Nil for an error.
  @inline(__always)
  package var decision: Decision? {
    guard case .values(let values) = self else { return nil }
    return Decision(fine: values.verdict.fine, coarse: values.verdict.coarse, locks: values.verdict.locks)
  }

  /// The answer of the same model without locks.
  package var withoutLock: ReferenceReply {
    guard case .values(var values) = self else { return self }
    values.verdict.locks = false
    return .values(values)
  }
}
