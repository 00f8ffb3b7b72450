/// What is known of a signature, and of whether a postback was there before.
extension PostbackTexts {
  static var valid: CodeExplanation {
    CodeExplanation(
      phone:
        "The signature is of the fields of its version and of the key that was asked for. Values are not signed: a "
        + "genuine postback can arrive with a forged conversion value.",
      cause: "Apple, or the holder of the given key, signed it, and no signed field was altered.",
      command: "skan verify \(apples)",
      remedy: "Take the first valid copy of a transaction id and drop later ones.",
      articles: ["Postbacks"], documents: ["Apple, Verifying an install-validation postback"])
  }

  static var invalid: CodeExplanation {
    CodeExplanation(
      phone: "The signature does not fit the fields and the key. The postback says nothing that can be trusted.",
      cause:
        "A signed field was altered on its way, another key signed it, or the signature itself is damaged. A simulated "
        + "postback is invalid by Apple's key.",
      command: "skan verify \(simulatedFile)",
      remedy: "Drop it. For simulated postbacks give --key with their public key.",
      articles: ["Postbacks", "TestingReceivers"])
  }

  static var malformed: CodeExplanation {
    CodeExplanation(
      phone:
        "Which fields are signed is not known, so nothing was checked. The postback states no version that is known.",
      cause: "The key version is missing or is not one of 2.0 to 4.0.",
      command: #"echo '{"ad-network-id":"com.example"}' | skan verify -"#,
      remedy: "Pass postbacks on as they came, with all of Apple's keys.",
      articles: ["Postbacks"])
  }

  static var notChecked: CodeExplanation {
    CodeExplanation(
      phone: "The signature was not checked, which is neither valid nor invalid. The reason stands beside it.",
      cause: "There is no signature, it is of version 2.0 by Apple's earlier key, or it is a JWS of AdAttributionKit.",
      command: "skan verify \(folder)/simulated-2.0.json",
      remedy: "Do not count it among valid ones.",
      articles: ["Postbacks"])
  }

  static var valuesNotSigned: CodeExplanation {
    CodeExplanation(
      phone: "Conversion values are not part of what Apple signs, so they could have been altered on the way.",
      cause: "The signed text has no field for them, in any version.",
      command: "skan verify \(apples)",
      remedy: "Take the values of the first copy, preferably from Apple's copy to the developer.",
      articles: ["Postbacks"], documents: ["Apple, Verifying an install-validation postback"])
  }

  static var transactionRepeated: CodeExplanation {
    CodeExplanation(
      phone: "An earlier valid postback of this file has the same transaction id: a receiver drops this one.",
      cause:
        "Apple sends again until it is answered with 200, and networks forward what Apple sends to the developer, too.",
      command: "cat \(apples) \(apples) | skan verify -",
      remedy: "Keep the transaction ids that were counted, for longer than Apple repeats (nine days).",
      articles: ["Postbacks"])
  }

  static var receivedBefore: CodeExplanation {
    CodeExplanation(
      phone: "The file of --seen has this postback already, with the same content: a receiver drops this one.",
      cause: "It was received before, from Apple or from a network.",
      command: "skan receive -q \(apples) && skan verify \(apples) --seen received.jsonl",
      remedy: "Nothing is wrong; do not count it again.",
      articles: ["Postbacks"])
  }

  static var apple: CodeExplanation {
    CodeExplanation(
      phone: "Apple's key signed it. It is of a real install.",
      cause: "The App Store's device attribution sent it, or a network passed it on unaltered.",
      command: "skan receive --json \(apples)",
      remedy: "Count it, the first of its transaction id only.",
      articles: ["Postbacks", "PostbackReports"])
  }

  static var development: CodeExplanation {
    CodeExplanation(
      phone: "A key for impressions of a developer's own signed it. Any phone in Developer Mode gets such postbacks.",
      cause: "The source app id is 0, or the JWS names a development key.",
      command:
        #"echo '{"jws-string":"eyJraWQiOiJhcHBsZS1kZXZlbG9wbWVudC1pZGVudGlmaWVyLzEifQ.eyJwb3N0YmFjay1pZGVudGlmaWVyIjoiYSJ9"#
        + #".c2ln"}' | skan receive - --json"#,
      remedy: "Never add it to Apple's.",
      articles: ["Postbacks", "AppleFramework"])
  }

  static var simulated: CodeExplanation {
    CodeExplanation(
      phone: "The tester's own key signed it. It is not of a real install.",
      cause: "skan or another tool made it, and --key names its public key.",
      command: "skan receive --json \(simulatedFile) \(keyOption)",
      remedy: "Never add it to Apple's.",
      articles: ["Postbacks", "TestingReceivers"])
  }

  static var first: CodeExplanation {
    CodeExplanation(
      phone:
        "No postback of this transaction, network and sequence index was received before. Of those that are verified it is "
        + "the one that counts.",
      cause: "It is the first copy.",
      command: "skan receive \(apples)",
      remedy: "Count it if its signature is valid.",
      articles: ["Postbacks", "PostbackReports"])
  }

  static var duplicate: CodeExplanation {
    CodeExplanation(
      phone: "It says what an earlier one says. It is kept and not counted.",
      cause: "Apple sent it again, or a network forwarded it, too.",
      command: "skan receive -q \(apples) && skan receive \(apples)",
      remedy: "Nothing is wrong. Many of them can mean that the receiver's 200 comes too late.",
      articles: ["Postbacks", "PostbackReports"])
  }

  static var conflict: CodeExplanation {
    CodeExplanation(
      phone:
        "It is an earlier one by its transaction, and says something else. The first verified copy counts; the conflict is "
        + "kept.",
      cause:
        "Conversion values are not signed, so a genuine postback can be sent again with a forged value and verify.",
      command: "skan receive -q \(apples) && sed 's/:63,/:1,/' \(apples) | skan receive -",
      remedy: "Find out who sent the second one: source_address of its line has the sender.",
      articles: ["Postbacks", "PostbackReports"])
  }
}
