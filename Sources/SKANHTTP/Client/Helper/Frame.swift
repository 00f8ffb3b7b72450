/// A message between this process and the one that sends its requests: a length, and that many bytes.
enum Frame {
  /// The bytes of the length.
  static let headLength = 8

  /// A frame of what `write` puts into it.
  static func of(_ write: (inout FrameWriter) -> Void) -> [UInt8] {
    var content = FrameWriter()
    write(&content)
    var frame = FrameWriter()
    frame.put(content.bytes)
    return frame.bytes
  }
}

extension HTTPRequest {
  var frame: [UInt8] {
    Frame.of { writer in
      writer.put(url)
      writer.put(all: headers) { $0.put($1) }
      writer.put(body) { $0.put($1) }
      writer.put(maxSeconds)
      writer.put(maxBytes)
    }
  }

  init(frame bytes: [UInt8]) throws(FrameReader.Malformed) {
    var reader = FrameReader(bytes)
    let url = try reader.text()
    let headers = try reader.all { (reader) throws(FrameReader.Malformed) in try reader.header() }
    let body = try reader.optional { (reader) throws(FrameReader.Malformed) in try reader.data() }
    self.init(
      url: url, headers: headers, body: body, maxSeconds: try reader.double(), maxBytes: try reader.number())
  }
}

extension HTTPExchange {
  func write(to writer: inout FrameWriter) {
    writer.put(status)
    writer.put(all: headers) { $0.put($1) }
    writer.put(body)
    writer.put(url)
    writer.put(all: hops) { writer, hop in
      writer.put(hop.url)
      writer.put(all: hop.sent) { $0.put($1) }
      writer.put(hop.status) { $0.put($1) }
      writer.put(all: hop.received) { $0.put($1) }
      writer.put(hop.method)
    }
    writer.put(seconds)
  }

  init(from reader: inout FrameReader) throws(FrameReader.Malformed) {
    let header = { (reader: inout FrameReader) throws(FrameReader.Malformed) in try reader.header() }
    let status = try reader.number()
    let headers = try reader.all(header)
    let body = try reader.data()
    let url = try reader.text()
    let hops = try reader.all { (reader) throws(FrameReader.Malformed) in
      let url = try reader.text()
      let sent = try reader.all(header)
      let status = try reader.optional { (reader) throws(FrameReader.Malformed) in try reader.number() }
      let received = try reader.all(header)
      return HTTPHop(url: url, sent: sent, status: status, received: received, method: try reader.text())
    }
    self.init(
      status: status, headers: headers, body: body, url: url, hops: hops, seconds: try reader.double())
  }
}

extension FrameWriter {
  mutating func put(_ header: HTTPHeader) {
    put(header.name)
    put(header.value)
  }
}

extension FrameReader {
  mutating func header() throws(Malformed) -> HTTPHeader {
    let name = try text()
    return HTTPHeader(name, try text())
  }
}
