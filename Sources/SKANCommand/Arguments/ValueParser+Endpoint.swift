import SKANHTTP
import SKANBase
import SKANRun

extension ValueParser<Endpoint> {
  private static var names: [String] { ["embedded", "testing", "production"] }

  /// Who answers: one of three names, or a URL.
  static var endpoint: Self {
    Self(.url, values: names) { (given) throws(CommandError) in
      let text = given.text
      switch text {
      case "embedded": return .embedded
      case "testing": return .testing
      case "production": return .production
      default:
        do throws(EndpointURLProblem) {
          return .custom(
            v1: try EndpointURL(text, api: .v1), v2: try EndpointURL(text, api: .v2))
        } catch {
          // Not quoted when it is more than a word: a query or a user may hold a secret.
          let isShown = text.utf8.allSatisfy(\.isWordByte)
          throw !isShown
            ? given.problem(message(error, text)) : given.refused("\(JSONWriter.quoted(text)): \(message(error, text))")
        }
      }
    }
  }

  private static func message(_ problem: EndpointURLProblem, _ text: String) -> String {
    if let meant = mended(text) ?? withScheme(text) ?? nearestName(to: text, in: names) {
      return "did you mean \(meant)?"
    }
    return problem == .noScheme ? "it must be \(names.joined(separator: ", ")), or an http(s) URL" : problem.message
  }

  /// What a URL with a mistyped beginning is meant to be: `http//localhost`, `http:/localhost`, `htp://localhost`.
  private static func mended(_ text: String) -> String? {
    let scheme = text.prefix { $0.isLetter }
    let signs = text[scheme.endIndex...].prefix { ":/".contains($0) }
    guard !signs.isEmpty, signs.contains("/") || scheme.hasPrefix("http"),
      let known = nearestName(to: String(scheme), in: ["http", "https"])
    else { return nil }
    let url = "\(known)://\(text[signs.endIndex...])"
    return (try? EndpointURL(url, api: .v2)) == nil ? nil : url
  }

  /// What a host without a scheme is meant to be: `localhost:8080`.
  private static func withScheme(_ text: String) -> String? {
    // What stands before an @ may be a secret.
    guard !text.contains("://"), !text.contains("@"), !text.hasPrefix("http"),
      text.hasPrefix("localhost") || text.contains(where: { $0 == "." || $0 == ":" })
    else {
      return nil
    }
    let url = "http://\(text)"
    return (try? EndpointURL(url, api: .v2)) == nil ? nil : url
  }
}

extension UInt8 {
  /// A letter, a digit or a hyphen.
  fileprivate var isWordByte: Bool { isASCIILetterOrDigit || self == UInt8(ascii: "-") }
}
