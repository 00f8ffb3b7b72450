import SKANDevice
import SKANBase
import SKANSigning

/// What phones send: versions, tiers, windows, and kinds of ads.
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

    for version in [AdVersion.v3, .v2_2, .v2_1] {
      let name = version.rawValue
      add("v\(name)", "version \(name) with a campaign id instead of a source identifier", try signedPostback(version))
    }
    add(
      "v2.0", "version 2.0, signed by a P-256 key, where Apple's was of P-192", try signedPostback(.v2_0),
      open: .earlierKey)
    try addVersion1()
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

  /// Version 1.0 names no version, and nothing but the network, campaign, app and transaction.
  private mutating func addVersion1() throws(SigningError) {
    let id = transaction()
    let fields: [(key: String, value: JSON)] = [
      (PostbackField.adNetworkID.rawValue, .string(TestPostback.network)),
      (PostbackField.campaignID.rawValue, .integer(42)),
      (PostbackField.appID.rawValue, Int64(app).map(JSON.integer) ?? .string(app)),
      (PostbackField.transactionID.rawValue, .string(id)),
    ]
    let text = [TestPostback.network, "42", app, id].joined(separator: PostbackContent.separator)
    let signature = try sign(text).map { [(PostbackField.signature.rawValue, JSON.string($0))] } ?? []
    add(
      "v1.0", "version 1.0, which has no key version", body: Array(JSONWriter.text(.object(fields + signature)).utf8),
      ReceivedSignature(.notChecked, why: "it is of version 1.0"), right: .okOrRefused, level: .should,
      why: "Apple's copies begin with version 2.0, so no phone sends it here: keep it or refuse it, but do not fail")
  }

  mutating func addWindows() throws(SigningError) {
    for (name, order, text) in [
      ("in-order", [0, 1, 2] as [Int64], "the three windows of one install"),
      ("late", [2, 0, 1], "another install's, which come out of order"),
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
