import SKANHTTP

/// Where the developer's copy of a winning postback goes.
enum DeveloperCopy: Sendable {
  case nowhere
  case to(PostbackURL)
}

extension ValueParser<DeveloperCopy> {
  static var developerCopy: Self {
    Self(.url, values: ["none"]) { (given) throws(CommandError) in
      given.text == "none" ? .nowhere : .to(try ValueParser<PostbackURL>.postbackURL.parse(given))
    }
  }
}

extension ValueParser<PostbackURL> {
  static var postbackURL: Self {
    Self(.url) { (given) throws(CommandError) in
      do throws(EndpointURLProblem) { return try PostbackURL(given.text) } catch { throw given.problem(error.message) }
    }
  }
}
