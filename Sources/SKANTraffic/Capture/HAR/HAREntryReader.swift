import Foundation
import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

/// Makes a request of an entry of a HAR 1.2, in the forms that exporters give it.
struct HAREntryReader {
  private let hosts: TrafficHosts
  private let zone: UTCOffset?
  private let document = JSONDocument()

  init(hosts: TrafficHosts, zone: UTCOffset?) {
    self.hosts = hosts
    self.zone = zone
  }

  /// - Throws: why it cannot be read.
  func read(_ bytes: UnsafeBufferPointer<UInt8>, at location: CaptureLocation) throws(CaptureProblem) -> CaptureEntry {
    do throws(JSONError) {
      try unsafe document.readTolerantly(bytes)
    } catch {
      throw CaptureProblem("the entry is not JSON: \(error.message)", at: location)
    }
    let entry = document.root
    if entry.text("_resourceType") == "websocket" { return .webSocket }
    guard let request = entry.member("request"), let url = request.text("url"), !url.isEmpty else {
      throw CaptureProblem("the entry has no \"request\" with a \"url\"", at: location)
    }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    if scheme == "ws" || scheme == "wss" { return .webSocket }
    let method = request.text("method") ?? "GET"
    // What a URL has behind # is not sent.
    let target = HTTPTarget(String(url.prefix { $0 != "#" }))
    if method.uppercased() == "CONNECT" {
      return .undecrypted(host: TrafficHosts.host(of: target.origin.isEmpty ? url : target.origin))
    }
    if target.origin.isEmpty { return .other("\(scheme):") }
    switch hosts.destination(of: target) {
    case .otherHost: return .other(TrafficHosts.host(of: target.origin))
    case .otherPath: return .other(TrafficHosts.host(of: target.origin) + target.path)
    case .endpoint: break
    }
    var message = HTTPRequest(method: method, target: target, headers: request.headers)
    var remarks = try request.completeQuery(of: &message)
    message.body = try request.form(of: &message, at: location)
    let at = try time(of: entry, at: location)
    let answer = try entry.answer(at: location)
    var captured = CapturedRequest(message, at: at, answer: answer, location: location)
    remarks += captured.useDeviceTime()
    return .request(captured, remarks: remarks)
  }

  private func time(of entry: JSONNode, at location: CaptureLocation) throws(CaptureProblem) -> Instant {
    guard let text = entry.text("startedDateTime") else {
      throw CaptureProblem("the entry has no \"startedDateTime\"", at: location)
    }
    do throws(Instant.CaptureMistake) {
      return try Instant(captured: text, zone: zone)
    } catch {
      switch error {
      case .malformed:
        throw CaptureProblem(
          "\"startedDateTime\" is not a time: \(JSONWriter.quoted(String(text.prefix(40))))", at: location)
      case .noOffset:
        throw CaptureProblem(
          "\"startedDateTime\" has no offset: \(JSONWriter.quoted(text)) is a local time of an unknown place",
          at: location)
      }
    }
  }
}

extension CapturedRequest {
  /// Takes the time that a phone in virtual time states for the time of the request.
  ///
  /// - Returns: a remark where what is stated is no time.
  fileprivate mutating func useDeviceTime() -> [String] {
    let name = ReferenceEndpoint.deviceTimeHeader
    guard let text = request.headers[name] else { return [] }
    guard let time = Double(text).flatMap({ Instant(unixSeconds: $0) }) else {
      return ["\(name) is not Unix seconds: \(JSONWriter.quoted(String(text.prefix(40)))); the capture's time counts"]
    }
    recordedAt = at
    at = time
    return []
  }
}

/// The bytes of a base64 text, lines and all; nil when it is none.
func decodedBase64(_ text: String) -> [UInt8]? {
  Data(base64Encoded: text, options: .ignoreUnknownCharacters).flatMap { data in
    text.utf8.allSatisfy(\.mayBeInBase64) ? Array(data) : nil
  }
}

extension UInt8 {
  fileprivate var mayBeInBase64: Bool {
    isASCIILetterOrDigit || "+/=\r\n".utf8.contains(self)
  }
}
