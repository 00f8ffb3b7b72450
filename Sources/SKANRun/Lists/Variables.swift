import SKANDevice
import SKANBase

/// The values that replace `${name}` in the strings of a list.
package struct Variables: Sendable {
  /// The most known variables that a message lists.
  private static let mostNamed = 20

  private var values: [String: String]
  /// The seed from which each list's `idfv` is derived, where its value is `random`.
  private let seed: String?

  /// - Parameter randomIDFV: returns a new identifier at each call; called where `idfv` is `random`.
  package init(_ values: [String: String] = [:], randomIDFV: () -> String? = { nil }) {
    self.values = values
    seed = values[Self.idfv] == DeviceProfile.randomIDFVName ? randomIDFV() : nil
  }

  /// The name of the variable that may be `random`.
  package static let idfv = "idfv"

  /// The variables of one list. A server identifies phones by their identifier, so each list has its own random one,
  /// however often the list is read.
  package func ofList(_ name: String) -> Variables {
    guard let seed else { return self }
    var own = self
    own.values[Self.idfv] = DeviceProfile.derivedIDFV(phone: "\(seed) \(name)")
    return own
  }

  /// The line with `${name}` replaced by values, and `$${` by `${`.
  ///
  /// - Returns: nil when there is nothing to replace.
  /// - Throws: a problem for a name without a value, with its location in the line.
  package func replaced(in line: UnsafeBufferPointer<UInt8>) throws(SourceProblems) -> [UInt8]? {
    guard unsafe Self.areMarked(in: line), unsafe !EventListReader.isSkipped(line) else { return nil }
    var text: [UInt8] = []
    var isInString = false
    var position = 0
    while position < line.count {
      let byte = unsafe line[position]
      if byte == UInt8(ascii: "$"), let (length, value) = unsafe try value(in: line, at: position) {
        guard isInString else {
          let message = "a variable must be inside a string: \"${NAME}\""
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

  /// Whether a line may contain a variable.
  static func areMarked(in line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe line.baseAddress?.offset(of: UInt8(ascii: "$"), within: line.count) != nil else { return false }
    return unsafe zip(line, line.dropFirst()).contains { $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{") }
  }

  /// The value at a `$` and the number of bytes that it replaces; nil for an ordinary character.
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
    return (end + 1 - start, Array(JSONWriter.quoted(value).utf8.dropFirst().dropLast()))
  }

  private func unknown(_ name: String) -> String {
    let known = values.keys.sorted()
    let message = "there is no variable \(JSONWriter.quoted(name))"
    if name == Self.idfv { return "\(message): --variable idfv=random makes one for each list" }
    if known.isEmpty { return "\(message): none is given (--variable NAME=VALUE)" }
    let near = nearestName(to: name, in: known).map { " did you mean \"\($0)\"?" } ?? ""
    let more = known.count > Self.mostNamed ? " and \(known.count - Self.mostNamed) more" : ""
    return "\(message);\(near) known: \(known.prefix(Self.mostNamed).joined(separator: ", "))\(more)"
  }
}

extension Variables {
  /// Whether a text is a valid variable name: letters, digits, `_`, `-` and `.`.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-.".utf8.contains($0) }
  }
}
