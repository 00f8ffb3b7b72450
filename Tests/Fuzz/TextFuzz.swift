import SKANBase

@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANRun
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
