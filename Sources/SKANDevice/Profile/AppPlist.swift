import SKANBase

/// What the app's own Info.plist decides on the phone, apart from its rules and settings; see the article "Impressions".
package struct AppPlist: Sendable, Equatable {
  package var copies = Copies()
  /// What is wrong with the file, in sentences.
  package var findings: [String] = []
  /// The keys that decide whether the app may ask an endpoint; nil without any.
  package var transport: JSON?
  /// The file that a list names, which is not read yet; nil once it is.
  package var file: String?

  package init(copies: Copies = Copies(), findings: [String] = [], file: String? = nil) {
    (self.copies, self.findings, self.file) = (copies, findings, file)
  }

  /// Where the developer gets copies of postbacks of each framework; nil for nowhere.
  package struct Copies: Sendable, Equatable {
    package var skadnetwork: String?
    package var adAttributionKit: String?

    package init(skadnetwork: String? = nil, adAttributionKit: String? = nil) {
      (self.skadnetwork, self.adAttributionKit) = (skadnetwork, adAttributionKit)
    }

    package subscript(framework: AdAttribution.Framework) -> String? {
      framework == .skadnetwork ? skadnetwork : adAttributionKit
    }
  }
}

extension AppPlist.Copies: JSONItemReadable, JSONObjectWritable {
  package static let fields = JSONFields<AppPlist.Copies> {
    JSONField(optional: "skadnetwork", "the address for postbacks of SKAdNetwork", at: \.skadnetwork)
    JSONField(optional: "adattributionkit", "the address for postbacks of AdAttributionKit", at: \.adAttributionKit)
  }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    self.init(node, what: "the addresses of copies", usual: Self(), in: &outer)
  }
}

extension AppPlist: JSONItemReadable, JSONObjectWritable {
  package static let fields = JSONFields<AppPlist> {
    JSONField("copies", "where the developer gets copies of postbacks", at: \.copies)
    JSONField(
      optional: "findings", "what is wrong with the file, as sentences", as: .list(.text),
      reading: { plist, reader in
        plist.findings = reader.items("findings") { node, reader in
          if let text = node.content.text { return text }
          reader.add([SourceProblem("a finding must be a string, this is \(node.briefly)", at: node.range)])
          return nil
        }
      }, writing: { $1.append(.array($0.findings.map(JSON.string))) })
    JSONField(
      optional: "transport", "the keys that decide whether the app may ask an endpoint", as: .map(of: .any),
      reading: { plist, reader in
        guard let node = reader.node("transport") else { return }
        plist.transport = node.value
        if !node.isObject {
          reader.complain("\"transport\" must be an object of Info.plist's keys", about: "transport")
        }
      }, writing: { if let transport = $0.transport { $1.append(transport) } })
  }

  package static var jsonForm: JSONForm { fields.form(requiring: []) }

  /// Reads the name of a file, or what was read from one.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    if case .string(let name) = node.content {
      if name.isEmpty { outer.complain("\"plist\" must name a file", about: "plist") }
      self.init(file: name)
    } else {
      self.init(node, what: "what an Info.plist says", usual: Self(), in: &outer)
    }
  }
}
