import SKANBase

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

// Drives the JSON reader with anything at all, in both dialects: nothing may crash, what is read says where it stands and
// survives being written and read again, and what is refused is refused at a location in the text.

/// In memory that has held other texts, as a list's lines are read.
nonisolated(unsafe) private let used = JSONDocument()

private func value(_ text: UnsafeBufferPointer<UInt8>, _ dialect: JSONDialect) -> JSON? {
  let document = JSONDocument()
  do throws(JSONError) { try document.read(text, dialect: dialect) } catch {
    precondition((0...text.count).contains(error.offset), "refused outside of the text")
    precondition(!error.message.isEmpty)
    precondition((try? used.read(text, dialect: dialect)) == nil, "used memory changes what is refused")
    _ = TextLocation(of: error.offset..<error.offset + 1, in: Array(text))
    return nil
  }
  let value = document.root.value
  precondition((try? used.read(text, dialect: dialect)) != nil, "used memory changes what is read")
  precondition(used.root.value == value, "used memory changes a value")
  checkPlaces(document.root, in: 0..<text.count)
  return value
}

private func checkPlaces(_ node: JSONNode, in range: Range<Int>) {
  precondition(
    !node.range.isEmpty && range.contains(node.range.lowerBound) && node.range.upperBound <= range.upperBound)
  var end = node.range.lowerBound
  func check(_ part: Range<Int>) {
    precondition(part.lowerBound > end && part.upperBound < node.range.upperBound, "parts overlap")
    end = part.upperBound - 1
  }
  switch node.content {
  case .array(let items):
    for item in items {
      check(item.range)
      checkPlaces(item, in: node.range)
    }
  case .object(let members):
    for member in members {
      check(member.keyRange)
      check(member.value.range)
      checkPlaces(member.value, in: node.range)
      precondition(node.member(member.key) != nil, "a key is not found")
    }
  default: break
  }
}

/// Takes an object apart by known keys, in both spellings.
private func takeApart(_ node: JSONNode) {
  var reader = JSONObjectReader(
    node, what: "it", known: JSONKeys(["a", "app_id", "at", "long_key_of_a_known_name"], takesCamelCase: true))
  _ = reader.string("a")
  _ = reader.integer("app_id", in: 0...63)
  _ = reader.number("at")
  _ = reader.bool("long_key_of_a_known_name")
  for problem in reader.problems { precondition(!problem.message.isEmpty && problem.range.lowerBound >= 0) }
}

/// In both dialects, and written and read again.
func fuzzJSON(_ bytes: [UInt8]) {
  let (strict, phone) = bytes.withUnsafeBufferPointer { (value($0, .strict), value($0, .phone)) }
  if let strict { precondition(phone == strict, "what is right for us is right for the phone") }
  guard let phone else { return }
  let written = Array(JSONWriter.text(phone).utf8)
  written.withUnsafeBufferPointer { written in
    precondition(value(written, .strict) == phone, "written and read again it is another")
    takeApart(used.root)
  }
}
