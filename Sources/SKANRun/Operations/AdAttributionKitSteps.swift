import SKANBase
import SKANDevice

/// The operations of apps that call AdAttributionKit themselves.
extension OperationSpec {
  static let adAttributionKit = OperationSpec(
    "aak-update", "a step with op \"aak-update\"", keys: [.fine, .coarse, .lock, .types, .tag],
    decode: { reader, step in
      let fine = reader.integer(at: .fine)
      if fine == nil { reader.require(at: .fine) }
      var update = DirectUpdate(fine: fine ?? 0, coarse: reader.choice("coarse"), lock: reader.bool(at: .lock) ?? false)
      if reader.has(at: .types) {
        update.types = reader.items("types") { DirectUpdate.ConversionKind($0, in: &$1) }
        if update.types?.isEmpty ?? false, reader.problems.isEmpty {
          reader.complain("\"types\" must name at least one type; without the key the call is for all", about: "types")
        }
      }
      update.tag = reader.tag()
      step.operation = .adAttributionKit(update)
    })

  static let reEngagement = OperationSpec(
    "aak-reengage", "a step with op \"aak-reengage\"",
    keys: [
      .url, .eligible, .tag, .network, .sourceIdentifier, .appId, .publisherId, .marketplace, .tier, .country,
    ],
    decode: { reader, step in
      let url = reader.read("url", OpenedAd.urlForm) { content in
        content.text.flatMap { OpenedAd.isLink($0) ? $0 : nil }
      }
      if !reader.has(at: .url) { reader.require(at: .url) }
      let isAdNamed = AdAttribution.reEngagementKeys.contains { reader.has(JSONKey($0)) }
      var opened = OpenedAd(isAdNamed ? AdAttribution(reEngagementFrom: &reader) : nil, url: url ?? "")
      opened.isEligible = reader.bool(at: .eligible) ?? true
      opened.tag = reader.tag()
      step.operation = .reEngagement(opened)
    })
}

extension OperationSpec {
  static let development = OperationSpec(
    "aak-development", "a step with op \"aak-development\"", keys: [.interaction, .conversion, .tiers, .tag, .country],
    decode: { reader, step in
      var chosen = DevelopmentConversion()
      DevelopmentConversion.fields.read(into: &chosen, from: &reader)
      step.operation = .development(chosen, tag: reader.tag(), country: reader.country())
    })
}

extension JSONObjectReader {
  fileprivate mutating func tag() -> String? {
    read("tag", OpenedAd.tagForm) { content in content.text.flatMap { OpenedAd.isTag($0) ? $0 : nil } }
  }
}

extension OpenedAd {
  package static let urlForm = "a universal link, beginning with https://"
  package static let tagForm = "a conversion tag of letters, digits and - . _ ~"

  /// Whether a text can be the link of an impression. A fragment is refused, since the system's item would be in it.
  package static func isLink(_ text: String) -> Bool {
    text.hasPrefix("https://") && text.utf8.count > 8 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !text.contains("#")
  }

  /// Whether a text can be the value of an item of a link as it stands.
  package static func isTag(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._~".utf8.contains($0) }
  }

  func encode(to writer: inout StepWriter) {
    writer.add(.url, .string(url))
    if !isEligible { writer.add(.eligible, .bool(false)) }
    if let tag { writer.add(.tag, .string(tag)) }
    if let ad { writer.add(AdAttribution.ofReEngagement.json(ad)) }
  }
}

extension DirectUpdate {
  func encode(to writer: inout StepWriter) {
    writer.add(.fine, .integer(fine))
    if let coarse { writer.add(.coarse, .string(coarse.rawValue)) }
    if lock { writer.add(.lock, .bool(true)) }
    if let types { writer.add(.types, .array(types.map { .string($0.rawValue) })) }
    if let tag { writer.add(.tag, .string(tag)) }
  }
}

extension DirectUpdate.ConversionKind {
  fileprivate init?(_ node: JSONNode, in reader: inout JSONObjectReader) {
    if case .string(let text) = node.content, let kind = Self(rawValue: text) {
      self = kind
      return
    }
    let names = Self.allCases.map { "\"\($0.rawValue)\"" }.listed("or")
    reader.add([SourceProblem("a type must be \(names), this is \(node.briefly)", at: node.range)])
    return nil
  }
}
