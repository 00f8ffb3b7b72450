import SKANBase
import SKANDevice
import SKANSigning

/// Deliveries of regular postbacks: versions, tiers, windows, and kinds of ads.
extension ReceiverPlan {
  mutating func addKinds() throws(SigningError) {
    add("v4-tier-3", "version 4.0 of tier 3: four digits, a fine value, a source app", try signedPostback())

    var postback = self.postback(campaign: "239").without(.sourceAppID)
    postback[.conversionValue] = .integer(values.second)
    add("v4-tier-2", "version 4.0 of tier 2: three digits, a fine value, no source", try signed(postback))

    postback = self.postback(campaign: "39").without(.sourceAppID, .conversionValue)
    postback[.coarseConversionValue] = .string("high")
    add("v4-tier-1", "version 4.0 of tier 1: two digits, a coarse value", try signed(postback))

    postback = self.postback(campaign: "39").without(.sourceAppID, .conversionValue)
    add("v4-tier-0", "version 4.0 of tier 0: two digits, no value", try signed(postback))

    // Each of the others differs in one thing from this one, or from another one: see SeparableDeliveryTests.
    add(
      "v4-no-source", "version 4.0 of tier 2 with four digits: no source",
      try signed(self.postback().without(.sourceAppID)))
    add("v4-two-digits", "version 4.0 of tier 3 with two digits", try signed(self.postback(campaign: "39")))
    add("v4-no-value", "version 4.0 of tier 3 without a value", try signed(self.postback().without(.conversionValue)))
    add(
      "v4-no-source-no-value", "version 4.0 of tier 2 with four digits: no source, no value",
      try signed(self.postback().without(.sourceAppID, .conversionValue)))

    for version in [AdVersion.v3, .v2_2, .v2_1] {
      let name = version.rawValue
      add("v\(name)", "version \(name) with a campaign id instead of a source identifier", try signedPostback(version))
    }
    add(
      "v2.0", "version 2.0, signed by a P-256 key, where Apple's was of P-192", try signedPostback(.v2_0),
      open: .earlierKey)
    addVersion1()
    add(
      "v3.0-no-value", "version 3.0 below the privacy threshold: no value, no source app",
      try signed(self.postback(.v3).without(.sourceAppID, .conversionValue)))

    postback = self.postback()
    postback[.conversionValue] = .integer(0)
    add("fine-value-0", "a fine value of 0, which is a value", try signed(postback))

    postback = self.postback()
    postback[.conversionValue] = .integer(values.unmapped)
    add("fine-value-unmapped", "a fine value that a model may not have", try signed(postback))

    postback = self.postback()
    postback[.redownload] = .bool(true)
    add("redownload", "an app that was installed before", try signed(postback))

    postback = self.postback().without(.sourceAppID)
    postback[.sourceDomain] = .string("example.com")
    add("web-ad", "an ad on a web page: source-domain instead of source-app-id", try signed(postback))

    postback = self.postback()
    postback[.fidelityType] = .integer(0)
    add("view-through", "a view-through ad: fidelity-type 0", try signed(postback))

    for version in [AdVersion.v4, .v3] {
      postback = self.postback(version, campaign: version.hasWindows ? "39" : "42")
        .without(.sourceAppID, .conversionValue)
      postback[.didWin] = .bool(false)
      add("v\(version.rawValue)-not-won", "version \(version.rawValue), an ad that did not win", try signed(postback))
    }

    postback = self.postback()
    postback[.countryCode] = .string("US")
    add("country-code", "a postback with the country, which Apple added to version 4.0 later", try signed(postback))
  }

  /// Version 1.0 has no version field, and only network, campaign, app and transaction. It is unsigned: Apple's key of 1.0
  /// and 2.0 is on P-192, and no other key signs postbacks of it.
  private mutating func addVersion1() {
    let fields: [(key: String, value: JSON)] = [
      (PostbackField.adNetworkID.rawValue, .string(TestPostback.network)),
      (PostbackField.campaignID.rawValue, .integer(42)),
      (PostbackField.appID.rawValue, Int64(app).map(JSON.integer) ?? .string(app)),
      (PostbackField.transactionID.rawValue, .string(transaction())),
    ]
    add(
      "v1.0", "version 1.0, which has no key version", body: Array(JSONWriter.text(.object(fields)).utf8),
      ReceivedSignature(.notChecked, why: "it has no signature"), right: .okOrRefused, level: .should,
      why: "Apple's copies begin with version 2.0, so no phone sends it here: keep it or refuse it, but do not fail")
  }

  mutating func addWindows() throws(SigningError) {
    for (name, order, text) in [
      ("in-order", [0, 1, 2] as [Int64], "the three windows of one install"),
      ("late", [2, 0, 1], "the windows of another install, which come out of order"),
      ("one-id", [0, 1, 2], "the three windows of an install with one transaction id"),
    ] {
      let shared: JSON? = name == "one-id" ? .string(transaction()) : nil
      var copy: (duplicate: ReceiverDelivery.Kept, conflict: ReceiverDelivery.Kept)?
      for index in order {
        var postback = self.postback(campaign: index == 0 ? "5239" : "39", index: index)
        if index == 0 { postback[.conversionValue] = .integer(values.second) }
        if index == 1 { postback[.coarseConversionValue] = .string("medium") }
        if index == 2 { postback[.coarseConversionValue] = .string("low") }
        if let shared { postback[.transactionID] = shared }
        let isRepeated = shared != nil && index > 0
        postback = try signed(postback)
        add(
          "\(name)-\(index)", "\(text): postback \(index)", postback,
          traits: isRepeated ? [.knownTransaction] : [], open: isRepeated ? .sharedID : nil,
          copy: isRepeated ? copy : nil)
        if index == 0 {
          let first = ReceiverDelivery.Kept(body: postback.body(), signature: Self.verdict(postback))
          postback[.conversionValue] = .integer(values.first)
          copy = (first, ReceiverDelivery.Kept(body: postback.body(), signature: first.signature))
        }
      }
    }
  }
}

/// Deliveries of copies, genuine and forged.
extension ReceiverPlan {
  mutating func addCopies() throws(SigningError) {
    let first = self.postback()
    let original = try signed(first)
    add("original", "a postback that is sent again later", original)
    let known = "an answer other than 200 makes the phone send it once more; it counts once"
    add("duplicate", "a postback again, the same bytes", original, traits: [.knownTransaction], why: known)
    add(
      "duplicate-signed-anew", "a postback again, signed anew as phones do", try signed(first),
      traits: [.knownTransaction], why: known)
    let ofVersion3 = try signedPostback(.v3)
    add("v3.0-original", "a postback of version 3.0, which has no window, and comes again", ofVersion3)
    add(
      "v3.0-duplicate", "a postback of version 3.0 again, the same bytes", ofVersion3, traits: [.knownTransaction],
      why: "\(known), also where a unique index has a null for the window")

    var forged = original
    forged[.conversionValue] = .integer(values.second)
    let verifies = "it verifies, so its sender must not learn anything; the first copy counts, and this is a conflict"
    add(
      "forged-value", "a postback again with another conversion value, which no signature covers", forged,
      level: .should,
      traits: [.knownTransaction], why: verifies)

    var other = first
    other[.sourceIdentifier] = .string("4711")
    add(
      "conflict", "a transaction id again with another source identifier, signed", try signed(other), level: .should,
      traits: [.knownTransaction], why: verifies)

    let noFailure = "no phone sends it: keep it apart or refuse it, but do not fail"
    var altered = original
    altered[.signature] = altered[.signature] ?? .string(Self.foreignSignature)
    altered[.transactionID] = .string(transaction())
    let invalid = ReceivedSignature(.invalid, why: "it does not fit")
    add(
      "wrong-signature", "a postback with the signature of another one", altered, signature: invalid,
      right: .okOrRefused,
      level: .should, traits: [.forgery], why: noFailure)

    let genuine = try signedPostback()
    var forgery = genuine
    forgery[.signature] = forgery[.signature] ?? .string(Self.foreignSignature)
    forgery[.sourceIdentifier] = .string("1111")
    add(
      "forged-before", "a forgery, whose transaction id a genuine postback will have", forgery, signature: invalid,
      right: .okOrRefused, level: .should, traits: [.forgery], why: noFailure)
    add(
      "genuine-after", "the genuine postback with that transaction id", genuine, traits: [.knownTransaction],
      why: "the forgery must not take its place: it is lost unless it is answered with 200")

    let late = try signedPostback()
    var early = late
    early[.conversionValue] = .integer(values.second)
    add("forged-value-before", "a postback whose conversion value was altered, before the genuine one", early)
    add(
      "genuine-value-after", "the genuine postback after that", late, traits: [.knownTransaction],
      why:
        "a phone sends it again for nine days until it is answered with 200; nothing tells which value is the genuine "
        + "one, so the first copy counts, and this is a conflict")

    var batch: [TestPostback] = []
    for _ in 0..<50 { batch.append(try signedPostback()) }
    addAtOnce("parallel", "50 different postbacks at the same time", batch)
    addAtOnce(
      "parallel-copies", "10 copies of one postback at the same time",
      Array(repeating: try signedPostback(), count: 10), [.knownTransaction])
  }

  private mutating func addAtOnce(
    _ id: String, _ request: String, _ postbacks: [TestPostback], _ traits: Set<ReceiverTrait> = []
  ) {
    let bodies = postbacks.map { $0.body() }
    add(
      ReceiverDelivery(
        id: id, request: request, sending: .atOnce(bodies), right: .ok, why: Self.sentAgain,
        traits: traits.union([.postback, .atOnce]),
        kept: zip(bodies, postbacks).map { ReceiverDelivery.Kept(body: $0, signature: Self.verdict($1)) }))
  }

  /// The signature of one of Apple's published examples, which is invalid for any other postback.
  private static let foreignSignature =
    "MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bxo="
}

/// Deliveries of other forms: forwarded postbacks, postbacks of future versions, broken ones, and other requests.
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
      why: "networks and Apple add fields; the signature covers the known ones")

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
    let noFailure = "it is not a postback, and not a failure of the receiver"
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
    // Half of an emoji, as JavaScript may truncate a name. No valid Unicode text contains it, so a database may refuse
    // it.
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
      why: "postbacks have less than 1 KiB: a receiver that accepts any size lets anyone fill the disk")
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
      why: "a browser asks like this whether the path is right; it is not a failure of the receiver")
    add(
      "put", "PUT instead of POST", body: try signedPostback().body(), nil, method: "PUT", right: .methodRefused,
      level: .should, why: "postbacks are posted; a receiver that accepts any method hides a wrong configuration")
    let chunked = try signedPostback()
    add(
      ReceiverDelivery(
        id: "chunked", request: "Transfer-Encoding: chunked instead of Content-Length",
        sending: .chunked(body: chunked.body()), right: .ok,
        why: "networks whose HTTP clients do not know a body's length beforehand, and proxies, send it like this",
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
      why: "the deliveries before must not have stopped the receiver")
  }
}
