import SKANBase

/// What the app's own Info.plist decides on the phone, apart from its rules and settings; see the article "Impressions".
package struct AppPlist: Sendable, Equatable {
  /// The frameworks whose postbacks the developer gets copies of.
  package var copies: [AdAttribution.Framework] = []
  /// What is wrong with the file, in sentences.
  package var findings: [String] = []
  /// The file that a list names, which is not read yet; nil once it is.
  package var file: String?

  package init(copies: [AdAttribution.Framework] = [], findings: [String] = [], file: String? = nil) {
    (self.copies, self.findings, self.file) = (copies, findings, file)
  }

  package static let keys = ["copies", "findings"]

  /// Reads the name of a file, or what was read of one.
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    if case .string(let name) = node.content {
      if name.isEmpty { outer.complain("\"plist\" must name a file", about: "plist") }
      self.init(file: name)
      return
    }
    var reader = JSONObjectReader(node, what: "what an Info.plist says", known: JSONKeys(Self.keys))
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    self.init(
      copies: reader.items("copies") { node, reader in
        if let framework = node.content.text.flatMap(AdAttribution.Framework.init) { return framework }
        let names = AdAttribution.Framework.allCases.map { "\"\($0.rawValue)\"" }.listed("or")
        reader.add([SourceProblem("copies are of \(names), this is \(node.briefly)", at: node.range)])
        return nil
      },
      findings: reader.items("findings") { node, reader in
        if let text = node.content.text { return text }
        reader.add([SourceProblem("a finding must be a string, this is \(node.briefly)", at: node.range)])
        return nil
      })
  }

  var json: JSON {
    .object([
      ("copies", .array(copies.map { .string($0.rawValue) })), ("findings", .array(findings.map(JSON.string))),
    ])
  }

  /// A warning for each thing that is wrong with the file.
  var warnings: [Warning] { findings.map(Warning.infoPlist) }
}
