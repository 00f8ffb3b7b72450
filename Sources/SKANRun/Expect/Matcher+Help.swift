extension Matcher {
  /// As it is written.
  package var example: String {
    switch self {
    case .exists: "{\"$exists\":true}"
    case .matches: "{\"$matches\":\"^Updated\"}"
    case .between: "{\"$between\":[0,63]}"
    case .approx: "{\"$approx\":9.99,\"within\":0.01}"
    case .contains: "{\"$contains\":…}"
    }
  }

  /// What meets it.
  package var meaning: String {
    switch self {
    case .exists: "anything but null; with false null or absent"
    case .matches: "a text or number in which the regular expression is found"
    case .between: "a number, or a text that is one, from the first to the second"
    case .approx: "the same, at most that far away"
    case .contains: "a text with this part, an array with this element, an object with these members"
    }
  }
}
