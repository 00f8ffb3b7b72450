/// A remark of `skan verify` beside its verdict, which is no finding.
enum VerifyNote: String, CaseIterable, Sendable {
  case valuesNotSigned = "values-not-signed"
  case transactionRepeated = "transaction-repeated"
  case receivedBefore = "received-before"
}
