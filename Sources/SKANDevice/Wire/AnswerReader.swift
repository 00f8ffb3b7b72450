import SKANJSON

/// A response as the snippet's JSON reader sees it; see the article "Answers".
enum ParsedAnswer {
  /// The reader gives nothing; the text says why.
  case unparsable(String)
  /// An array, on which the snippet's first `objectForKey:` raises an exception.
  case array
  case object(JSONNode)

  init(_ body: [UInt8]) {
    do throws(JSONError) {
      let node = try JSONReader.read(JSONEncodings.utf8(body), dialect: .phone)
      switch node.content {
      case .object: self = .object(node)
      case .array: self = .array
      default: self = .unparsable("it is \(node.kind) standing alone")
      }
    } catch {
      let isBlank = body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      self = .unparsable(
        body.isEmpty ? "it is empty" : isBlank ? "it is blank" : "\(error.words), byte \(error.offset)")
    }
  }
}

/// A member of an answer as the snippet meets it.
enum AnswerField {
  case absent
  /// Something that answers to `intValue` and `boolValue`.
  case value(KeptValue)
  /// `null`, an array or an object: none of them does.
  case unusable(JSONNode)

  init(_ node: JSONNode?) {
    guard let node else {
      self = .absent
      return
    }
    self = KeptValue(node.content).map(AnswerField.value) ?? .unusable(node)
  }
}

extension KeptValue {
  /// `boolValue`.
  var isTruthy: Bool {
    switch self {
    case .integer(let number): number != 0
    case .unsigned: true
    case .double(let number): number != 0
    case .bool(let flag): flag
    case .string(let text): text.isTruthy
    }
  }
}

/// What an answer without a conversion value comes to, the same for every snippet.
enum StatusVerdict {
  case ok
  case error(String)
  /// `isEqualToString:` sent to what is no string.
  case crash(JSONNode)

  init(_ answer: JSONNode) {
    if let status = answer.member("status") {
      guard case .string(let text) = status.content else {
        self = .crash(status)
        return
      }
      if text.isLiterally("ok") {
        self = .ok
        return
      }
    }
    switch answer.member("reason") {
    case nil: self = .error("Got error from server")
    case let reason?:
      // The handler gets what stands there, of whatever type; what is no string is told as its JSON text.
      if case .string(let text) = reason.content { self = .error(text) } else { self = .error(reason.jsonText) }
    }
  }
}

extension JSONNode {
  var jsonText: String { JSONWriter.text(value) }

  /// The class of Foundation's object for the value, for the text of an exception.
  var foundationClass: String {
    switch content {
    case .null: "NSNull"
    case .bool: "__NSCFBoolean"
    case .integer, .unsigned, .double: "__NSCFNumber"
    case .string: "__NSCFString"
    case .array: "__NSArrayM"
    case .object: "__NSDictionaryM"
    }
  }
}
