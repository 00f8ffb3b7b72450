import SKANDevice

/// Whether a postback was received before.
package enum Repetition: String, CaseIterable, Sendable {
  /// The first of its kind: of those that are verified it is the one that counts.
  case first
  /// It says what the first says.
  case duplicate
  /// It is the first's, by its transaction, and says something else.
  case conflict

  package var explanation: CodeExplanation {
    switch self {
    case .first:
      CodeExplanation(
        "No postback of this transaction, network and sequence index was received before. Of those that are verified "
          + "it is the one that counts.",
        cause: "It is the first copy.", example: .shell("skan receive \(Reproduction.applesPostback)"),
        remedy: "Count it if its signature is valid.", articles: ["Postbacks", "PostbackReports"])
    case .duplicate:
      CodeExplanation(
        "It says what an earlier one says. It is kept and not counted.",
        cause: "Apple sent it again, or a network forwarded it, too.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && skan receive \(Reproduction.applesPostback)"),
        remedy: "Nothing is wrong. Many of them can mean that the receiver's 200 comes too late.",
        articles: ["Postbacks", "PostbackReports"])
    case .conflict:
      CodeExplanation(
        "It is an earlier one by its transaction, and says something else. The first verified copy counts; the "
          + "conflict is kept.",
        cause: "Conversion values are not signed, so a genuine postback can be sent again with a forged value and "
          + "verify.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && sed 's/:63,/:1,/' \(Reproduction.applesPostback) | skan "
            + "receive -"),
        remedy: "Find out who sent the second one: source_address of its line has the sender.",
        articles: ["Postbacks", "PostbackReports"])
    }
  }
}
