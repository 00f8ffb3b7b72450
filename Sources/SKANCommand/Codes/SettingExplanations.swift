import SKANCommandLine
import SKANDevice

/// The facts about a question that Apple's documentation leaves open.
private struct SettingText {
  let meaning: String
  /// The statements of the sources and the questions they leave open.
  let doubt: String
  /// The effect of the values on a phone's life.
  let effect: String
  /// A list in which another value than the default makes a difference, or could.
  let example: Reproduction

  init(_ meaning: String, doubt: String, effect: String, example: Reproduction) {
    self.meaning = meaning
    self.doubt = doubt
    self.effect = effect
    self.example = example
  }
}

extension FrameworkSetting {
  var meaning: String { text.meaning }

  /// The statements of the sources and the questions they leave open.
  var doubt: String { text.doubt }

  var explanation: CodeExplanation {
    let text = text
    return CodeExplanation(
      "Decides \(text.meaning). Its value is \(hours == nil ? "one of \(valuesText)" : valuesText); \(values.first ?? "") is the default. "
        + text.effect,
      cause: "Apple's documentation leaves it open, so no value is certain to be right: \(text.doubt).",
      example: text.example,
      remedy: "Leave the default unless you know better. To see whether a test depends on it, run it with each value: "
        + "--setting \(name)=VALUE of 'skan install', or \"settings\" in a list's device step.",
      articles: ["AppleFramework", "Postbacks"])
  }

  private var text: SettingText {
    switch self {
    case .clockStart:
      SettingText(
        "when the windows of version 4 start",
        doubt: "Apple: the first launch; Apple's AdAttributionKit pages: the first update call",
        effect: "With first_launch, the windows begin when the app is first opened, which can be before register: "
          + "Apple's windows then end earlier than the snippet's.",
        example: list(
          "first_launch", #"{"op":"details"}"#, #"{"op":"register","after":"1d"}"#,
          Self.session("+60h", #""conversion_value":5,"skan_updated_coarse_value":1"#), Self.postbacks))
    case .windowEdges:
      SettingText(
        "whether the exact end of a window or timer still belongs to it",
        doubt: "not in Apple's documentation; public SDKs differ",
        effect: "With end_included, an update in the exact second in which a window ends still belongs to that window; "
          + "the snippet counts it in the next one.",
        example: list(
          "end_included", Self.register, Self.session("+2d", #""conversion_value":5,"skan_updated_coarse_value":1"#),
          Self.postbacks))
    case .delayDistribution:
      SettingText(
        "where a random delay falls between its bounds", doubt: "Apple: random, nothing more",
        effect: "uniform draws each delay from the phone's seed; earliest and latest make the times of postbacks easy "
          + "to calculate.",
        example: list(
          "earliest", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":1"#),
          Self.postbacks))
    case .coarseWithout:
      SettingText(
        "what a call without a coarse value does to the current coarse value",
        doubt: "not in Apple's documentation; partners report a coarse value \"none\"",
        effect: "With keep, a call without a coarse value leaves Apple's value unchanged while the app removes its "
          + "own. With literal_none, the postback contains the text none.",
        example: list(
          "literal_none", tier: 1, Self.register,
          Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
          Self.session("+2h", #""conversion_value":6"#), Self.postbacks, options: "--json "))
    case .carryOver:
      SettingText(
        "whether a window starts with the coarse value of the previous window",
        doubt: "not in Apple's documentation; SDKs count by window",
        effect: "With yes, a window whose only calls have no coarse value keeps the coarse value of the previous "
          + "window.",
        example: list(
          "yes", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
          Self.session("+3d", #""conversion_value":5,"skan_updated_lock_window_value":true"#), Self.postbacks,
          options: "--json "))
    case .emptyWindow:
      SettingText(
        "what is sent for a window that ends without an update call",
        doubt: "Apple: an app needs to update in each window to be eligible; the case itself is not described",
        effect: "With send_without_value, the second and third postbacks are sent even if no update came in their "
          + "windows.",
        example: list(
          "send_without_value", Self.register,
          Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#), Self.postbacks))
    case .afterLock:
      SettingText(
        "what the handler receives for an update in a locked window",
        doubt: "Apple: ignored; the only documented error is the one for values out of range",
        effect: "With error_10, the app's handler learns that its update was ignored; the snippet still keeps the "
          + "values.",
        example: list(
          "error_10", Self.register,
          Self.session("+1h", #""conversion_value":5,"skan_updated_lock_window_value":true"#),
          Self.session("+2h", #""conversion_value":6"#)))
    case .afterWindows:
      SettingText(
        "what the handler receives for an update after the last window or the timer",
        doubt: "Apple: no effect; the only documented error is the one for values out of range",
        effect: "With error_10, the app's handler learns that its update came too late; the snippet still keeps the "
          + "values.",
        example: list("error_10", version: "3.0", Self.register, Self.session("+30h", #""conversion_value":5"#)))
    case .transactionIDs:
      SettingText(
        "whether each postback of an install has its own transaction id",
        doubt: "not in Apple's documentation; receivers are told to drop an id that they have seen before",
        effect: "With same, all postbacks of an install share one transaction id, so a receiver that drops known ids "
          + "keeps only the first.",
        example: list(
          "same", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
          Self.session("+3d", #""conversion_value":5,"skan_updated_coarse_value":1"#), Self.postbacks,
          options: "--json "))
    case .tier2Digits:
      SettingText(
        "the number of digits of the source identifier in a first postback with tier "
          + "2", doubt: "Apple: two, three or four",
        effect: "A first postback with tier 2 identifies its campaign by that many digits. Two digits distinguish at "
          + "most a hundred campaigns.",
        example: firstPostback("4", tier: 2))
    case .tier3Digits:
      SettingText(
        "the number of digits of the source identifier in a first postback with tier "
          + "3", doubt: "Apple: two, three or four",
        effect: "A first postback with tier 3 identifies its campaign by that many digits.",
        example: firstPostback("3", tier: 3))
    case .identifierDigits:
      SettingText(
        "which digits a shortened source identifier keeps",
        doubt: "Apple's samples show the last, 5239 and 39; Singular's FAQ says the first",
        effect: "The last two digits of 5239 are 39, and the first two are 52. A campaign map for short identifiers "
          + "depends on this.",
        example: firstPostback("first", tier: 1))
    case .nonWinner:
      SettingText(
        "what a postback of version 4 for an ad that did not win says about its source",
        doubt: "Apple: without values and source app; digits and domain are not described",
        effect: "With digits_by_tier it has digits and no source, with by_tier digits and a source domain, with least "
          + "only two digits.",
        example: firstPostback("least", more: #","won":false"#))
    case .oldIOS:
      SettingText(
        "how iOS before 16.1 treats an ad of version 4.0", doubt: "not in Apple's documentation",
        effect: "With as_4_0, such a phone has three windows; with as_3_0, one value and a timer of 24 hours; with "
          + "not_attributed, no postback.",
        example: firstPostback("as_4_0", ios: "16.0"))
    case .oldThreshold:
      SettingText(
        "the lowest tier at which versions up to 3 show the conversion value and the source app",
        doubt: "Apple: above a privacy threshold, which is not published",
        effect: "With as_4_0, the value is shown from tier 2 on and the source app at tier 3. With tier_N, both are "
          + "shown from that tier on.",
        example: firstPostback("tier_3", version: "3.0", tier: 2))
    case .registerAgain:
      SettingText(
        "what registerAppForAdNetworkAttribution does after the first update",
        doubt: "Apple: resets the value to 0, on iOS 15.4 and earlier",
        effect: "This matters only if an app itself calls Apple's old register method a second time. The snippet calls "
          + "it once.",
        example: list("ignored", version: "3.0", snippet: "skan3", Self.register, Self.postbacks, options: "--json "))
    case .registerValue:
      SettingText(
        "the conversion value if only registerAppForAdNetworkAttribution was called",
        doubt: "Apple: the default value is 0, on the page of another call",
        effect: "With absent, a postback from a phone that only registered with SKAN 3 has no conversion value; with "
          + "zero, it has 0.",
        example: list("absent", version: "3.0", snippet: "skan3", Self.register, Self.postbacks, options: "--json "))
    case .fineOnlyCalls:
      SettingText(
        "in which windows of version 4 a call that has no coarse value and no lock counts",
        doubt: "Apple: in the first window; partners report that such calls clear what later windows hold",
        effect: "With every_window a call that has no coarse value, as on iOS below 16.1, clears the coarse value of "
          + "later windows, too.",
        example: list(
          "every_window", ios: "16.0", device: #","settings":{"old-ios":"as_4_0","fine-only-calls":"every_window"}"#,
          Self.register, Self.session("+3d", #""conversion_value":5"#), Self.postbacks))
    case .fineOnlyDelay:
      SettingText(
        "the delay of the first postback of version 4 if no call could carry a coarse value",
        doubt: "Apple: 24-48 hours on one page, 0-24 hours on the page of that call",
        effect: "It applies to installs whose calls cannot carry a coarse value, such as those of SKAN 3.",
        example: list("0_24h", snippet: "skan3", Self.register, Self.postbacks))
    case .developerTimer:
      SettingText(
        "timer and delay of versions up to 3 in Developer Mode",
        doubt: "Apple: 24-48 hours become 5-10 minutes; the timer is not described",
        effect: "It applies to ads up to version 3 on a phone in Developer Mode: the timer, and the delay after it.",
        example: list(
          "3m_then_5_10m", version: "3.0", ios: "18.0", ad: #","source_app_id":0"#, device: #","clock":"developer""#,
          Self.register, Self.postbacks))
    case .country:
      SettingText(
        "whether a first postback of version 4 with tier 3 contains the ad's country",
        doubt: "Apple lists country-code among the parameters, by data tier; no sample, tier or signature shows it",
        effect: "With present, the field country-code contains the ad's country. It is not signed.",
        example: firstPostback("present", more: #","country":"US""#))
    case .kitMirror:
      SettingText(
        "which calls of SKAdNetwork Apple mirrors into AdAttributionKit",
        doubt: "Apple: the APIs that update conversion values, such as the one with four arguments",
        effect: "With multi_argument, the calls of iOS 14 and 15 are not mirrored, so registering with them starts no "
          + "window. off shows the result for an app that calls only AdAttributionKit.",
        example: kitPostbacks("multi_argument"))
    case .kitMirrorCoarse:
      SettingText(
        "whether a mirrored call carries the coarse value",
        doubt: "Apple's page names the call with fine value and lock, which has no coarse value",
        effect: "For an app that calls only SKAdNetwork, it decides what a first postback with tier 1 and every second "
          + "and third postback say: with none nothing, with carried the app's coarse values.",
        example: kitPostbacks("carried"))
    case .kitWindowStart:
      SettingText(
        "when the windows of AdAttributionKit start",
        doubt: "Apple: the first update call on two pages, the first launch on one",
        effect: "With first_launch, the windows begin when the app is first opened, which can be before register.",
        example: kitList(
          "first_launch", #"{"op":"details"}"#, #"{"op":"register","after":"1d"}"#, Self.update, Self.postbacks,
          options: ""))
    case .kitFineOnly:
      SettingText(
        "what a call without a coarse value does to AdAttributionKit's current coarse value",
        doubt: "not in Apple's documentation; as_coarse_without does what coarse-without says for SKAdNetwork",
        effect: "This matters if an app calls both frameworks: with clears, a mirrored call removes the coarse value "
          + "that a direct call set; with keeps, the value stays.",
        example: kitList(
          "keeps", others: #","aak-mirror-coarse":"carried""#, Self.register, Self.update,
          Self.session("+2h", #""conversion_value":6"#), Self.postbacks))
    case .kitEmptyWindow:
      SettingText(
        "what AdAttributionKit sends for a window without an update call",
        doubt: "Apple: to be eligible an app needs to call during each window",
        effect: "With sent, the second and third postbacks are sent without a value even if no update came.",
        example: kitPostbacks("sent"))
    case .kitDigits:
      SettingText(
        "the number of digits of the source identifier in a first postback with tier 2 or 3",
        doubt: "Apple: two to four; for equal tiers the most digits",
        effect: "A first postback identifies its campaign by that many digits.",
        example: kitPostbacks("2"))
    case .kitCountry:
      SettingText(
        "whether a first postback with tier 3 contains the ad's country",
        doubt: "Apple: if the crowd of the country itself has tier 3, which is not published",
        effect: "With present, the member country-code contains the ad's country.",
        example: kitPostbacks("present", ad: #","country":"US""#))
    case .kitLaterFields:
      SettingText(
        "whether second and third postbacks name the marketplace",
        doubt: "Apple: only postbacks of tier 0 omit it; the lists of the other tiers do not name it",
        effect: "With absent, only first postbacks name the marketplace.",
        example: kitList(
          "absent", Self.register, Self.update, Self.session("+3d", #""conversion_value":5"#), Self.postbacks))
    case .kitNonWinner:
      SettingText(
        "what a postback of AdAttributionKit for an ad that did not win "
          + "contains", doubt: "Apple: the contents are not described",
        effect:
          "Neither includes a value or a publisher. tier_digits includes the tier's digits and the marketplace, least "
          + "only two digits.",
        example: kitPostbacks("least", ad: #","won":false"#))
    case .kitDeveloperDelay:
      SettingText(
        "which postbacks Developer Mode sends after 5-10 minutes",
        doubt: "Apple: 24-48 hours, the delay of the first postback, become 5-10 minutes; WWDC24: no random delays",
        effect: "With first_window, the second and third postbacks leave 24-144 hours after their windows of 3 "
          + "minutes.",
        example: kitList(
          "first_window", ios: "18.0", ad: #","publisher_id":0"#, device: #","clock":"developer""#, Self.register,
          Self.session("+4m", #""conversion_value":5"#), Self.postbacks))
    case .kitRetry:
      SettingText(
        "the answers after which a postback of AdAttributionKit is sent again",
        doubt: "Apple names 500 only; SKAdNetwork's page: any but 200",
        effect:
          "With 500, a receiver that cannot keep a postback and gives any other answer loses it. A postback without "
          + "any answer is always sent again.",
        example: kitPostbacks("non_200"))
    case .kitRetryCount:
      SettingText(
        "how many times AdAttributionKit sends a postback at most",
        doubt: "Apple: up to nine times over a maximum of 9 days",
        effect: "With 9_more, there are nine attempts after the first; with 9_in_all, eight.",
        example: kitPostbacks("9_in_all"))
    case .kitRetrySpacing:
      SettingText(
        "how long after a failed attempt AdAttributionKit sends a postback again",
        doubt: "Apple: up to nine times over a maximum of 9 days; the interval is not given",
        effect: "With 1h all attempts are over after nine hours, so a receiver that is down for longer loses the "
          + "postback.",
        example: kitPostbacks("1h"))
    case .kitUUIDCase:
      SettingText(
        "the case of the postback identifier", doubt: "Apple's newer sample has capitals, the older one small letters",
        effect: "A receiver must ignore case when it compares identifiers.",
        example: kitPostbacks("lower"))
    case .kitSlash:
      SettingText(
        "whether slashes are escaped in the JSON of header and payload", doubt: "Apple's newer sample escapes them",
        effect: "A receiver that encodes the header again before it checks the signature refuses one of the two forms.",
        example: kitPostbacks("plain"))
    case .kitToSKAN:
      SettingText(
        "whether a direct call to AdAttributionKit also reaches SKAdNetwork",
        doubt: "Apple: call APIs from both; no mirror is mentioned",
        effect: "With on, an app that calls only AdAttributionKit also updates an install of SKAdNetwork.",
        example: kitList("on", Self.register, Self.direct(), Self.postbacks))
    case .kitFineRange:
      SettingText(
        "how AdAttributionKit treats a fine value outside 0-63", doubt: "none of the nine errors is about it",
        effect: "Either the call fails with the error unknown, or the app gets no error. Nothing changes in either "
          + "case.",
        example: kitList("ignored", Self.register, #"{"op":"aak-update","fine":64}"#, options: ""))
    case .kitUntagged:
      SettingText(
        "which conversions a call without a tag updates if several overlap",
        doubt: "Apple: the most recent one on the page of tags, all types of postbacks on another",
        effect:
          "With most_recent, the snippet's mirrored calls no longer update the install after a re-engagement. With "
          + "each_type, they update the install and the last re-engagement.",
        example: overlapping("all", ios: "18.4", others: #","aak-overlap":"on""#))
    case .kitOverlap:
      SettingText(
        "whether the app's Info.plist allows overlapping conversions",
        doubt: "WWDC25 names the key EligibleForAdAttributionKitOverlappingConversions; no page of Apple's lists it",
        effect: "With on, an earlier conversion continues beside a later one (iOS 18.4), and tags distinguish them.",
        example: overlapping("on", ios: "18.4"))
    case .kitOverlapTag:
      SettingText(
        "whether the link contains the conversion tag even without overlapping conversions",
        doubt:
          "the release notes of iOS 18.4: the tag is the value of the link's item; before, only its presence counts",
        effect: "With overlap_only, the link's item has no value if the app does not allow overlap.",
        example: overlapping("overlap_only", ios: "18.4"))
    case .kitTagErrors:
      SettingText(
        "what a call gets whose tag selects no conversion",
        doubt: "Apple: the errors conversionTagNotSupported and invalidConversionTag, but not when they occur",
        effect: "With by_cause, the first error occurs without overlapping conversions and the second one for an "
          + "unknown tag. With ignored, the app gets no error.",
        example: kitList("ignored", ios: "18.4", Self.register, Self.direct(#","tag":"t1""#), options: ""))
    case .kitUnregistered:
      SettingText(
        "what a re-engagement does to an earlier conversion without an update",
        doubt: "Apple: postbacks that you haven't registered are removed and replaced",
        effect: "With kept, the earlier conversion still accepts updates.",
        example: kitList("kept", ios: "18.0", Self.open, Self.register, Self.postbacks))
    case .kitLaterWindows:
      SettingText(
        "what a re-engagement does to the future windows of an earlier conversion",
        doubt: "Apple: active postbacks are locked; those of future windows are not mentioned",
        effect: "With kept, calls still update the earlier conversion in its later windows.",
        example: overlapping("kept"))
    case .kitLimit:
      SettingText(
        "how many re-engagements a phone reports",
        doubt: "Apple: a monthly limit for each app and a yearly limit for each device, without the numbers",
        effect: "A re-engagement beyond the limit opens the app and begins no conversion. Developer Mode has no limit.",
        example: kitList("one_per_month", ios: "18.0", Self.open, Self.open, options: ""))
    case .kitCooldown:
      SettingText(
        "both cool-downs at once: install-cooldown-hours and re-engagement-cooldown-hours",
        doubt: "it is the dictionary AttributionCooldown of the app's Info.plist, 0-720 hours (iOS 18.4)",
        effect: "It gives both the same number of hours.",
        example: .json(
          #"{"op":"device","ios":"18.4","settings":{"aak-cooldown":"24h"}}"#, Self.open,
          #"{"op":"aak-reengage","url":"https://example.com/","after":"1h","label":"in the hours of aak-cooldown"}"#))
    case .kitInstallCooldown:
      SettingText(
        "for how many hours after an install by AdAttributionKit no other conversion begins",
        doubt: "it is the key of that name in the app's AttributionCooldown (iOS 18.4)",
        effect: "Until then, an ad opens the app but begins no conversion, even in Developer Mode.",
        example: kitList("6", ios: "18.4", Self.register, Self.open, options: ""))
    case .kitReEngagementCooldown:
      SettingText(
        "for how many hours after a re-engagement no other conversion begins",
        doubt: "it is the key of that name in the app's AttributionCooldown (iOS 18.4); a sample of WWDC25 spells it "
          + "reengagement-cooldown-hours",
        effect: "Until then, an ad opens the app but begins no conversion, even in Developer Mode.",
        example: kitList("48", ios: "18.4", Self.open, Self.open, options: ""))
    case .kitTrackingParameters:
      SettingText(
        "whether the link of a re-engagement loses its parameters",
        doubt: "Apple: known tracking parameters are removed; no list of them is published",
        effect: "With kept, the app receives the ad's link unchanged. With all_removed, it receives the link without "
          + "any parameters, which is the most that can be removed. With either value, a link with parameters gives "
          + "the finding tracking-parameters.",
        example: kitList(
          "all_removed", ios: "18.0", #"{"op":"aak-reengage","url":"https://example.com/sale?campaign=may"}"#,
          options: ""))
    case .kitCopies:
      SettingText(
        "whether the developer gets copies of re-engagements",
        doubt: "it is the app's key EligibleForAdAttributionKitReengagementPostbackCopies (iOS 18)",
        effect: "With on, winning re-engagements are sent to the developer, as installs are.",
        example: overlapping("on"))
    case .kitRulesForSKAN:
      SettingText(
        "whether the app's rules of windows and cool-downs hold for impressions of SKAdNetwork, too",
        doubt: "Apple's page speaks of AdAttributionKit, and one race decides over both frameworks",
        effect: "With on attribution_windows and the cool-downs decide about impressions of both frameworks.",
        example: impressions("on"))
    case .kitRulesRange:
      SettingText(
        "what a window of the app's rules counts that is out of Apple's range",
        doubt: "Apple: a click 1-30 days and a view 1-7, and nothing of other values",
        effect:
          "With default_used it counts as if it were not there, 30 days and 1; with clamped as the nearest value in "
          + "the range.",
        example: impressions("clamped"))
    case .kitViewMinimum:
      SettingText(
        "how long a view of AdAttributionKit lasts at least",
        doubt: "Apple: 2 seconds between beginView and endView; from iOS 26.2 an app can call handleView at once",
        effect: "With none a view of any length is recorded from iOS 26.2 on.",
        example: impressions("none"))
    case .kitViewRoom:
      SettingText(
        "whether the views of both frameworks share the 15 that are kept of one app that shows ads",
        doubt: "Apple names 15 on the pages of both frameworks, and does not say whether they are the same ones",
        effect: "With shared the sixteenth view displaces the oldest, of whichever framework.",
        example: .fixture("impressions/views-kept"))
    case .completion:
      SettingText(
        "when Apple calls the completion handler, and whether the phone's updates overlap",
        doubt: "Apple documents the handler for errors only; public SDKs read a call without an error as success",
        effect: "With in-turn each update ends before the next step of a list begins. With deferred, sync and never "
          + "updates overlap as in a real app: the handler comes some time after the call (completion_took, 50 ms by "
          + "default), inside the call, or not at all. Single commands and backtests run as with in-turn.",
        example: .fixture("overlap/two-calls-at-once"))
    }
  }
}
