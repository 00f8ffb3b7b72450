import SKANDevice
import SKANJSON
import SKANSigning

/// What phones send: versions, tiers, windows, and kinds of ads.
extension ReceiverPlan {
  mutating func addKinds() throws(SigningError) {
    var postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    postback[.sourceAppID] = .integer(1_234_567_891)
    add("v4-tier-3", "version 4.0 of tier 3: four digits, a fine value, a source app", try signed(postback))

    postback = self.postback(campaign: "239")
    postback[.conversionValue] = .integer(values.second)
    add("v4-tier-2", "version 4.0 of tier 2: three digits, a fine value, no source", try signed(postback))

    postback = self.postback(campaign: "39")
    postback[.coarseConversionValue] = .string("high")
    add("v4-tier-1", "version 4.0 of tier 1: two digits, a coarse value", try signed(postback))

    add("v4-tier-0", "version 4.0 of tier 0: two digits, no value", try signed(self.postback(campaign: "39")))

    for version in [AdVersion.v3, .v2_2, .v2_1] {
      postback = self.postback(version, campaign: "42")
      postback[.conversionValue] = .integer(values.first)
      postback[.sourceAppID] = .integer(1_234_567_891)
      let name = version.rawValue
      add("v\(name)", "version \(name) with a campaign id instead of a source identifier", try signed(postback))
    }
    add(
      "v3.0-no-value", "version 3.0 below the privacy threshold: no value, no source app",
      try signed(self.postback(.v3, campaign: "42")))

    postback = self.postback()
    postback[.conversionValue] = .integer(0)
    add("fine-value-0", "a fine value of 0, which is a value", try signed(postback))

    postback = self.postback()
    postback[.conversionValue] = .integer(values.unmapped)
    add("fine-value-unmapped", "a fine value that a model may not have", try signed(postback))

    postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    postback[.redownload] = .bool(true)
    add("redownload", "an app that was installed before", try signed(postback))

    postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    postback[.sourceDomain] = .string("example.com")
    add("web-ad", "an ad on a web page: source-domain instead of source-app-id", try signed(postback))

    postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    postback[.fidelityType] = .integer(0)
    add("view-through", "a view-through ad: fidelity-type 0", try signed(postback))

    for version in [AdVersion.v4, .v3] {
      postback = self.postback(version, campaign: version.hasWindows ? "39" : "42")
      postback[.didWin] = .bool(false)
      add("v\(version.rawValue)-not-won", "version \(version.rawValue), an ad that did not win", try signed(postback))
    }

    postback = self.postback()
    postback[.conversionValue] = .integer(values.first)
    postback[.countryCode] = .string("US")
    add("country-code", "with the country, which Apple added to version 4.0 later", try signed(postback))
  }

  mutating func addWindows() throws(SigningError) {
    for (name, order) in [("in-order", [0, 1, 2] as [Int64]), ("late", [2, 0, 1])] {
      for index in order {
        var postback = self.postback(campaign: index == 0 ? "5239" : "39", index: index)
        if index == 0 { postback[.conversionValue] = .integer(values.second) }
        if index == 1 { postback[.coarseConversionValue] = .string("medium") }
        if index == 2 { postback[.coarseConversionValue] = .string("low") }
        let text =
          name == "late"
          ? "another install's, which come out of order: postback \(index)"
          : "the three windows of one install: postback \(index)"
        add("\(name)-\(index)", text, try signed(postback))
      }
    }
  }
}
