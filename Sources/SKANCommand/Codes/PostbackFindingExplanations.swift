import SKANCommandLine
import SKANDevice

extension PostbackFinding.Code {
  var explanation: CodeExplanation {
    switch self {
    case .addedKeys:
      CodeExplanation(
        "It contains keys that Apple's postbacks do not have. They are not signed, and the verdict covers only Apple's "
          + "fields.",
        cause: "A network adds its own keys when it forwards a postback, such as ip and timestamp.",
        example: Self.added(#""ip":"203.0.113.9""#), remedy: "Nothing is wrong, if you know the sender.",
        articles: ["Postbacks"])
    case .mistypedKey:
      CodeExplanation(
        "A key resembles one of Apple's keys, which is missing.",
        cause: "It was typed by hand, or written by another program.",
        example: Self.edited("s/conversion-value/conversion-valeu/"),
        remedy: "Correct the key; Apple's are written with hyphens.", articles: ["Postbacks"])
    case .otherVersion:
      CodeExplanation(
        "It has a field that its version does not have. The field is not signed.",
        cause: "A sender uses one form for all versions, or added the field.",
        example: Self.added(#""campaign-id":42"#), remedy: "Read only the fields of the version that it states.",
        articles: ["Postbacks"])
    case .nullField:
      CodeExplanation(
        "A field is null. Apple leaves out a field that has no value, and so does the signed text.",
        cause: "A network that forwards postbacks writes every field.",
        example: Self.edited(#"s/"conversion-value":63/"conversion-value":null/"#),
        remedy: "Treat the field as absent.",
        articles: ["Postbacks"])
    case .fieldMissing:
      CodeExplanation(
        "A field that its version always has is missing. Without it, the signature cannot match.",
        cause: "It was taken out on the way.", example: Self.edited(#"s/"redownload":false,//"#),
        remedy: "Pass postbacks on unchanged.", articles: ["Postbacks"])
    case .fieldForm:
      CodeExplanation(
        "The type or range of a field differs from Apple's documentation. The signature covers the text of the field, "
          + "so it can still be valid.",
        cause: "A sender turned numbers into strings, or the value is made up.",
        example: Self.edited(#"s/:525463029/:"525463029"/"#), remedy: "Read it leniently, and tell the sender.",
        articles: ["Postbacks"])
    case .sourceFilledIn:
      CodeExplanation(
        "The signature is valid only without the source: the source was added on the way.",
        cause: "A network writes zeros, or the source that it knows, where Apple left the source out.",
        example: Self.added(
          #""source-app-id":0"#, "\(Reproduction.postbacks)/simulated-4.0-second.json",
          " \(Reproduction.simulatedKey)"),
        remedy: "Treat the source as absent.", articles: ["Postbacks"])
    case .bothSources:
      CodeExplanation(
        "It has both a source app and a source domain; an ad comes from only one of "
          + "them.", cause: "One of them was added.",
        example: Self.added(#""source-app-id":1234567891"#), remedy: "Trust neither without a valid signature.",
        articles: ["Postbacks"])
    case .bothValues:
      CodeExplanation(
        "It has both a fine and a coarse value; Apple sends only one of them. Neither is signed.",
        cause: "One was added on the way.", example: Self.added(#""coarse-conversion-value":"low""#),
        remedy: "Look for another copy, and trust the copy that Apple sends to the developer.", articles: ["Postbacks"])
    case .notInLaterPostback:
      CodeExplanation(
        "It is a second or third postback with something that only the first one has: a fine value, a source, a "
          + "country or more than two digits.",
        cause: "It was added on the way, or the index was altered.",
        example: Self.added(
          #""conversion-value":5"#, "\(Reproduction.postbacks)/simulated-4.0-second.json",
          " \(Reproduction.simulatedKey)"),
        remedy: "Read its coarse value only.", articles: ["Postbacks"])
    case .notOfNonWinner:
      CodeExplanation(
        "Its ad did not win, but it has a value, a source app or a country. A postback for such an ad has none of "
          + "these.",
        cause: "It was added on the way, or did-win was altered.", example: Self.edited("s/true/false/"),
        remedy: "Count it as a non-winner, without the value.", articles: ["Postbacks"])
    case .domainOfView:
      CodeExplanation(
        "It has a source domain and fidelity type 0. Ads on web pages are clicks, which have type 1.",
        cause: "A field was altered.", example: Self.edited(#"s/"fidelity-type":1/"fidelity-type":0/"#),
        remedy: "Trust neither without a valid signature.", articles: ["Postbacks"])
    case .notBesideCoarse:
      CodeExplanation(
        "It is a first postback with a coarse value, so its tier is 1, but it has more than two digits of the source "
          + "identifier.",
        cause: "The coarse value was added, or the identifier replaced.",
        example: Self.edited(#"s/"39"/"5239"/"#, "\(Reproduction.postbacks)/apple-4.0-coarse.json"),
        remedy: "Trust neither without a valid signature.", articles: ["Postbacks"])
    case .notOfTier1:
      CodeExplanation(
        "It is a first postback with a coarse value, so its tier is 1, but it has a field that Apple's table lists for "
          + "tier 3 alone: the publisher's app or the country.",
        cause: "The coarse value or the country was added on the way, or another program made the postback.",
        example: Self.edited(
          #"s/"conversion-value":24/"coarse-conversion-value":"low"/"#, Reproduction.adAttributionKitPostback),
        remedy: "Do not use the country or the publisher of such a postback.", articles: ["PostbackFields"],
        documents: ["Apple, Receiving postbacks in multiple conversion windows"])
    case .networkOfOtherKey:
      CodeExplanation(
        "Its ad network and its key do not belong together. Postbacks from the tool in a phone's developer settings "
          + "have the network \(AppleKeyID.networkOfTool) and the key \(AppleKeyID.developmentTool.rawValue), and no "
          + "other postback has either.",
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
        remedy: "Read only the known claims.", articles: ["Postbacks"])
    case .notOfReEngagement:
      CodeExplanation(
        "It reports a re-engagement whose ad was viewed or did not win. A re-engagement begins with a click, "
          + "and only the winner gets a postback.",
        cause: "The interaction, which is not signed, was altered, or another program made the postback.",
        example: Self.edited("s/click/view/", Reproduction.adAttributionKitPostback),
        remedy: "Count it as a re-engagement if its signature is valid.", articles: ["Postbacks"])
    case .transactionConflict:
      CodeExplanation(
        "An earlier postback has the same transaction id but different content. The first verified copy counts.",
        cause: "Conversion values are not signed, so a genuine postback can be sent again with a forged value.",
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
        remedy: "Add the row, with the last two or three digits for shorter identifiers.", articles: ["Postbacks"])
    case .campaignAmbiguous:
      CodeExplanation(
        "Several campaigns of the map fit its network and identifier at that time, so none is named.",
        cause: "An identifier was used again, and from and until of the rows overlap; or a short identifier stands for "
          + "several campaigns.",
        example: .shell(
          "printf 'network,identifier,campaign_id\\ncom.example,5239,c-1\\ncom.example,5239,c-2\\n' > demo.csv && "
            + "skan receive \(Reproduction.applesPostback) --campaigns demo.csv"),
        remedy: "Close the old row with until.", articles: ["Postbacks"])
    case .countryContradicted:
      CodeExplanation(
        "Its country-code differs from the country of its campaign in the map of campaigns. The report counts it under "
          + "its country-code.",
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
