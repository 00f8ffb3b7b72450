/// Singular's test endpoint in process: the first three calls of an install answer 0, 1 and 2, every later one an
/// empty body; see the article "Endpoints".
package struct TestEndpoint: Sendable, Equatable {
  /// Calls so far.
  package var calls: Int64

  package init(calls: Int64 = 0) { self.calls = calls }

  /// Counts a call and answers it.
  package mutating func answer() -> EndpointAnswer { .response(status: 200, body: body()) }

  /// Counts a call and gives the body of its answer.
  package mutating func body() -> [UInt8] {
    let value = calls
    calls += 1
    return Array((value < 3 ? #"{"conversion_value":\#(value),"status":"ok"}"# : "").utf8)
  }

  /// Whether the last call found no value any more.
  package var isExhausted: Bool { calls > 3 }
}
