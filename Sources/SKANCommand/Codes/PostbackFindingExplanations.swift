import SKANCommandLine
import SKANDevice

extension PostbackFinding.Code {
  var explanation: CodeExplanation {
    switch self {
    case .addedKeys:
      CodeExplanation(
        "It contains keys that Apple's postbacks do not have. They are not signed, and the verdict is about Apple's "
          + "fields.",
        cause: "A network adds its own when it forwards, such as ip and timestamp.",
        example: Self.added(#""ip":"203.0.113.9""#), remedy: "Nothing is wrong, if you know the sender.",
        articles: ["Postbacks"])
    case .mistypedKey:
      CodeExplanation(
        "A key is nearly one of Apple's, which is missing then.",
        cause: "It was typed by hand, or written by another program.",
        example: Self.edited("s/conversion-value/conversion-valeu/"),
        remedy: "Correct the key; Apple's are written with hyphens.", articles: ["Postbacks"])
    case .otherVersion:
      CodeExplanation(
        "It has a field that its version does not have. The field is not signed.",
        cause: "A sender writes one form for all versions, or filled it in.",
        example: Self.added(#""campaign-id":42"#), remedy: "Read only the fields of the version that it states.",
        articles: ["Postbacks"])
    case .nullField:
      CodeExplanation(
        "A field is null. Apple leaves a field out that has no value; the signed text leaves it out, too.",
        cause: "A network's forward writes every field.",
        example: Self.edited(#"s/"conversion-value":63/"conversion-value":null/"#),
        remedy: "Treat the field as absent.",
        articles: ["Postbacks"])
    case .fieldMissing:
      CodeExplanation(
        "A field that its version always has is missing. Then the signature cannot fit either.",
        cause: "It was taken out on the way.", example: Self.edited(#"s/"redownload":false,//"#),
        remedy: "Pass postbacks on as they came.", articles: ["Postbacks"])
    case .fieldForm:
      CodeExplanation(
        "A field has another type or range than Apple documents. The signature is of its text, so it can still be "
          + "valid.",
        cause: "A sender turned numbers into strings, or the value is made up.",
        example: Self.edited(#"s/:525463029/:"525463029"/"#), remedy: "Read it leniently, and tell the sender.",
        articles: ["Postbacks"])
    case .sourceFilledIn:
      CodeExplanation(
        "The signature is valid only without the source: it was filled in on the way.",
        cause: "A network writes zeros or its own knowledge where Apple left the source out.",
        example: Self.added(
          #""source-app-id":0"#, "\(Reproduction.postbacks)/simulated-4.0-second.json",
          " \(Reproduction.simulatedKey)"),
        remedy: "Take the source for absent.", articles: ["Postbacks"])
    case .bothSources:
      CodeExplanation(
        "It has a source app and a source domain; an ad comes from one of both.", cause: "One was filled in.",
        example: Self.added(#""source-app-id":1234567891"#), remedy: "Trust neither without a valid signature.",
        articles: ["Postbacks"])
    case .bothValues:
      CodeExplanation(
        "It has a fine and a coarse value; Apple sends one of both. Neither is signed.",
        cause: "One was added on the way.", example: Self.added(#""coarse-conversion-value":"low""#),
        remedy: "Look for another copy, and trust Apple's own to the developer.", articles: ["Postbacks"])
    case .notInLaterPostback:
      CodeExplanation(
        "It is a second or third postback and has what only the first has: a fine value, a source, a country or more "
          + "than two digits.",
        cause: "It was added on the way, or the index was altered.",
        example: Self.added(
          #""conversion-value":5"#, "\(Reproduction.postbacks)/simulated-4.0-second.json",
          " \(Reproduction.simulatedKey)"),
        remedy: "Read its coarse value only.", articles: ["Postbacks"])
    case .notOfNonWinner:
      CodeExplanation(
        "Its ad did not win, and it has a value, a source app or a country. Such a postback has none of them.",
        cause: "It was added on the way, or did-win was altered.", example: Self.edited("s/true/false/"),
        remedy: "Count it as a non-winner, without the value.", articles: ["Postbacks"])
    case .domainOfView:
      CodeExplanation(
        "It has a source domain and fidelity type 0. Ads on web pages are clicks, of type 1.",
        cause: "A field was altered.", example: Self.edited(#"s/"fidelity-type":1/"fidelity-type":0/"#),
        remedy: "Trust neither without a valid signature.", articles: ["Postbacks"])
    case .notBesideCoarse:
      CodeExplanation(
        "It is a first postback with a coarse value, which is of tier 1, and has more than two digits of the source "
          + "identifier.",
        cause: "The coarse value was added, or the identifier replaced.",
        example: Self.edited(#"s/"39"/"5239"/"#, "\(Reproduction.postbacks)/apple-4.0-coarse.json"),
        remedy: "Trust neither without a valid signature.", articles: ["Postbacks"])
    case .notOfTier1:
      CodeExplanation(
        "It is a first postback with a coarse value, which is of tier 1, and has a field that Apple's table lists for "
          + "tier 3 alone: the publisher's app or the country.",
        cause: "The coarse value or the country was added on the way, or another program made the postback.",
        example: Self.edited(
          #"s/"conversion-value":24/"coarse-conversion-value":"low"/"#, Reproduction.adAttributionKitPostback),
        remedy: "Do not use the country or the publisher of such a postback.", articles: ["PostbackFields"],
        documents: ["Apple, Receiving postbacks in multiple conversion windows"])
    case .networkOfOtherKey:
      CodeExplanation(
        "Its ad network and its key do not go together. The postbacks of the tool in a phone's developer settings have "
          + "the network \(AppleKeyID.networkOfTool) and the key \(AppleKeyID.developmentTool.rawValue), and no other "
          + "postback has either.",
        cause: "Another program made the postback, or its header was altered.",
        example: .shell(
          "echo eyJraWQiOiJhcHBsZS1jYXMtaWRlbnRpZmllci8wIiwiYWxnIjoiRVMyNTYifQ"
            + ".eyJhZC1uZXR3b3JrLWlkZW50aWZpZXIiOiJkZXZlbG9wbWVudC5hZGF0dHJpYnV0aW9ua2l0In0.c2ln | skan verify -"),
        remedy: "Do not count it.", articles: ["PostbackFields"],
        documents: ["Apple, Creating postbacks in developer settings"])
    case .unknownClaims:
      CodeExplanation(
        "The header or payload of its JWS has members that Apple's page does not list. If the signature is valid, "
          + "they are signed.",
        cause: "Apple added them after this version of skan, or another program made the postback.",
        example: .shell("echo eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln | skan verify -"),
        remedy: "Read the claims that are known.", articles: ["Postbacks"])
    case .notOfReEngagement:
      CodeExplanation(
        "It reports a re-engagement whose ad was viewed or did not win. A re-engagement begins with a click, "
          + "and only the winner gets a postback.",
        cause: "The interaction, which is not signed, was altered, or another program made the postback.",
        example: Self.edited("s/click/view/", Reproduction.adAttributionKitPostback),
        remedy: "Count it as a re-engagement if its signature is valid.", articles: ["Postbacks"])
    case .transactionConflict:
      CodeExplanation(
        "An earlier postback has its transaction id and says something else. The first verified copy counts.",
        cause: "Conversion values are not signed, so a genuine postback can come again with a forged one.",
        example: .shell(
          "sed 's/:63,/:1,/' \(Reproduction.applesPostback) | cat \(Reproduction.applesPostback) - | skan verify -"),
        remedy: "Find out who sent the second one.", articles: ["Postbacks"])
    case .campaignUnknown:
      CodeExplanation(
        "The map of campaigns has no row for its network and identifier at that time.",
        cause: "The map is older than the campaign, or has the identifier with another number of digits.",
        example: .shell(
          "printf 'network,identifier,campaign_id\\nother.example,1,c-1\\n' > demo.csv && skan receive "
            + "\(Reproduction.applesPostback) --campaigns demo.csv"),
        remedy: "Add the row: the last two or three digits for shorter identifiers.", articles: ["Postbacks"])
    case .campaignAmbiguous:
      CodeExplanation(
        "Several campaigns of the map fit its network and identifier at that time, so none is named.",
        cause: "An identifier was used again, and from and until of the rows overlap; or short identifiers stand for "
          + "several.",
        example: .shell(
          "printf 'network,identifier,campaign_id\\ncom.example,5239,c-1\\ncom.example,5239,c-2\\n' > demo.csv && "
            + "skan receive \(Reproduction.applesPostback) --campaigns demo.csv"),
        remedy: "Close the old row with until.", articles: ["Postbacks"])
    case .countryContradicted:
      CodeExplanation(
        "Its country-code is another country than that of its campaign in the map of campaigns. The report counts it "
          + "by its country-code.",
        cause: "The campaign runs in other countries than the map says, its identifier was used again, or the "
          + "country-code, which is not signed, was altered.",
        example: .shell(
          "printf 'network,identifier,campaign_id,country\\ndevelopment.adattributionkit,1234,c-1,DE\\n' > demo.csv && "
            + "skan receive \(Reproduction.adAttributionKitPostback) --campaigns demo.csv"),
        remedy: "Correct the country of the row, or leave it empty.", articles: ["PostbackFields"])
    }
  }

  /// A check of a postback in which a piece of text was replaced.
  private static func edited(
    _ edit: String, _ file: String = Reproduction.applesPostback, _ options: String = ""
  ) -> Reproduction {
    .shell("sed '\(edit)' \(file) | skan verify -\(options)")
  }

  private static func added(
    _ members: String, _ file: String = Reproduction.applesPostback, _ options: String = ""
  ) -> Reproduction {
    edited("s/}$/,\(members)}/", file, options)
  }
}
