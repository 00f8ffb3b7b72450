import SKANDevice

/// A remark of `skan verify` beside its verdict, which is no finding.
enum VerifyNote: String, CaseIterable, Sendable {
  case valuesNotSigned = "values-not-signed"
  case transactionRepeated = "transaction-repeated"
  case receivedBefore = "received-before"

  var explanation: CodeExplanation {
    switch self {
    case .valuesNotSigned:
      CodeExplanation(
        "Conversion values are not part of what Apple signs, so they could have been altered on the way.",
        cause: "The signed text has no field for them, in any version.",
        example: .shell("skan verify \(Reproduction.applesPostback)"),
        remedy: "Take the values of the first copy, preferably from Apple's copy to the developer.",
        articles: ["Postbacks"], documents: ["Apple, Verifying an install-validation postback"])
    case .transactionRepeated:
      CodeExplanation(
        "An earlier valid postback of this file has the same transaction id: a receiver drops this one.",
        cause: "Apple sends again until it is answered with 200, and networks forward what Apple sends to the "
          + "developer, too.",
        example: .shell("cat \(Reproduction.applesPostback) \(Reproduction.applesPostback) | skan verify -"),
        remedy: "Keep the transaction ids that were counted, for longer than Apple repeats (nine days).",
        articles: ["Postbacks"])
    case .receivedBefore:
      CodeExplanation(
        "The file of --seen has this postback already, with the same content: a receiver drops this one.",
        cause: "It was received before, from Apple or from a network.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && skan verify \(Reproduction.applesPostback) --seen "
            + "received.jsonl"),
        remedy: "Nothing is wrong; do not count it again.", articles: ["Postbacks"])
    }
  }
}
