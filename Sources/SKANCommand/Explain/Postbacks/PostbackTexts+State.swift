/// Where a simulated postback is.
extension PostbackTexts {
  private static func list(_ at: String) -> String {
    Reproduction.json(
      #"{"op":"register"}"#,
      #"{"op":"session","after":"1h","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1}}}"#,
      #"{"op":"postbacks","at":"+\#(at)"}"#)
  }

  static var open: CodeExplanation {
    CodeExplanation(
      phone: "Its window is not over, so its values can still change. The body shows what would leave as things stand.",
      cause: "The window runs, has not begun, or the timer of versions up to 3 runs.",
      command: list("1d"), remedy: "Nothing is wrong.", articles: ["Postbacks", "AppleFramework"])
  }

  static var scheduled: CodeExplanation {
    CodeExplanation(
      phone:
        "Its window is over or locked, its values are final, and it waits for its time. Apple draws the delay at random: 24 "
        + "to 48 h for the first, 24 to 144 h for the others.",
      cause: "The window ended, or an update locked it.",
      command: list("2d"), remedy: "Nothing is wrong.", articles: ["Postbacks", "AppleFramework"])
  }

  static var sent: CodeExplanation {
    CodeExplanation(
      phone: "It has left the phone, to the ad network and, of a winning ad, to the developer.",
      cause: "Its time has come.",
      command: list("10d"), remedy: "Nothing is wrong. 'skan postbacks --send' delivers it to a receiver of yours.",
      articles: ["Postbacks"])
  }

  static var notSent: CodeExplanation {
    CodeExplanation(
      phone: "It never leaves. The reason stands in why.",
      cause:
        "No update came in its window, the ad did not win or has the lowest tier, the first call came too late, or the app "
        + "is not from the App Store.",
      command: list("50d"),
      remedy: "Call the update in every window, at least with one session in days 3-7 and 8-35.",
      articles: ["Postbacks", "AppleFramework"])
  }
}
