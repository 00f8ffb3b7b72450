import SKANBase

/// A reply together with what its form depends on: the request, the time and the end of the connection.
struct HTTPAnswer {
  var reply: HTTPReply
  var isHead = false
  /// Whether the connection stays open after it, and how that is said.
  var persistence = HTTPPersistence(keepsAlive: false)

  /// The answer with the reply that is known by now.
  var settled: HTTPAnswer {
    guard let late = reply.late else { return self }
    var answer = self
    answer.reply = late.value
    answer.reply.delay = reply.delay
    return answer
  }

  /// Whether the connection ends after the answer.
  var isLast: Bool { !persistence.keepsAlive || reply.closes || reply.fault != nil }

  /// Appends what goes over the wire. The date is left out when it is nil.
  func write(to output: inout ByteText, date: String?) {
    let length = reply.response.body.count
    switch reply.fault {
    case .close: break
    case .raw(let bytes): output.append(bytes)
    case .truncated(let count): writeMessage(&output, date, length: length, bytes: max(0, count))
    case .declaredLength(let declared): writeMessage(&output, date, length: declared, bytes: length)
    case nil: writeMessage(&output, date, length: length, bytes: length)
    }
  }

  private func writeMessage(_ output: inout ByteText, _ date: String?, length: Int, bytes: Int) {
    let status = (200...999).contains(reply.response.status) ? reply.response.status : 500
    output.append("HTTP/1.1 ")
    output.append(Int64(status))
    output.append(" ")
    output.append(HTTPReason.phrase(of: status))
    if let date {
      output.append("\r\nDate: ")
      output.append(date)
    }
    unsafe reply.response.headers.forEachLine { name, value in
      if unsafe Self.isOurs(name) { return }
      output.append("\r\n")
      unsafe output.append(line: name)
      output.append(": ")
      unsafe output.append(line: value)
    }
    let hasBody = status != 204 && status != 304
    if status != 204 {
      output.append("\r\nContent-Length: ")
      output.append(Int64(length))
    }
    if isLast {
      output.append("\r\nConnection: close")
    } else if persistence.minorVersion == 0 {
      output.append("\r\nConnection: keep-alive")
    }
    output.append("\r\n\r\n")
    if hasBody, !isHead { output.append(reply.response.body, first: bytes) }
  }

  /// Headers that say where an answer ends: a second one would contradict ours.
  private static func isOurs(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 10: unsafe name.isWord("connection")
    case 14: unsafe name.isWord("content-length")
    case 17: unsafe name.isWord("transfer-encoding")
    default: false
    }
  }
}

extension ByteText {
  /// Adds text that must stay within its line: each control character becomes a space.
  fileprivate mutating func append(line text: UnsafeBufferPointer<UInt8>) {
    if unsafe text.endOfText(from: 0, to: text.count, isASCII: false) == text.count { return unsafe append(text) }
    for index in text.indices { unsafe append(text[index].isControl ? .space : text[index]) }
  }
}
