/// A response together with what its form depends on: the request, the time and the end of the connection.
struct HTTPAnswer {
  var response: HTTPServerResponse
  var isHead = false
  var minorVersion = 1
  /// Whether the connection stays open after it.
  var keepsAlive = false

  /// What ends the connection after the answer; nil when it goes on.
  var ending: HTTPConnection.Ending? {
    if response.fault == .reset { return .reset }
    return keepsAlive && !response.closes && response.fault == nil ? nil : .close
  }

  /// Appends what goes over the wire. The date is left out when it is nil.
  func write(to output: inout [UInt8], date: String?) {
    switch response.fault {
    case .close, .reset: break
    case .raw(let bytes): output += bytes
    case .truncated(let count): writeMessage(&output, date, length: response.body.count, bytes: max(0, count))
    case .declaredLength(let length): writeMessage(&output, date, length: length, bytes: response.body.count)
    case nil: writeMessage(&output, date, length: response.body.count, bytes: response.body.count)
    }
  }

  private func writeMessage(_ output: inout [UInt8], _ date: String?, length: Int, bytes: Int) {
    let status = (200...999).contains(response.status) ? response.status : 500
    output.append("HTTP/1.1 ")
    output.append(status)
    output.append(" ")
    output.append(HTTPReason.phrase(of: status))
    output.append("\r\n")
    if let date { append("Date", date, to: &output) }
    for field in response.fields where !Self.isOurs(field.name) { append(field.name, field.value, to: &output) }
    let hasBody = status != 204 && status != 304
    if status != 204 {
      output.append("Content-Length: ")
      output.append(length)
      output.append("\r\n")
    }
    if ending != nil {
      output.append("Connection: close\r\n")
    } else if minorVersion == 0 {
      output.append("Connection: keep-alive\r\n")
    }
    output.append("\r\n")
    if hasBody, !isHead { output += response.body.prefix(bytes) }
  }

  private func append(_ name: String, _ value: String, to output: inout [UInt8]) {
    output.append(line: name)
    output.append(": ")
    output.append(line: value)
    output.append("\r\n")
  }

  /// Headers that say where an answer ends: a second one would contradict ours.
  private static func isOurs(_ name: String) -> Bool {
    switch name.utf8.count {
    case 10: name.utf8.isWord("connection")
    case 14: name.utf8.isWord("content-length")
    case 17: name.utf8.isWord("transfer-encoding")
    default: false
    }
  }
}
