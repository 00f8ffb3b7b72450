import SKANDevice
import SKANJSON
import SKANSigning

/// Other forms of postbacks: forwarded, of the future, broken; and other requests.
extension ReceiverPlan {
  mutating func addForwarded() throws(SigningError) {
    var postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    var added = try signed(postback)
    added.added = [
      ("ip", .string("192.0.2.1")), ("timestamp", .string("1780272000")),
      ("ad-network-campaign-name", .string("Spring \u{1F600}")),
    ]
    add(
      "unknown-fields", "with fields that an ad network added (ip, timestamp, a name)", added,
      why: "networks and Apple add fields; the signature is over those that are known")

    postback = try signed(self.postback())
    for field in [PostbackField.conversionValue, .coarseConversionValue, .sourceAppID, .sourceDomain] {
      postback[field] = .null
    }
    add(
      "nulls", "with null for each field that is absent", postback,
      why: "networks write null for what a postback does not have; it has no value")

    postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    postback[.transactionID] = .string(transaction().uppercased())
    let indented = try signed(postback)
    add(
      "other-layout", "indented, its members in another order, the transaction id in capitals",
      body: indented.body(isReversed: true, isIndented: true), Self.verdict(indented))

    postback = try signed(self.postback())
    postback[.version] = .string("5.0")
    add(
      "unknown-version", "version 5.0, which is not known yet", postback,
      signature: ReceivedSignature(.notChecked, why: "its version is not known"),
      why: "phones get a new version before receivers do: what is not kept is lost")
  }

  mutating func addBodies() throws(SigningError) {
    let whole = try signed(self.postback()).body()
    let halved = "what is acknowledged does not come again, so a part of a postback must not be"
    add(
      "truncated", "the first half of a postback", body: Array(whole.prefix(whole.count / 2)), nil, right: .refused,
      why: halved)
    add(
      "empty", "no body at all", body: [], nil, right: .refused,
      why: "it is not a postback, and no failure of the receiver")
    add(
      "array", "an empty array", body: Array("[]".utf8), nil, right: .refused,
      why: "it is not a postback, and no failure of the receiver")
    add(
      "text", "a form instead of JSON", body: Array("version=4.0&app-id=\(app)".utf8), nil,
      contentType: "application/x-www-form-urlencoded", right: .refused,
      why: "it is not a postback, and no failure of the receiver")
    let filler = String(repeating: "x", count: 4 << 20)
    add(
      "huge", "4 MiB", body: Array("{\"version\":\"4.0\",\"filler\":\"\(filler)\"}".utf8), nil, right: .refusedOrClosed,
      why: "postbacks have less than 1 KiB: who takes any size lets anyone fill the disk")
    add(
      ReceiverDelivery(
        id: "broken-off", request: "a connection that ends in the middle of a postback",
        sending: .brokenOff(body: whole),
        right: .refusedOrClosed, why: halved, kept: []))
  }

  mutating func addRequests() throws(SigningError) {
    func next() throws(SigningError) -> TestPostback {
      var postback = self.postback()
      postback[.conversionValue] = .integer(values.first)
      return try signed(postback)
    }
    let charset = try next()
    add(
      "charset", "Content-Type: application/json; charset=utf-8", body: charset.body(), Self.verdict(charset),
      contentType: "application/json; charset=utf-8")
    let bare = try next()
    add(
      "without-slash", "Apple's path without its last slash", body: bare.body(), Self.verdict(bare),
      isWithoutSlash: true,
      why: "senders and proxies leave the slash out, and a redirect is not followed")
    add(
      "get", "GET instead of POST", body: [], nil, method: "GET", right: .okOrMethodRefused,
      why: "a browser asks so whether the path is the right one; it is no failure of the receiver")
    add(
      "put", "PUT instead of POST", body: try next().body(), nil, method: "PUT", right: .methodRefused,
      why: "postbacks are posted; what takes anything hides a wrong configuration")
    let (slow, beside) = (try next(), try next())
    add(
      ReceiverDelivery(
        id: "slow", request: "a postback sent in pieces over 3 s, and another one in the middle of it",
        sending: .slowly(body: slow.body(), beside: beside.body()), right: .ok,
        why: "phones have bad connections: one of them must not make all others wait",
        kept: [slow, beside].map { ReceiverDelivery.Kept(body: $0.body(), signature: Self.verdict($0)) }))
    let last = try next()
    add("alive", "one more postback, after all that", last, why: "what came before must not have ended the receiver")
  }
}
