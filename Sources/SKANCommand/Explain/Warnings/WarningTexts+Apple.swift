/// Where the app and Apple part.
extension WarningTexts {
  static var ignoredAfterLock: CodeExplanation {
    CodeExplanation(
      phone:
        "Apple's window was locked by an earlier call, so Apple keeps the values of the lock and ignores this update. There "
        + "is no error; the app keeps the new values and reports them.",
      cause:
        "The endpoint goes on giving new values in a window that it locked. A lock hinders nothing in the snippet.",
      code: .keptLock,
      command: Reproduction.fixture("hazards/update-after-lock"),
      remedy: "After a lock, answer without a value until the next window begins.",
      articles: ["BeliefAndTruth", "AppleFramework"])
  }

  static var frameworkErrorKept: CodeExplanation {
    CodeExplanation(
      phone:
        "Apple refused the call, and the app keeps its values all the same. From then on the two differ; of register and "
        + "SKAN 3 the app does not even hear of it.",
      cause: "A development build (code 10), a fine value outside 0-63 (code 6), or an error that the list scripts.",
      code: .keptAnyway,
      command: Reproduction.fixture("hazards/framework-error-kept"),
      remedy: "Test with a build from the App Store, and give values from 0 to 63.",
      articles: ["BeliefAndTruth", "Hazards"])
  }

  static var organicInstall: CodeExplanation {
    CodeExplanation(
      phone: "No ad brought this install: Apple takes the call without an error, holds nothing and sends no postback.",
      cause: "The device step says \"ad\": false. On a real phone most installs are so, and no app can tell.",
      code: .frameworkCall,
      command: Reproduction.fixture("belief-and-truth/organic", showsNotes: true),
      remedy: "Nothing is wrong. Leave \"ad\" out to see what an attributed install does.",
      articles: ["BeliefAndTruth", "AppleFramework"])
  }

  static var windowsDiffer: CodeExplanation {
    CodeExplanation(
      phone:
        "The app takes this update for another window than Apple does. What the app keeps for P1 can be Apple's value of "
        + "P0.",
      cause:
        "The snippet counts from its own first call and the phone's clock; Apple from the first call that it took, in "
        + "Developer Mode with short windows, and by clock-start from the first launch.",
      code: .currentWindow,
      command: Reproduction.fixture("hazards/windows-differ", showsNotes: true),
      remedy: "Read what leaves the phone from 'skan postbacks', not from what the app keeps.",
      articles: ["BeliefAndTruth", "Windows"])
  }

  static var ignoredByApple: CodeExplanation {
    CodeExplanation(
      phone: "The app keeps what it received, but the call changed nothing at Apple. There is no error.",
      cause:
        "Apple's windows are over or its timer has run out, the value is not higher (ads up to version 3), the call has "
        + "no coarse value after P0, it is the first one and more than 60 days late, or this iOS does not know the ad's "
        + "version.",
      code: .frameworkCall,
      command: Reproduction.fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
      remedy: "The message names the reason. Compare both sides with 'skan details --table'.",
      articles: ["BeliefAndTruth", "AppleFramework"])
  }

  static var fineIgnored: CodeExplanation {
    CodeExplanation(
      phone:
        "Apple takes a fine value in its first window only; this one does not count. The snippet does not keep it after "
        + "P0 either, but hands it to the handler as a success.",
      cause:
        "The endpoint has to give some conversion_value in every window; in P1 and P2 only the coarse value counts.",
      code: .frameworkCall,
      command: Reproduction.fixture("belief-and-truth/fine-value-after-p0", showsNotes: true),
      remedy: "Nothing is wrong. In later windows answer with the current fine value and a coarse value.",
      articles: ["BeliefAndTruth", "AppleFramework"])
  }

  static var coarseIgnored: CodeExplanation {
    CodeExplanation(
      phone: "The ad is of a version up to 3, which knows no coarse value: Apple ignores it. The app keeps it.",
      cause: "The install came from an ad of an older version; no app can tell.",
      code: .frameworkCall,
      command: Reproduction.fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
      remedy: "Nothing is wrong. Such an install has one postback, with a fine value.",
      articles: ["BeliefAndTruth", "AppleFramework"])
  }

  static var lockIgnored: CodeExplanation {
    CodeExplanation(
      phone:
        "The ad is of a version up to 3, which knows no lock: Apple ignores it. The app keeps the time of the lock.",
      cause: "The install came from an ad of an older version; no app can tell.",
      code: .frameworkCall,
      command: Reproduction.fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
      remedy: "Nothing is wrong. Its timer ends 24 hours after the last higher value.",
      articles: ["BeliefAndTruth", "AppleFramework"])
  }
}
