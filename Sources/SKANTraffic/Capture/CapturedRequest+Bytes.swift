import SKANBase
import SKANDevice
import SKANHTTP

/// Captured requests as bytes, as they are set aside; their locations are kept apart.
extension CapturedRequest {
  func write(to writer: inout ByteWriter) {
    writer.put(all: [at, recordedAt].compactMap(\.self)) { $0.put(fixed: $1.microseconds) }
    writer.put(request.method)
    writer.put(request.target.origin)
    writer.put(request.target.path)
    writer.put(request.target.query) { $0.put($1) }
    writer.put(all: request.headers) { writer, field in
      writer.put(field.name)
      writer.put(field.value)
    }
    writer.put(request.body)
    switch answer {
    case .notCaptured: writer.put(0)
    case .status(let status):
      writer.put(1)
      writer.put(status)
    case .response(let status, let body):
      writer.put(2)
      writer.put(status)
      writer.put(body)
    case .failure(let text):
      writer.put(3)
      writer.put(text)
    }
  }

  /// A request that was written.
  init(from reader: inout ByteReader, at location: CaptureLocation) {
    let times = reader.all { Instant(microseconds: $0.fixed()) }
    let (method, origin, path) = (reader.text(), reader.text(), reader.text())
    let target = HTTPTarget(origin: origin, path: path, query: reader.optional { $0.text() })
    let headers = HTTPFields(reader.all { HTTPField($0.text(), $0.text()) })
    let request = HTTPRequest(method: method, target: target, headers: headers, body: reader.data())
    let answer: CapturedAnswer =
      switch reader.number() {
      case 1: .status(reader.number())
      case 2: .response(status: reader.number(), body: reader.data())
      case 3: .failure(reader.text())
      default: .notCaptured
      }
    self.init(request, at: times.first, answer: answer, location: location)
    if times.count > 1 { recordedAt = times[1] }
  }
}
