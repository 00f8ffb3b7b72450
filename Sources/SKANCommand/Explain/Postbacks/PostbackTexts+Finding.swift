/// What is odd about a received postback.
extension PostbackTexts {
  /// A postback with a piece of its text replaced, and checked.
  private static func edited(_ edit: String, _ file: String = apples, _ options: String = "") -> String {
    "sed '\(edit)' \(file) | skan verify -\(options)"
  }

  private static func added(_ members: String, _ file: String = apples, _ options: String = "") -> String {
    edited("s/}$/,\(members)}/", file, options)
  }

  static var addedKeys: CodeExplanation {
    finding(
      "Keys stand in it that Apple's postbacks do not have. They are not signed, and the verdict is about Apple's fields.",
      "A network adds its own when it forwards, such as ip and timestamp.", added(#""ip":"203.0.113.9""#),
      "Nothing is wrong, if you know the sender.")
  }

  static var mistypedKey: CodeExplanation {
    finding(
      "A key is nearly one of Apple's, which is missing then.", "It was typed by hand, or written by another program.",
      edited("s/conversion-value/conversion-valeu/"), "Correct the key; Apple's are written with hyphens.")
  }

  static var otherVersion: CodeExplanation {
    finding(
      "It has a field that its version does not have. The field is not signed.",
      "A sender writes one form for all versions, or filled it in.", added(#""campaign-id":42"#),
      "Read only the fields of the version that it states.")
  }

  static var nullField: CodeExplanation {
    finding(
      "A field is null. Apple leaves a field out that has no value; the signed text leaves it out, too.",
      "A network's forward writes every field.", edited(#"s/"conversion-value":63/"conversion-value":null/"#),
      "Take it for absent.")
  }

  static var fieldMissing: CodeExplanation {
    finding(
      "A field that its version always has is missing. Then the signature cannot fit either.",
      "It was taken out on the way.", edited(#"s/"redownload":false,//"#), "Pass postbacks on as they came.")
  }

  static var fieldForm: CodeExplanation {
    finding(
      "A field has another type or range than Apple documents. The signature is of its text, so it can still be valid.",
      "A sender turned numbers into strings, or the value is made up.", edited(#"s/:525463029/:"525463029"/"#),
      "Read it leniently, and tell the sender.")
  }

  static var sourceFilledIn: CodeExplanation {
    finding(
      "The signature is valid without the source that stands in it: the source was filled in on the way.",
      "A network writes zeros or its own knowledge where Apple left the source out.",
      added(#""source-app-id":0"#, "\(folder)/simulated-4.0-second.json", " \(keyOption)"),
      "Take the source for absent.")
  }

  static var bothSources: CodeExplanation {
    finding(
      "It has a source app and a source domain; an ad comes from one of both.", "One was filled in.",
      added(#""source-app-id":1234567891"#), "Trust neither without a valid signature.")
  }

  static var bothValues: CodeExplanation {
    finding(
      "It has a fine and a coarse value; Apple sends one of both. Neither is signed.", "One was added on the way.",
      added(#""coarse-conversion-value":"low""#), "Look for another copy, and trust Apple's own to the developer.")
  }

  static var notInLaterPostback: CodeExplanation {
    finding(
      "It is a second or third postback and has what only the first has: a fine value, a source or more than two digits.",
      "It was added on the way, or the index was altered.",
      added(#""conversion-value":5"#, "\(folder)/simulated-4.0-second.json", " \(keyOption)"),
      "Read its coarse value only.")
  }

  static var notOfNonWinner: CodeExplanation {
    finding(
      "Its ad did not win, and it has a value or a source app. Such a postback has neither.",
      "It was added on the way, or did-win was altered.", edited("s/true/false/"),
      "Count it as a non-winner, without the value.")
  }

  static var domainOfView: CodeExplanation {
    finding(
      "It has a source domain and fidelity type 0. Ads on web pages are clicks, of type 1.", "A field was altered.",
      edited(#"s/"fidelity-type":1/"fidelity-type":0/"#), "Trust neither without a valid signature.")
  }

  static var notBesideCoarse: CodeExplanation {
    finding(
      "It is a first postback with a coarse value, which is of tier 1, and has more than two digits of the source identifier.",
      "The coarse value was added, or the identifier replaced.",
      edited(#"s/"39"/"5239"/"#, "\(folder)/apple-4.0-coarse.json"), "Trust neither without a valid signature.")
  }

  static var transactionConflict: CodeExplanation {
    finding(
      "An earlier postback has its transaction id and says something else. The first verified copy counts.",
      "Conversion values are not signed, so a genuine postback can come again with a forged one.",
      "sed 's/:63,/:1,/' \(apples) | cat \(apples) - | skan verify -", "Find out who sent the second one.")
  }

  static var campaignUnknown: CodeExplanation {
    finding(
      "The map of campaigns has no row for its network and identifier at that time.",
      "The map is older than the campaign, or has the identifier with another number of digits.",
      "printf 'network,identifier,campaign_id\\nother.example,1,c-1\\n' > demo.csv && skan receive \(apples) --campaigns demo.csv",
      "Add the row: the last two or three digits for shorter identifiers.")
  }

  static var campaignAmbiguous: CodeExplanation {
    finding(
      "Several campaigns of the map fit its network and identifier at that time, so none is named.",
      "An identifier was used again, and from and until of the rows overlap; or short identifiers stand for several.",
      "printf 'network,identifier,campaign_id\\ncom.example,5239,c-1\\ncom.example,5239,c-2\\n' > demo.csv && skan receive "
        + "\(apples) --campaigns demo.csv",
      "Close the old row with until.")
  }

  private static func finding(
    _ phone: String, _ cause: String, _ command: String, _ remedy: String
  ) -> CodeExplanation {
    CodeExplanation(phone: phone, cause: cause, command: command, remedy: remedy, articles: ["Postbacks"])
  }
}
