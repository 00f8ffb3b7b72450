import SKANBase

/// The answer to a request as the snippet's JSON reader returns it; see the article "Answers".
package enum SnippetAnswer {
  case members(AnswerMembers)
  case unusable(Unusable)

  package enum Unusable {
    /// No answer: the transport's error.
    case failure(String)
    /// The reader fails for this reason.
    case unparsable(String)
    /// An array, on which the snippet's first `objectForKey:` raises an exception.
    case array
  }

  /// - Parameter document: reused for parsing, so that many answers allocate no memory.
  package init(_ answer: EndpointAnswer, in document: JSONDocument = JSONDocument()) {
    switch answer {
    case .failure(let error): self = .unusable(.failure(error))
    case .response(_, let body):
      do throws(JSONError) {
        try unsafe JSONEncodings.utf8(body).withUnsafeBufferPointer { (bytes) throws(JSONError) in
          try unsafe document.read(bytes, dialect: .phone)
        }
        self.init(document.root)
      } catch {
        let isBlank = body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let why = body.isEmpty ? "it is empty" : isBlank ? "it is blank" : "\(error.message), byte \(error.offset)"
        self = .unusable(.unparsable(why))
      }
    }
  }

  private init(_ node: JSONNode) {
    switch node.content {
    case .object: self = .members(AnswerMembers(node))
    case .array: self = .unusable(.array)
    default: self = .unusable(.unparsable("it is \(node.kind) standing alone"))
    }
  }
}

/// The members of an answer that the snippet reads.
///
/// One byte for each documented value that an endpoint of this program gives; any other answer is stored out of line.
package struct AnswerMembers {
  private let lockByte: StoredByte
  private let fineByte: StoredByte
  private let coarseByte: StoredByte
  private let indexByte: StoredByte
  private let other: Other?

  /// The `conversion_value`, or the verdict on an answer without it.
  enum FineField {
    case value(KeptValue)
    case unusable(UnusableValue)
    case absent(StatusVerdict)
  }

  enum Index {
    case number(Int64)
    /// The value for a message.
    case other(String)
  }

  private final class Other {
    let lock: AnswerField
    let fine: FineField
    let coarse: AnswerField
    let index: Index?

    init(lock: AnswerField, fine: FineField, coarse: AnswerField, index: Index?) {
      self.lock = lock
      self.fine = fine
      self.coarse = coarse
      self.index = index
    }
  }

  /// The values that an endpoint of this program gives.
  package init(fine: Int64, coarse: CoarseValue?, locks: Bool, index: Int64?) {
    lockByte = locks ? StoredByte(.bool(true)) : .absent
    fineByte = StoredByte(.integer(fine))
    coarseByte = coarse.map { StoredByte(.integer($0.number)) } ?? .absent
    indexByte = index.map { StoredByte(.integer($0)) } ?? .absent
    let isOdd = fineByte.isOdd || indexByte.isOdd
    other =
      isOdd
      ? Other(
        lock: AnswerField(lockByte), fine: .value(.integer(fine)), coarse: AnswerField(coarseByte),
        index: index.map(Index.number)) : nil
  }

  private init(_ other: Other) {
    lockByte = .odd
    fineByte = .odd
    coarseByte = .odd
    indexByte = .odd
    self.other = other
  }

  /// The error that an endpoint of this program gives.
  package init(reason: String) {
    self.init(Other(lock: .absent, fine: .absent(.error(reason)), coarse: .absent, index: nil))
  }

  init(_ answer: JSONNode) {
    let fine: FineField =
      switch AnswerField(answer.member("conversion_value")) {
      case .value(let value): .value(value)
      case .unusable(let value): .unusable(value)
      case .absent: .absent(StatusVerdict(answer))
      }
    self.init(
      Other(
        lock: AnswerField(answer.member("skan_updated_lock_window_value")), fine: fine,
        coarse: AnswerField(answer.member("skan_updated_coarse_value")),
        index: answer.member("postback_sequence_index").map(Index.init)))
  }
}

extension AnswerMembers {
  @inline(__always)
  var lock: AnswerField { if let other { other.lock } else { AnswerField(lockByte) } }

  @inline(__always)
  var fine: FineField {
    if let other { return other.fine }
    return .value(.integer(fineByte.number ?? 0))
  }

  @inline(__always)
  var coarse: AnswerField { if let other { other.coarse } else { AnswerField(coarseByte) } }

  /// The postback that the coarse value is meant for, which the snippet ignores.
  @inline(__always)
  var index: Index? { if let other { other.index } else { indexByte.number.map(Index.number) } }
}

extension AnswerMembers: CustomStringConvertible {
  /// The members, in whichever form they are stored.
  package var description: String {
    "lock \(lock), fine \(fine), coarse \(coarse), index \(index.map { "\($0)" } ?? "absent")"
  }
}

extension AnswerMembers.Index {
  init(_ node: JSONNode) {
    switch node.content {
    case .integer(let number): self = .number(number)
    // In any notation: 1.0 is 1.
    case .double(let number): self = Int64(exactly: number).map(Self.number) ?? .other(node.briefly)
    default: self = .other(node.briefly)
    }
  }

  /// The value for a message.
  var displayText: String {
    switch self {
    case .number(let number): String(number)
    case .other(let text): text
    }
  }
}

/// A member of an answer.
enum AnswerField {
  case absent
  /// A value that responds to `intValue` and `boolValue`.
  case value(KeptValue)
  /// `null`, an array or an object, which do not respond to them.
  case unusable(UnusableValue)

  /// - Parameter byte: not an odd one.
  @inline(__always)
  init(_ byte: StoredByte) { self = byte.value.map(AnswerField.value) ?? .absent }

  init(_ node: JSONNode?) {
    guard let node else {
      self = .absent
      return
    }
    let content = node.content
    self = KeptValue(content).map(AnswerField.value) ?? .unusable(UnusableValue(content))
  }
}

/// A value that does not respond to a message of the snippet.
enum UnusableValue {
  case null, array, object
  /// A number or a Boolean instead of a string.
  case plain(KeptValue)

  init(_ content: JSONNode.Content) {
    switch (KeptValue(content), content) {
    case (let value?, _): self = .plain(value)
    case (_, .array): self = .array
    case (_, .object): self = .object
    default: self = .null
    }
  }

  /// The value for a message: "null", "an array".
  var displayText: String {
    switch self {
    case .null: "null"
    case .array: "an array"
    case .object: "an object"
    case .plain(let value): JSONWriter.text(value.json)
    }
  }

  /// The class name of Foundation's object, for the text of an exception.
  var foundationClass: String {
    switch self {
    case .null: "NSNull"
    case .array: "__NSArrayM"
    case .object: "__NSDictionaryM"
    case .plain(.bool): "__NSCFBoolean"
    case .plain(.string): "__NSCFString"
    case .plain: "__NSCFNumber"
    }
  }
}

/// The outcome of an answer without a conversion value, for all versions of the snippet.
enum StatusVerdict {
  case ok
  case error(String)
  /// `isEqualToString:` was sent to a value that is not a string.
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
    // The handler receives the value of any type; a non-string is passed as its JSON text.
    case let reason?: self = .error(JSONWriter.text(reason.value))
    }
  }
}
