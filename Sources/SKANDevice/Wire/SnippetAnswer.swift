import SKANJSON

/// What came back for a request as the snippet's JSON reader sees it; see the article "Answers".
package enum SnippetAnswer: Sendable {
  /// No answer: the transport's error.
  case failure(String)
  /// The reader gives nothing; the text says why.
  case unparsable(String)
  /// An array, on which the snippet's first `objectForKey:` raises an exception.
  case array
  case members(AnswerMembers)

  /// - Parameter document: is used for reading, so that many answers need no memory of their own.
  package init(_ answer: EndpointAnswer, in document: JSONDocument = JSONDocument()) {
    switch answer {
    case .failure(let error): self = .failure(error)
    case .response(_, let body):
      do throws(JSONError) {
        try JSONEncodings.utf8(body).withUnsafeBufferPointer { (bytes) throws(JSONError) in
          try document.read(bytes, dialect: .phone)
        }
        self.init(document.root)
      } catch {
        let isBlank = body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        self = .unparsable(
          body.isEmpty ? "it is empty" : isBlank ? "it is blank" : "\(error.words), byte \(error.offset)")
      }
    }
  }

  private init(_ node: JSONNode) {
    switch node.content {
    case .object: self = .members(AnswerMembers(node))
    case .array: self = .array
    default: self = .unparsable("it is \(node.kind) standing alone")
    }
  }
}

/// The members of an answer that the snippet looks at.
package struct AnswerMembers: Sendable {
  var lock = AnswerField.absent
  var fine = AnswerField.absent
  var coarse = AnswerField.absent
  /// The postback that the coarse value is meant for, which the snippet ignores.
  var index: Index?
  /// What an answer without a conversion value comes to; only then it counts.
  var status = StatusVerdict.error("")

  enum Index: Sendable {
    case number(Int64)
    /// The value for a message.
    case other(String)
  }

  /// The values that an endpoint of ours gives.
  package init(fine: Int64, coarse: CoarseValue?, locks: Bool, index: Int64?) {
    self.fine = .value(.integer(fine))
    if let coarse { self.coarse = .value(.integer(coarse.number)) }
    if locks { lock = .value(.bool(true)) }
    self.index = index.map(Index.number)
  }

  /// The error that an endpoint of ours gives.
  package init(reason: String) { status = .error(reason) }

  init(_ answer: JSONNode) {
    lock = AnswerField(answer.member("skan_updated_lock_window_value"))
    fine = AnswerField(answer.member("conversion_value"))
    coarse = AnswerField(answer.member("skan_updated_coarse_value"))
    index = answer.member("postback_sequence_index").map(Index.init)
    if case .absent = fine { status = StatusVerdict(answer) }
  }
}

extension AnswerMembers.Index {
  init(_ node: JSONNode) {
    switch node.content {
    case .integer(let number): self = .number(number)
    // However it was written: 1.0 is 1.
    case .double(let number): self = Int64(exactly: number).map(Self.number) ?? .other(node.briefly)
    default: self = .other(node.briefly)
    }
  }

  /// The value for a message.
  var shown: String {
    switch self {
    case .number(let number): String(number)
    case .other(let text): text
    }
  }
}

/// A member of an answer as the snippet meets it.
enum AnswerField: Sendable {
  case absent
  /// Something that answers to `intValue` and `boolValue`.
  case value(KeptValue)
  /// `null`, an array or an object: none of them does.
  case unusable(UnusableValue)

  init(_ node: JSONNode?) {
    guard let node else {
      self = .absent
      return
    }
    let content = node.content
    self = KeptValue(content).map(AnswerField.value) ?? .unusable(UnusableValue(content))
  }
}

/// A value that does not answer to a message which the snippet sends it.
struct UnusableValue: Sendable {
  /// For a message: "null", "an array".
  let shown: String
  /// The class of Foundation's object for the value, for the text of an exception.
  let foundationClass: String

  init(_ content: JSONNode.Content) {
    shown = content.briefly
    foundationClass =
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

/// What an answer without a conversion value comes to, the same for every snippet.
enum StatusVerdict: Sendable {
  case ok
  case error(String)
  /// `isEqualToString:` sent to what is no string.
  case crash(UnusableValue)

  init(_ answer: JSONNode) {
    if let status = answer.member("status") {
      guard case .string(let text) = status.content else {
        self = .crash(UnusableValue(status.content))
        return
      }
      if text.isLiterally("ok") {
        self = .ok
        return
      }
    }
    switch answer.member("reason")?.content {
    case nil: self = .error("Got error from server")
    case .string(let text)?: self = .error(text)
    // The handler gets what stands there, of whatever type; what is no string is told as its JSON text.
    case let reason?: self = .error(JSONWriter.text(reason.value))
    }
  }
}
