import SKANBase

/// A difference between an answer and the published reference that the snippet does not notice.
///
/// Answers that the phone's JSON reader does not read as an object have none: they fail the step by themselves.
package enum ContractBreach: Sendable, Equatable {
  /// The HTTP status is this one instead of 200.
  case status(Int)
  /// A key that is not documented and resembles a documented one.
  case misspelledKey(String, meant: String)
  /// The first keys that are not documented and resemble no documented one, and the number of further ones.
  case unknownKeys([String], more: Int)
  /// There is a conversion value, and `status` has this value for a message, or is absent.
  case statusNotOK(String?)
  /// The reason that the body is not JSON by RFC 8259.
  case notJSON(String)
  /// The value of the header `Content-Type`.
  case contentType(String)

  /// Who gave an answer.
  package enum Giver: Sendable {
    /// A list or an option, which tests how the app handles the answer.
    case script
    /// A server on the network, which is tested.
    case server
  }

  /// The most keys that a message names, and the most ``misspelledKey(_:meant:)`` of an answer.
  private static let mostKeys = 5

  /// The keys of an answer: the reference's table, `skan_updated_lock_window_value` of the guides' code, and `reason`
  /// of an error.
  package static let documentedKeys = [
    "conversion_value", "skan_updated_coarse_value", "skan_updated_lock_window_value", "postback_sequence_index",
    "status", "reason",
  ]

  /// All breaches of an answer, except that of its content type.
  package static func all(in answer: EndpointAnswer) -> [ContractBreach] {
    guard case .response(let status, let body) = answer, let object = object(answer) else { return [] }
    var breaches: [ContractBreach] = status == 200 ? [] : [.status(status)]
    if let reason = reasonNotJSON(body) { breaches.append(.notJSON(reason)) }
    var seen = Set(documentedKeys)
    var (near, others): ([ContractBreach], [String]) = ([], [])
    if case .object(let members) = object.content {
      for key in members.map(\.key) where seen.insert(key).inserted {
        if let meant = documentedKey(meantBy: key) {
          if near.count < mostKeys { near.append(.misspelledKey(key, meant: meant)) }
        } else {
          others.append(key)
        }
      }
    }
    breaches += near
    if !others.isEmpty {
      breaches.append(.unknownKeys(Array(others.prefix(mostKeys)), more: max(0, others.count - mostKeys)))
    }
    if object.member("conversion_value") != nil, object.text("status")?.isLiterally("ok") != true {
      breaches.append(.statusNotOK(object.member("status")?.briefly))
    }
    return breaches
  }

  /// The breach of an answer whose content type is not `application/json` or one that ends in `+json` (RFC 6839).
  ///
  /// - Parameter field: the header's value; nil, which RFC 9110 allows, is no breach.
  package static func inContentType(_ field: String?, of answer: EndpointAnswer) -> ContractBreach? {
    guard let field, object(answer) != nil else { return nil }
    let type = String(field.prefix { $0 != ";" }.trimming { $0 == " " || $0 == "\t" }).lowercased()
    return type == "application/json" || type.hasSuffix("+json") ? nil : .contentType(field)
  }

  /// The object that the phone's reader reads; nil if it fails or reads another value.
  private static func object(_ answer: EndpointAnswer) -> JSONNode? {
    guard case .response(_, let body) = answer,
      let node = try? JSONReader.read(JSONEncodings.utf8(body), dialect: .phone), node.isObject
    else { return nil }
    return node
  }

  /// Why a body that the phone's reader accepts is not JSON.
  private static func reasonNotJSON(_ body: [UInt8]) -> String? {
    do throws(JSONError) {
      _ = try JSONReader.read(body)
      return nil
    } catch {
      return JSONEncodings.utf8(body) == body
        ? "\(error.message), byte \(error.offset)" : "it is UTF-16 or UTF-32, and JSON is exchanged in UTF-8"
    }
  }
}

extension ContractBreach {
  package var code: WarningCode {
    switch self {
    case .status: .statusNot200
    case .misspelledKey, .unknownKeys: .unknownAnswerKey
    case .statusNotOK: .statusNotOK
    case .notJSON: .answerNotJSON
    case .contentType: .contentTypeNotJSON
    }
  }

  /// The level of the warning: a finding about a server, except for keys that only add to the documented ones.
  package func level(by giver: Giver) -> Warning.Level {
    switch (giver, self) {
    case (.script, _), (.server, .unknownKeys): .note
    case (.server, _): .finding
    }
  }

  /// One sentence.
  package var message: String {
    switch self {
    case .status(let status):
      "The HTTP status is \(status), but 200 is documented: the snippet does not check it and uses the answer."
    case .misspelledKey(let key, let meant):
      "The answer has the key \(Self.shown(key)), which the snippet does not read: \(meant) is documented."
    case .unknownKeys(let keys, let more):
      "The answer has \(keys.count + more == 1 ? "a key" : "keys") that the API reference does not name: "
        + keys.map(Self.shown).joined(separator: ", ") + (more == 0 ? "." : " and \(more) more.")
    case .statusNotOK(let status):
      "The answer has a conversion value and \(status.map { "the status \($0)" } ?? "no status"), but \"ok\" is "
        + "documented: the snippet does not check it and uses the value."
    case .notJSON(let reason): "The phone reads the body, which is not JSON by RFC 8259: \(reason)."
    case .contentType(let type):
      "The content type is \(Self.shown(type)), but that of JSON is application/json: the snippet does not check it."
    }
  }

  /// A text of an answer for a message.
  private static func shown(_ text: String) -> String {
    JSONWriter.quoted(text.count > 40 ? "\(text.prefix(40))…" : text)
  }
}

// Resemblance of keys.
extension ContractBreach {
  /// A documented key, the words of its name, and these without separators.
  private struct Documented {
    let key: String
    let words: [String]
    var compact: String { words.joined() }
  }

  private static let documented = documentedKeys.map { Documented(key: $0, words: words(of: $0)) }

  /// The documented key that an undocumented one resembles.
  ///
  /// It resembles one that it equals without separators and case, except for a letter in six; whose words it all has;
  /// or from which it has nothing but words, one of which is in no other key, or half of all. A word may be abbreviated
  /// unless it is the only one.
  package static func documentedKey(meantBy key: String) -> String? {
    guard key.utf8.count <= 256 else { return nil }
    let words = words(of: key)
    guard !words.isEmpty else { return nil }
    let compact = words.joined()
    let names = documented.map(\.compact)
    if let name = nearestName(to: compact, in: names, atMost: max(1, compact.count / 6)),
      let index = names.firstIndex(of: name)
    {
      return documented[index].key
    }
    return documented.first { $0.words.count > 1 && isPart(words, of: $0) || isWhole($0, in: words) }?.key
  }

  private static func isWhole(_ one: Documented, in words: [String]) -> Bool {
    one.words.count > 1 && one.words.allSatisfy(words.contains)
  }

  private static func isPart(_ words: [String], of one: Documented) -> Bool {
    let found = words.compactMap { word in
      one.words.first { $0 == word || words.count > 1 && word.count >= 3 && $0.hasPrefix(word) }
    }
    guard found.count == words.count else { return false }
    let isAlone = found.contains { word in documented.allSatisfy { $0.key == one.key || !$0.words.contains(word) } }
    return isAlone || Set(found).count * 2 >= one.words.count
  }

  /// The words of a key in snake_case, kebab-case or camelCase, in lower case.
  private static func words(of key: String) -> [String] {
    var words: [String] = []
    var isInside = false
    var wasLower = false
    for character in key {
      guard character.isLetter || character.isNumber else {
        isInside = false
        continue
      }
      if !isInside || wasLower && character.isUppercase { words.append("") }
      words[words.count - 1] += character.lowercased()
      (isInside, wasLower) = (true, character.isLowercase)
    }
    return words
  }
}
