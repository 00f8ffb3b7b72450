import Foundation
import SKANBase

@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANModel
@testable import SKANRun
@testable import SKANServe
@testable import SKANTraffic

// Short texts of options, keys and columns.

func fuzzTime(_ bytes: [UInt8]) {
  let text = bytes.text
  if let instant = Instant(iso8601: text) {
    precondition(Instant(iso8601: instant.description) == instant, "\(instant) is read as another instant")
    let local = try? Instant(captured: text, zone: nil)
    precondition(local == instant, "a capture reads another instant")
  }
  if let span = TimeSpan(text: text) {
    precondition(span.microseconds >= 0, "a time before its beginning")
    precondition(TimeSpan(text: span.listText) == span, "\(span.listText) is read as another time")
  }
  if let spec = TimeSpec(at: text), let (key, written) = spec.member {
    precondition(key != .at || TimeSpec(at: written) == spec, "\(written) is read as another time")
  }
  if let offset = UTCOffset(text) { precondition(UTCOffset(offset.text) == offset) }
  _ = TimeHint.message(text)
}

func fuzzVersion(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0x20, maxSplits: 1).map { Array($0).text }
  let versions = parts.compactMap { IOSVersion($0) }
  for (text, version) in zip(parts, versions) where versions.count == parts.count {
    precondition(version.text == text && IOSVersion.isWellFormed(text))
    precondition(IOSVersion("\(text).0").map { $0 == version } ?? true, "a zero more is another version")
  }
  if versions.count == 2 {
    let (one, other) = (versions[0], versions[1])
    precondition((one < other ? 1 : 0) + (other < one ? 1 : 0) + (one == other ? 1 : 0) == 1, "no order")
    precondition(one != other || one.hashValue == other.hashValue, "equal, with other hashes")
  }
  for text in parts {
    _ = (AdVersion(rawValue: text), SnippetVersion(rawValue: text))
    if let id = AppStoreID(text) { precondition(AppStoreID(id.text) == id && AppStoreID("id\(id.text)") == id) }
  }
}

func fuzzURL(_ bytes: [UInt8]) {
  let text = bytes.text
  let target = HTTPTarget(text)
  precondition(target.text == text, "a target loses a part")
  precondition(target.pathAndQuery.utf8.first == UInt8(ascii: "/"))
  if let url = try? EndpointURL(text, api: .v2) {
    let again = try? EndpointURL(url.address.text, api: .v2)
    precondition(again == url, "\(url.address.text) is another address")
    precondition(!url.address.text.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a character that is not of a URL")
  }
  if let url = try? PostbackURL(text) {
    precondition((try? PostbackURL(url.text)) == url)
    _ = url.developerCopy.text
  }
}

// The key in a spelling and a surrounding that the input chooses: nothing of it is left.

private let keys = [#"Zq7%2Fx/y+z=w&v"u"#, "secret_k3y12", "k3y é\\😀'<\t>"]

private func percent(_ bytes: [UInt8], upper: Bool) -> [UInt8] {
  bytes.flatMap { byte in
    let hex = String(byte, radix: 16, uppercase: upper)
    return Array((hex.count < 2 ? "%0" : "%").utf8) + Array(hex.utf8)
  }
}

/// One spelling of bytes. Those that escape single characters can follow each other three times, the last two once.
private func spelled(_ bytes: [UInt8], _ way: UInt8) -> [UInt8] {
  let text = bytes.text
  switch way % 8 {
  case 0: return percent(bytes, upper: true)
  case 1: return percent(bytes, upper: false)
  case 2: return Array(JSONWriter.quoted(text).utf8.dropFirst().dropLast())
  case 3:
    return text.utf16.flatMap { unit in
      let hex = String(unit, radix: 16)
      return Array(("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
    }
  case 4: return text.unicodeScalars.flatMap { Array("&#\($0.value);".utf8) }
  case 5: return text.unicodeScalars.flatMap { Array("&#x\(String($0.value, radix: 16));".utf8) }
  case 6: return Array(Data(bytes).base64EncodedString().utf8)
  default: return bytes.flatMap { Array(String(Int($0) + 256, radix: 16).utf8.dropFirst()) }
  }
}

/// The first byte chooses the key, the second how many spellings follow each other, the next two these; the rest stands
/// before and behind it, separated by 0xFF.
func fuzzKey(_ bytes: [UInt8]) {
  guard bytes.count > 4 else { return }
  let key = keys[Int(bytes[0]) % keys.count]
  var spelling = Array(key.utf8)
  for way in bytes[2..<2 + Int(bytes[1]) % 3] {
    spelling = spelled(spelling, way)
    // Base64 and hexadecimal digits are looked for in the text as it is, and behind escapes.
    if way % 8 >= 6 { break }
  }
  let context = bytes[4...].split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
    .map { Array($0).text }
  // Letters and digits beside a run belong to it, and half an escape changes what follows: a real answer has a mark there.
  let text = context[0] + " \"" + spelling.text + "\" " + (context.count > 1 ? context[1] : "")
  let redactor = Redactor(key: key)
  let redacted = redactor.redacted(text)
  precondition(!redacted.utf8.contains(spelling), "\(spelling.text) is left in \(redacted)")
  precondition(redactor.redacted(redacted).utf8.count <= redacted.utf8.count + 8)
}

extension Collection where Element == UInt8 {
  fileprivate func contains(_ part: [UInt8]) -> Bool { Data(self).range(of: Data(part)) != nil }
}

/// The live page's routes with their queries, bodies and headers, after some requests of phones, which come from the input, too.
func fuzzPage(_ bytes: [UInt8]) {
  let service = ReferenceService(
    endpoint: ReferenceEndpoint(), now: { .listStart }, redactor: Redactor(keys: []), hasPage: true)
  var streams: [Int] = []
  for line in bytes.split(separator: 0x0A) {
    guard let (first, rest) = Array(line).choice else { continue }
    let paths = OpenAPI.pagePaths.map(\.key) + [EndpointKind.conversionValue(.v2).path, EndpointKind.launch.path]
    let own = [HTTPField("Host", "localhost"), HTTPField("Origin", "http://localhost")]
    let request = HTTPRequest(
      method: ["GET", "GET", "POST", "DELETE"][Int(first) / 64],
      target: HTTPTarget(path: paths[Int(first) % paths.count], query: rest.text),
      headers: HTTPFields(
        own + [HTTPField("Last-Event-ID", rest.text.replacing("RUN", with: service.page?.run ?? ""))]),
      body: rest)
    let reply = service.reply(to: request, from: "127.0.0.1")
    if let stream = reply.stream { streams.append(stream) }
    while reply.late != nil, reply.late?.value == nil { service.flush() }
    precondition((reply.late?.value ?? reply).response.status != 500, "it fails")
    service.flush()
    for stream in streams { _ = service.part(ofStream: stream) }
  }
}
