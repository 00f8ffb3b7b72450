import SKANDevice
import SKANHTTP

/// A captured request as bytes, to be set aside; its location is kept apart.
///
/// The form is this process's own: numbers have eight bytes in the machine's order, texts and bodies follow their count.
struct PackedRequest {
  private(set) var bytes: [UInt8] = []
  private var index = 0

  /// Packs a request.
  init(_ request: CapturedRequest) {
    bytes.reserveCapacity(1024)
    add([request.at, request.recordedAt].compactMap { $0?.microseconds })
    let message = request.request
    for text in [message.method, message.target.origin, message.target.path] { add(text) }
    add(message.target.query.map { [$0] } ?? []) { $0.add($1) }
    add(message.headers.map { [$0.name, $0.value] }) {
      $0.add($1[0]); $0.add($1[1])
    }
    add(message.body)
    switch request.answer {
    case .notCaptured: add(0)
    case .status(let status):
      add(1)
      add(status)
    case .response(let status, let body):
      add(2)
      add(status)
      add(body)
    case .failure(let text):
      add(3)
      add(text)
    }
  }

  /// - Parameter bytes: of a request that was packed.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The request again.
  mutating func request(at location: CaptureLocation) -> CapturedRequest {
    let times = items { Instant(microseconds: Int64($0.number())) }
    let (method, origin, path) = (text(), text(), text())
    let target = HTTPTarget(origin: origin, path: path, query: items { $0.text() }.first)
    let headers = HTTPFields(items { HTTPField($0.text(), $0.text()) })
    let request = HTTPRequest(method: method, target: target, headers: headers, body: data())
    let answer: CapturedAnswer =
      switch number() {
      case 1: .status(number())
      case 2: .response(status: number(), body: data())
      case 3: .failure(text())
      default: .notCaptured
      }
    var captured = CapturedRequest(request, at: times.first, answer: answer, location: location)
    if times.count > 1 { captured.recordedAt = times[1] }
    return captured
  }
}

extension PackedRequest {
  private mutating func add(_ number: Int) {
    unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes += text.utf8
  }

  private mutating func add(_ data: [UInt8]) {
    add(data.count)
    bytes += data
  }

  private mutating func add(_ numbers: [Int64]) { add(numbers) { $0.add(Int($1)) } }

  private mutating func add<Item>(_ items: [Item], _ add: (inout PackedRequest, Item) -> Void) {
    self.add(items.count)
    for item in items { add(&self, item) }
  }

  private mutating func number() -> Int {
    defer { index += MemoryLayout<Int>.size }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: index, as: Int.self) }
  }

  private mutating func part() -> ArraySlice<UInt8> {
    let count = number()
    defer { index += count }
    return bytes[index..<index + count]
  }

  private mutating func text() -> String { String(decoding: part(), as: UTF8.self) }

  private mutating func data() -> [UInt8] { Array(part()) }

  private mutating func items<Item>(_ read: (inout PackedRequest) -> Item) -> [Item] {
    (0..<number()).map { _ in read(&self) }
  }
}
