import SKANJSON

extension PostbackContent {
  /// Reads a postback that was received, by the fields of its version; see the article "Postbacks".
  ///
  /// - Parameter needsSignature: false for one of our own before it is signed.
  /// - Returns: what it says, or every problem with its fields, with places in the text that was read.
  package static func read(
    _ node: JSONNode, needsSignature: Bool = true
  ) -> Result<PostbackContent, SourceProblems> {
    guard case .object = node.content else {
      return .failure([SourceProblem("a postback must be an object, this is \(node.kind)", at: node.range)])
    }
    guard let version = AdVersion(postback: node) else { return .failure(problemsWithoutVersion(node)) }
    var reader = JSONObjectReader(
      node, what: version.ofPostback, known: JSONKeys(version.fields.map(\.rawValue)))
    let content = PostbackContent(of: version, from: &reader, needsSignature)
    reader.checkTogether(version)
    guard let content, reader.problems.isEmpty else { return .failure(SourceProblems(reader.problems)) }
    return .success(content)
  }

  /// Without a version nothing says which fields must be there; those that are can still be of a wrong form.
  private static func problemsWithoutVersion(_ node: JSONNode) -> SourceProblems {
    var reader = JSONObjectReader(node, what: "a postback", known: JSONKeys(PostbackField.allCases.map(\.rawValue)))
    if reader.node("version") == nil {
      reader.complain(
        "a postback needs the key \"version\"; those of version 1.0 have none, and another key of Apple's signed them")
    } else {
      let versions = AdVersion.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      _ = reader.read("version", "one of \(versions)") { _ -> AdVersion? in nil }
    }
    _ = PostbackContent(of: nil, from: &reader, false)
    return SourceProblems(reader.problems)
  }

  /// Reads every field, so that a problem with one does not hide what is wrong with the next.
  ///
  /// - Parameter version: nil when it is not known, so that no field can be missing.
  private init?(of version: AdVersion?, from reader: inout JSONObjectReader, _ needsSignature: Bool) {
    let network = reader.plainText("ad-network-id", "an ad network id such as \"com.example\"")
    let identifier = reader.digits("source-identifier")
    let campaign = reader.integer("campaign-id", in: 1...100)
    let app = reader.integer("app-id", in: 0 ... .max)
    let transaction = reader.uuid("transaction-id")
    let redownload = reader.bool("redownload")
    let sourceApp = reader.integer("source-app-id", in: 0 ... .max)
    let domain = reader.plainText("source-domain", "a domain such as \"example.com\"")
    let fidelity = reader.integer("fidelity-type", in: 0...1)
    let didWin = reader.bool("did-win")
    let index = reader.integer("postback-sequence-index", in: 0...2)
    let fine = reader.integer("conversion-value", in: 0...63)
    let coarse: CoarseValue? = reader.choice("coarse-conversion-value")
    let country = reader.countryCode("country-code")
    let signature = reader.base64("attribution-signature")
    guard let version else { return nil }
    reader.requireFields(of: version, needsSignature)
    let campaignOfVersion =
      version.hasWindows
      ? identifier.map(AdAttribution.Campaign.sourceIdentifier) : campaign.map(AdAttribution.Campaign.campaignID)
    guard let network, let campaignOfVersion, let app, let transaction, let redownload else { return nil }
    self.init(
      version: version, adNetworkID: network, campaign: campaignOfVersion, appID: app, transactionID: transaction,
      redownload: redownload)
    source = domain.map(AdAttribution.Source.domain) ?? sourceApp.map(AdAttribution.Source.app)
    self.fidelity = fidelity
    self.didWin = didWin
    sequenceIndex = index
    conversionValue = fine
    coarseValue = coarse?.rawValue
    countryCode = country
    self.signature = signature
  }
}

extension AdVersion {
  /// What a postback of this version is called in messages.
  fileprivate var ofPostback: StaticString {
    switch self {
    case .v2_0: "a postback of version 2.0"
    case .v2_1: "a postback of version 2.1"
    case .v2_2: "a postback of version 2.2"
    case .v3: "a postback of version 3.0"
    case .v4: "a postback of version 4.0"
    }
  }

  /// The version that a postback gives.
  fileprivate init?(postback node: JSONNode) {
    guard case .string(let text)? = node.member("version")?.content else { return nil }
    self.init(rawValue: text)
  }
}
