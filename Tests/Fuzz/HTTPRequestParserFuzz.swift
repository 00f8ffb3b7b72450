@testable import SKANHTTP

// Drives the request parser as a hostile client would. The first byte says how the rest is cut into pieces; the steps must be
// the same however it is cut, nothing may crash, and what is kept must stay within the limits.

/// Small ones, so that the fuzzer finds their edges.
private let limits: HTTPLimits = {
  var limits = HTTPLimits()
  limits.requestLine = 128
  limits.head = 256
  limits.fields = 8
  limits.body = 64
  return limits
}()

private func steps(of bytes: [UInt8], pieces: Int) -> [HTTPRequestParser.Step] {
  var parser = HTTPRequestParser(limits: limits)
  var steps: [HTTPRequestParser.Step] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    parser.feed(Array(rest.prefix(pieces)))
    rest = rest.dropFirst(pieces)
    reading: while true {
      let step = parser.next()
      switch step {
      case .needMore:
        _ = parser.consumeExpectation()
        // Beside the data of chunks, their head and a line of them.
        precondition(parser.buffered <= 2 * limits.head + limits.body + 16, "more is kept than one request may have")
        break reading
      case .request(let request, _):
        precondition(request.body.count <= limits.body)
        precondition(request.path.hasPrefix("/") || request.path == "*")
        precondition(!request.method.isEmpty && request.target.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        precondition(request.headers.count <= limits.fields)
        for field in request.headers {
          precondition(!field.name.isEmpty && !field.value.utf8.contains { $0 == 10 || $0 == 13 })
        }
        steps.append(step)
      case .failure(let failure):
        precondition((400...599).contains(failure.status) && parser.buffered == 0)
        precondition(parser.next() == step, "a failure must stay")
        steps.append(step)
        return steps
      }
    }
  }
  return steps
}

/// The first byte says how the rest is cut.
func fuzzHTTP(_ bytes: [UInt8]) {
  guard let first = bytes.first, bytes.count > 1 else { return }
  let bytes = Array(bytes.dropFirst())
  let whole = steps(of: bytes, pieces: bytes.count)
  precondition(steps(of: bytes, pieces: Int(first) + 1) == whole, "the cut changes what is read")
  precondition(steps(of: bytes, pieces: 1) == whole, "single bytes change what is read")
}
