import Foundation
import SKANBase
import SKANDevice

/// The form of a step's `answer`: `{"status":200,"json":{…}}`, `{"status":500,"text":"…"}`, `{"base64":"…"}` or
/// `{"error":"timed out"}`.
package enum AnswerForm {
  package static let keys: JSONKeys = ["status", "json", "text", "base64", "error"]
  private static let bodies: [JSONKey] = ["json", "text", "base64", "error"]

  /// Reads an answer; problems stay in the reader.
  ///
  /// A body given as `json` is sent byte for byte as written, so that 64.0 does not become 64.
  package static func read(_ reader: inout JSONObjectReader) -> EndpointAnswer? {
    // A mistyped key is already reported, and explains the missing one.
    let isMistyped = !reader.problems.isEmpty
    let status = Int(reader.integer("status", in: 100...999) ?? 200)
    let given = bodies.filter(reader.has)
    guard given.count == 1 else {
      // A value that is not an object is already reported.
      if reader.isObject, !isMistyped || given.count > 1 {
        reader.complain("an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\"")
      }
      return nil
    }
    if let error = reader.string("error") {
      if reader.has("status") {
        reader.complain("an answer that is an \"error\" has no \"status\"", about: "status")
      }
      return .failure(error)
    }
    if let node = reader.node("json") {
      return unsafe .response(status: status, body: Array(node.source))
    }
    if let text = reader.string("text") { return .response(status: status, body: Array(text.utf8)) }
    return reader.read("base64", "base64 text") { content in
      content.text.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }.map { .response(status: status, body: $0) }
  }

  /// The text of an answer, which ``read(_:)`` accepts.
  package static func text(_ answer: EndpointAnswer) -> String {
    switch answer {
    case .failure(let error): return JSONWriter.text(.object([("error", .string(error))]))
    case .response(let status, let body):
      guard let text = String(validating: body, as: UTF8.self) else { return JSONWriter.text(ShownAnswer(answer)) }
      return isObject(body) ? "{\"status\":\(status),\"json\":\(text)}" : JSONWriter.text(ShownAnswer(answer))
    }
  }

  /// Whether a body is an object that reads back byte for byte from a step's answer; one with line breaks does not.
  /// There it is nested two levels deeper.
  private static func isObject(_ body: [UInt8]) -> Bool {
    guard body.first == UInt8(ascii: "{"), body.last == UInt8(ascii: "}"), !body.contains(where: { $0 < 0x20 }),
      (try? JSONReader.read(body)) != nil
    else { return false }
    let brackets = (Array("[[".utf8), Array("]]".utf8))
    return (try? JSONReader.read(brackets.0 + body + brackets.1)) != nil
  }

  /// Reads an answer outside a step.
  package static func read(_ bytes: [UInt8]) throws(SourceProblems) -> EndpointAnswer {
    let node = try JSONReader.readSource(bytes)
    var reader = JSONObjectReader(node, what: "an answer", known: keys)
    guard let answer = read(&reader), reader.problems.isEmpty else {
      throw SourceProblems(reader.problems)
    }
    return answer
  }
}
