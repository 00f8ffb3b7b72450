/// Singular's test endpoint in this process: the first three calls of an install return 0, 1 and 2, every later one an
/// empty body. Whether the guide's empty string is the body or a value is not settled; see the article "Endpoints".
package struct TestEndpoint: Sendable, Equatable {
  /// The number of calls so far.
  package var calls: Int64

  package init(calls: Int64 = 0) { self.calls = calls }

  /// Counts a call and answers it.
  package mutating func answer() -> EndpointAnswer { .response(status: 200, body: body()) }

  /// Counts a call and returns the body of its answer.
  package mutating func body() -> [UInt8] {
    let value = calls
    calls += 1
    return Array((value < 3 ? #"{"conversion_value":\#(value),"status":"ok"}"# : "").utf8)
  }

  /// Whether the last call returned no value.
  package var isExhausted: Bool { calls > 3 }
}
