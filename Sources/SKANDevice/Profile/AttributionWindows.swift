import SKANBase

/// The app's rules of attribution: the dictionary `AttributionWindows` of its Info.plist (iOS 18.4). They say how long
/// an impression of an ad network counts, and which kind of impression does not count at all.
///
/// Apple, "Configuring attribution rules for your app". The rules of a network go before the global ones, and those
/// before Apple's default; that they do so key by key is ours.
package struct AttributionWindows: Sendable, Equatable {
  /// By the name of the network, or ``global``.
  private(set) var rules: [(network: String, rule: Rule)] = []

  static let global = "global"

  /// What the rules of one network, or the global ones, say.
  package struct Rule: Sendable, Equatable {
    /// Days, as given.
    package var click: Int64?
    package var view: Int64?
    /// Whether clicks, or views, of the network do not count.
    package var ignored: Interaction?

    package init(click: Int64? = nil, view: Int64? = nil, ignored: Interaction? = nil) {
      (self.click, self.view, self.ignored) = (click, view, ignored)
    }

    fileprivate func days(of interaction: Interaction) -> Int64? { interaction == .click ? click : view }
  }

  package enum Interaction: String, CaseIterable, Sendable {
    case click, view

    /// The word between an interaction and its ad.
    package var preposition: String { self == .click ? "on" : "of" }

    /// The days for which an impression counts without a rule of the app.
    var defaultDays: Int64 { self == .click ? 30 : 1 }

    /// The days that Apple allows in a rule.
    var range: ClosedRange<Int64> { self == .click ? 1...30 : 1...7 }
  }

  package init() {}

  package init(_ rules: [(network: String, rule: Rule)]) { self.rules = rules }

  package static func == (left: Self, right: Self) -> Bool {
    left.rules.elementsEqual(right.rules) { $0.network.isLiterally($1.network) && $0.rule == $1.rule }
  }

  package subscript(network: String) -> Rule? { rules.first { $0.network.isLiterally(network) }?.rule }

  func ignores(_ interaction: Interaction, of network: String) -> Bool {
    network != Self.global && self[network]?.ignored == interaction
  }

  /// The days for which an impression counts, and whose rule says so, nil for Apple's default.
  func days(
    of interaction: Interaction, network: String, _ range: FrameworkSettings.KitRulesRange
  ) -> (days: Int64, rule: String?) {
    for name in [network, Self.global] {
      guard let days = self[name]?.days(of: interaction) else { continue }
      let allowed = interaction.range
      if allowed.contains(days) { return (days, name) }
      switch range {
      case .defaultUsed: return (interaction.defaultDays, nil)
      case .clamped: return (min(max(days, allowed.lowerBound), allowed.upperBound), name)
      }
    }
    return (interaction.defaultDays, nil)
  }
}

/// As in the Info.plist: `{"global":{"install":{"view":3}},"NETWORK":{"install":{"ignoreInteractionType":"view"}}}`.
extension AttributionWindows: JSONWritable {
  package static var jsonForm: JSONForm {
    .map(of: .object([("install", Rule.fields.form(requiring: []))], required: ["install"], others: nil))
  }

  init(_ node: JSONNode, in outer: inout JSONObjectReader) {
    guard case .object(let members) = node.content else {
      outer.add([
        SourceProblem("\"attribution_windows\" must be an object of networks, this is \(node.briefly)", at: node.range)
      ])
      return
    }
    for (index, member) in members.enumerated() {
      if members.prefix(index).contains(where: { $0.key.isLiterally(member.key) }) {
        outer.add([
          SourceProblem("the rules of \(JSONWriter.quoted(member.key)) stand there twice", at: member.keyRange)
        ])
      }
      var network = JSONObjectReader(member.value, what: "the rules of a network", known: ["install"])
      if network.isObject {
        if let node = network.node("install") {
          rules.append((member.key, Rule(node, isGlobal: member.key == Self.global, in: &network)))
        } else if network.problems.isEmpty {
          network.complain("the rules of a network need the key \"install\"")
        }
      }
      outer.add(network.problems)
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.append(.object(rules.map { ($0.network, .object([("install", Rule.fields.json($0.rule))])) }))
  }
}

extension AttributionWindows.Interaction: JSONReadable {}

extension AttributionWindows.Rule {
  /// Apple's keys. Any number is read, since an Info.plist may have any.
  package static let fields = JSONFields<Self> {
    JSONField(optional: "click", "the days for which a click counts; Apple allows 1 to 30", at: \.click)
    JSONField(optional: "view", "the days for which a view counts; Apple allows 1 to 7", at: \.view)
    JSONField(
      optional: "ignoreInteractionType", "in the rules of a network: the impressions that do not count", at: \.ignored)
  }

  fileprivate init(_ node: JSONNode, isGlobal: Bool, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "the rules of installs", known: Self.fields.known)
    self.init()
    Self.fields.read(into: &self, from: &reader)
    if isGlobal, ignored != nil {
      reader.complain(
        "\"ignoreInteractionType\" stands in the rules of a network only", about: "ignoreInteractionType")
    }
    outer.add(reader.problems)
  }
}
