import SKANDevice
import SKANBase
import SKANSigning

/// Other forms of postbacks: forwarded, of the future, broken; and other requests.
extension ReceiverPlan {
  mutating func addForwarded() throws(SigningError) {
    var added = try signedPostback()
    added.added = [
      ("ip", .string("192.0.2.1")), ("timestamp", .string("1780272000")),
      ("ad-network-campaign-name", .string("Spring \u{1F600}")),
    ]
    add(
      "unknown-fields", "a postback with fields that an ad network added (ip, timestamp, a name)", added,
      level: .should,
      why: "networks and Apple add fields; the signature is over those that are known")

    var postback = try signed(self.postback().without(.sourceAppID, .conversionValue))
    for field in [PostbackField.conversionValue, .coarseConversionValue, .sourceAppID, .sourceDomain] {
      postback[field] = .null
    }
    add(
      "nulls", "a postback with null for each field that is absent", postback, level: .should,
      why: "networks write null for what a postback does not have; it has no value")

    postback = self.postback()
    postback[.transactionID] = .string(transaction().uppercased())
    let indented = try signed(postback)
    add(
      "other-layout", "a postback indented, with its members in another order and its transaction id in capitals",
      body: indented.body(isReversed: true, isIndented: true), Self.verdict(indented), traits: [.postback])

    postback = try signedPostback()
    postback[.version] = .string("5.0")
    add(
      "unknown-version", "version 5.0, which is not known yet", postback,
      signature: ReceivedSignature(.notChecked, why: "its version is not known"), level: .should,
      why: "phones get a new version before receivers do: what is not kept is lost")
  }

  mutating func addBodies() throws(SigningError) {
    let whole = try signedPostback().body()
    let halved = "what is acknowledged does not come again, so a part of a postback must not be"
    let noFailure = "it is not a postback, and no failure of the receiver"
    add(
      "truncated", "the first half of a postback", body: Array(whole.prefix(whole.count / 2)), nil, right: .refused,
      traits: [.notWhole], why: halved)
    for (id, request, body, type) in [
      ("empty", "no body at all", "", "application/json"), ("array", "an empty array", "[]", "application/json"),
      (
        "text", "a form instead of JSON", "version=4.0&app-id=\(app)",
        "application/x-www-form-urlencoded"
      ),
    ] {
      add(
        id, request, body: Array(body.utf8), nil, contentType: type, right: .refused, level: .should,
        traits: [.notWhole], why: noFailure)
    }
    let neither = "no phone sends it: keep it or refuse it, but do not fail"
    add(
      "empty-object", "an empty object, {}", body: Array("{}".utf8),
      ReceivedSignature(.notChecked, why: "it has no version"), right: .okOrRefused, level: .should, why: neither)
    var cut = self.postback()
    cut.added = [("ad-network-campaign-name", .string("Spring CUT"))]
    // Half of an emoji, as JavaScript cuts a name; no text of Unicode has it, so a database may fail.
    let text = String(decoding: cut.body(), as: UTF8.self).replacing("CUT", with: "\\ud83d")
    add(
      "half-surrogate", "a network's campaign name that is cut inside an emoji (\\ud83d), unsigned",
      body: Array(text.utf8),
      nil, right: .okOrRefused, level: .should, why: neither)
    let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
    add(
      "huge", "a body of 4 MiB", body: Array("{\"version\":\"4.0\",\"filler\":\"".utf8) + filler + Array("\"}".utf8),
      nil,
      right: .refusedOrClosed, level: .should,
      why: "postbacks have less than 1 KiB: who takes any size lets anyone fill the disk")
    add(
      ReceiverDelivery(
        id: "broken-off", request: "a connection that ends in the middle of a postback",
        sending: .brokenOff(body: whole), right: .refusedOrClosed, why: halved, traits: [.notWhole], kept: []))
  }

  mutating func addRequests() throws(SigningError) {
    let charset = try signedPostback()
    add(
      "charset", "Content-Type: application/json; charset=utf-8", body: charset.body(), Self.verdict(charset),
      contentType: "application/json; charset=utf-8", level: .should, traits: [.postback])
    let other = try signedPostback()
    if lacksSlash {
      add(
        "with-slash", "Apple's path with its last slash", body: other.body(), Self.verdict(other), hasOtherEnd: true,
        traits: [.postback], why: "phones post to the path with its last slash, and this is not the named address")
    } else {
      add(
        "without-slash", "Apple's path without its last slash", body: other.body(), Self.verdict(other),
        hasOtherEnd: true, level: .should, traits: [.postback],
        why: "senders and proxies leave the slash out, and a redirect is not followed")
    }
    add(
      "get", "GET instead of POST", body: [], nil, method: "GET", right: .okOrMethodRefused, level: .should,
      why: "a browser asks so whether the path is the right one; it is no failure of the receiver")
    add(
      "put", "PUT instead of POST", body: try signedPostback().body(), nil, method: "PUT", right: .methodRefused,
      level: .should, why: "postbacks are posted; what takes anything hides a wrong configuration")
    let chunked = try signedPostback()
    add(
      ReceiverDelivery(
        id: "chunked", request: "Transfer-Encoding: chunked instead of Content-Length",
        sending: .chunked(body: chunked.body()), right: .ok,
        why: "networks whose HTTP clients do not know a body's length beforehand, and proxies, send it so",
        level: .should, traits: [.postback],
        kept: [ReceiverDelivery.Kept(body: chunked.body(), signature: Self.verdict(chunked))]))
    let (slow, beside) = (try signedPostback(), try signedPostback())
    add(
      ReceiverDelivery(
        id: "slow", request: "a postback sent in pieces over 3 s, and another one in the middle of it",
        sending: .slowly(body: slow.body(), beside: beside.body()), right: .ok,
        why: "phones have bad connections: one of them must not make all others wait", level: .should,
        traits: [.postback],
        kept: [slow, beside].map { ReceiverDelivery.Kept(body: $0.body(), signature: Self.verdict($0)) }))
    add(
      "alive", "one more postback, after all that", try signedPostback(),
      why: "what came before must not have ended the receiver")
  }
}
