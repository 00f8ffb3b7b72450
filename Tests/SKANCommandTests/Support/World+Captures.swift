import Foundation
import SKANBase
import TestSupport

extension World {
  /// Puts a fixture of captured traffic into the world.
  func addCapture(_ name: String, as other: String? = nil) throws {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "traffic/\(name)"), encoding: .utf8)
    self[other ?? name] = text
  }
}

/// A HAR of GET requests to Singular, one a second from 2026-01-01T00:00:00Z on.
///
/// - Parameter entries: path and query of each, and the body of its answer; nil for none.
func capturedHAR(_ entries: [(target: String, answer: String?)]) -> String {
  let texts = entries.enumerated().map { index, entry in
    let host = entry.target.contains("conversion_value") ? "sdk-api-v1" : "s2s"
    let answer =
      entry.answer.map { "{\"status\":200,\"content\":{\"text\":\(JSONWriter.quoted($0))}}" } ?? "{\"status\":0}"
    return """
      {"startedDateTime":"2026-01-01T00:00:0\(index)Z","request":{"method":"GET","url":"https://\(host).singular.net\(entry.target)"},\
      "response":\(answer)}
      """
  }
  return "{\"log\":{\"version\":\"1.2\",\"entries\":[\n\(texts.joined(separator: ",\n"))\n]}}"
}
