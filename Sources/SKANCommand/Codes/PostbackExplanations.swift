import SKANCommandLine
import SKANDevice
import SKANReceive
import SKANSigning

extension PostbackVerdict.Outcome {
  var explanation: CodeExplanation {
    switch self {
    case .valid:
      CodeExplanation(
        "The signature matches the fields of its version and the given key. Values are not signed: a genuine postback "
          + "can arrive with a forged conversion value.",
        cause: "Apple, or the holder of the given key, signed it, and no signed field was altered.",
        example: .shell("skan verify \(Reproduction.applesPostback)"),
        remedy: "Take the first valid copy of a transaction id and drop later ones.", articles: ["Postbacks"],
        documents: ["Apple, Verifying an install-validation postback"])
    case .invalid:
      CodeExplanation(
        "The signature does not match the fields and the key. Nothing in the postback can be trusted.",
        cause: "A signed field was altered on its way, another key signed it, or the signature itself is damaged. "
          + "A simulated postback is invalid by Apple's key.",
        example: .shell("skan verify \(Reproduction.simulatedPostback)"),
        remedy: "Drop it. For simulated postbacks give --key with their public key.",
        articles: ["Postbacks", "TestingReceivers"])
    case .malformed:
      CodeExplanation(
        "It is not known which fields are signed, so nothing was checked. The postback has no known version, or its "
          + "form differs from Apple's.",
        cause:
          "The key version is missing or is not one of 1.0 to 4.0; or a sender renamed the keys, put the postback "
          + "into another object or encoded it in base64.",
        example: .shell(#"echo '{"ad-network-id":"com.example"}' | skan verify -"#),
        remedy: "Pass postbacks on unchanged, with all of Apple's keys.", articles: ["Postbacks"])
    case .notChecked:
      CodeExplanation(
        "The signature was not checked, so it is neither valid nor invalid. The reason is shown beside it.",
        cause:
          "There is no signature; or the JWS names an unknown key (kid) or is that of an impression; or the version is "
          + "1.0 or 2.0, which Apple signed on P-192, and OpenSSL is missing or, for 2.0, the signature does not "
          + "match.",
        example: .shell(
          #"sed 's/"attribution-signature"/"ip"/' \#(Reproduction.applesPostback) | skan verify -"#),
        remedy: "Do not count it as valid.", articles: ["Postbacks"])
    }
  }
}

extension ReceivedSignature.Key {
  var explanation: CodeExplanation {
    switch self {
    case .apple:
      CodeExplanation(
        "Apple's key signed it: the install is real.",
        cause: "The App Store's device attribution sent it, or a network passed it on unaltered.",
        example: .shell("skan receive --json \(Reproduction.applesPostback)"),
        remedy: "Count it, but only the first one with its transaction id.", articles: ["Postbacks", "PostbackReports"])
    case .development:
      CodeExplanation(
        "A development key signed it. Any phone in Developer Mode gets such postbacks.",
        cause: "The source app id is 0, or a development key of AdAttributionKit signed the JWS.",
        example: .shell(
          "skan receive --json \(Reproduction.adAttributionKitPostback)"),
        remedy: "Never count it together with Apple's postbacks.", articles: ["Postbacks", "AppleFramework"])
    case .simulated:
      CodeExplanation(
        "The tester's own key signed it: the install is not real.",
        cause: "skan or another tool made it, and --key names its public key.",
        example: .shell("skan receive --json \(Reproduction.simulatedPostback) \(Reproduction.simulatedKey)"),
        remedy: "Never count it together with Apple's postbacks.", articles: ["Postbacks", "TestingReceivers"])
    }
  }
}

extension Repetition {
  var explanation: CodeExplanation {
    switch self {
    case .first:
      CodeExplanation(
        "No postback with this transaction, network and sequence index was received before. If it is verified, it is "
          + "the one that counts.",
        cause: "It is the first copy.", example: .shell("skan receive \(Reproduction.applesPostback)"),
        remedy: "Count it if its signature is valid.", articles: ["Postbacks", "PostbackReports"])
    case .duplicate:
      CodeExplanation(
        "An earlier postback has the same content. This one is kept and not counted.",
        cause: "Apple sent it again, or a network forwarded it, too.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && skan receive \(Reproduction.applesPostback)"),
        remedy: "Nothing is wrong. Many duplicates can mean that the receiver answers 200 too late.",
        articles: ["Postbacks", "PostbackReports"])
    case .conflict:
      CodeExplanation(
        "An earlier postback has the same transaction and other content. The first verified copy counts; the "
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

extension Postback.State {
  var explanation: CodeExplanation {
    switch self {
    case .open:
      CodeExplanation(
        "Its window is not over, so its values can still change. The body shows what would be sent as things stand.",
        cause: "The window is open or has not begun, or the timer of versions up to 3 is "
          + "running.", example: Self.list("1d"),
        remedy: "Nothing is wrong.", articles: ["Postbacks", "AppleFramework"])
    case .scheduled:
      CodeExplanation(
        "Its window is over or locked, its values are final, and it is waiting to be sent. Apple draws the delay at "
          + "random: 24 to 48 h for the first, 24 to 144 h for the others.",
        cause: "The window ended, or an update locked it.", example: Self.list("2d"), remedy: "Nothing is wrong.",
        articles: ["Postbacks", "AppleFramework"])
    case .sent:
      CodeExplanation(
        "It has left the phone for the ad network and, if the ad won, for the developer.",
        cause: "Its time has come.", example: Self.list("10d"),
        remedy: "Nothing is wrong. 'skan postbacks --send' delivers it to a receiver of yours.",
        articles: ["Postbacks"])
    case .notSent:
      CodeExplanation(
        "It is never sent. The key why has the reason.",
        cause: "No update came in its window, the ad did not win or has the lowest tier, the first call came too "
          + "late, or the app is not from the App Store.",
        example: Self.list("50d"),
        remedy: "Call the update in every window, with at least one session in days 3-7 and one in days 8-35.",
        articles: ["Postbacks", "AppleFramework"])
    }
  }

  /// A list in which a postback has the state at that time.
  private static func list(_ at: String) -> Reproduction {
    .json(
      #"{"op":"register"}"#,
      #"{"op":"session","after":"1h","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1}}}"#,
      #"{"op":"postbacks","at":"+\#(at)"}"#)
  }
}
