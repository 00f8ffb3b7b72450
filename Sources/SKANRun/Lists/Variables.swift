import SKANDevice
import SKANBase

/// The text that replaces `${name}` in the strings of a list.
package struct Variables: Sendable {
  /// How many known variables a message lists.
  private static let mostNamed = 20

  private var values: [String: String]
  /// Of which an `idfv` is made for each list, where its value is `random`.
  private let seed: String?

  /// - Parameter randomIDFV: gives a new identifier each time; asked where `idfv` is `random`.
  package init(_ values: [String: String] = [:], randomIDFV: () -> String? = { nil }) {
    self.values = values
    seed = values[Self.idfv] == DeviceProfile.randomIDFVName ? randomIDFV() : nil
  }

  /// The variable that may be `random`.
  package static let idfv = "idfv"

  /// The variables of one list. A server takes phones with the same identifier for one, so that a random one is another in
  /// each list, however often the list is read.
  package func ofList(_ name: String) -> Variables {
    guard let seed else { return self }
    var own = self
    own.values[Self.idfv] = DeviceProfile.derivedIDFV(phone: "\(seed) \(name)")
    return own
  }

  /// The line with values in the place of `${name}`; `$${` stands for `${` itself.
  ///
  /// - Returns: nil when there is nothing to replace.
  /// - Throws: a problem for a name that has no value, with the location in the line.
  package func replaced(in line: UnsafeBufferPointer<UInt8>) throws(SourceProblems) -> [UInt8]? {
    guard unsafe Self.areMarked(in: line), unsafe !EventListReader.isSkipped(line) else { return nil }
    var text: [UInt8] = []
    var isInString = false
    var position = 0
    while position < line.count {
      let byte = unsafe line[position]
      if byte == UInt8(ascii: "$"), let (length, value) = unsafe try value(in: line, at: position) {
        guard isInString else {
          let message = "a variable stands in a string: \"${NAME}\""
          throw [SourceProblem(message, at: position..<position + length)]
        }
        text += value
        if text.count > LineReader.longest {
          let message = "with the values of its variables the line is longer than \(LineReader.longest >> 20) MiB"
          throw [SourceProblem(message, at: position..<position + length)]
        }
        position += length
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      let length = isInString && byte == UInt8(ascii: "\\") && position + 1 < line.count ? 2 : 1
      unsafe text += line[position..<position + length]
      position += length
    }
    return text
  }

  /// Whether there may be a variable in a line.
  static func areMarked(in line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe line.baseAddress?.offset(of: UInt8(ascii: "$"), within: line.count) != nil else { return false }
    return unsafe zip(line, line.dropFirst()).contains { $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{") }
  }

  /// What stands at a `$`, and the bytes that it takes; nil when it is an ordinary character.
  private func value(
    in line: UnsafeBufferPointer<UInt8>, at start: Int
  ) throws(SourceProblems) -> (length: Int, value: [UInt8])? {
    let rest = unsafe line[start...]
    if unsafe rest.starts(with: "$${".utf8) { return (3, Array("${".utf8)) }
    guard unsafe rest.starts(with: "${".utf8) else { return nil }
    guard let end = unsafe rest.firstIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "\"") }),
      unsafe line[end] == UInt8(ascii: "}")
    else {
      throw [
        SourceProblem(
          "\"${\" begins a variable and needs a \"}\"; a plain \"${\" is written \"$${\"", at: start..<start + 2)
      ]
    }
    let name = unsafe String(decoding: line[start + 2..<end], as: UTF8.self)
    guard let value = values[name] else { throw [SourceProblem(unknown(name), at: start..<end + 1)] }
    var quoted: [UInt8] = []
    JSONWriter.writeQuoted(value, into: &quoted)
    return (end + 1 - start, Array(quoted.dropFirst().dropLast()))
  }

  private func unknown(_ name: String) -> String {
    let known = values.keys.sorted()
    let message = "there is no variable \(JSONWriter.quoted(name))"
    if known.isEmpty { return "\(message): none is given (--variable NAME=VALUE)" }
    let near = nearestName(to: name, in: known).map { " did you mean \"\($0)\"?" } ?? ""
    let more = known.count > Self.mostNamed ? " and \(known.count - Self.mostNamed) more" : ""
    return "\(message);\(near) known: \(known.prefix(Self.mostNamed).joined(separator: ", "))\(more)"
  }
}

extension Variables {
  /// Whether a text can be a variable's name: letters, digits, `_`, `-` and `.`.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-.".utf8.contains($0) }
  }
}
