import SKANBase

/// The impressions of a phone as in its device file.
extension Impressions: JSONObjectWritable {
  package static let fields = JSONFields<Impressions> {
    JSONField("pending", "the impressions that no install has used yet") { $0.pending }
    JSONField(optional: "attribution", "what decided the install") { $0.race }
    JSONField(optional: "cooldown", "what an earlier conversion holds back", object: Cooldown.fields) { $0.cooldown }
  }

  /// Reads what ``fields`` wrote; problems are added to the reader.
  package init(from reader: inout JSONObjectReader) {
    self.init()
    guard reader.isObject else { return }
    if !reader.has("pending") { reader.complain("the impressions need the key \"pending\"") }
    pending = reader.items("pending") { Impression($0, in: &$1) }
    if let node = reader.node("attribution") { race = ImpressionRace(node, in: &reader) }
    if let node = reader.node("cooldown") { cooldown = Cooldown(node, in: &reader) }
  }
}

extension Impression: JSONObjectWritable {
  package static let fields = JSONFields<Impression> {
    JSONField("at", "when it was tapped, or when its view ended") { $0.at }
    JSONField("ad", "the ad, as in a step", of: JSON.self) { $1.append($0.ad.impressionJSON) }
    JSONField(optional: "seconds", "how long the view lasted") { $0.seconds }
  }

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an impression", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    self.init(from: &reader)
  }

  fileprivate init?(from reader: inout JSONObjectReader) {
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let node = reader.require("ad", reader.node("ad"))
    let seconds = reader.seconds("seconds")
    guard let at, let node else { return nil }
    var problems: [SourceProblem] = []
    self.init(AdAttribution(impression: node, &problems), at: at, seconds: seconds)
    reader.add(problems)
    if interaction == .click, seconds != nil { reader.complainOfClick() }
  }
}

extension JSONObjectReader {
  /// The seconds of a view.
  package mutating func seconds(_ key: JSONKey) -> Double? {
    guard let seconds = number(key) else { return nil }
    if seconds < 0 || !(seconds < 86_400) { complain("\"seconds\" must be from 0 to 86400", about: key) }
    return seconds
  }

  package mutating func complainOfClick() {
    complain("\"seconds\" goes with a view, and the ad is a click", about: "seconds")
  }
}

extension ImpressionRace: JSONObjectWritable {
  package static let fields = JSONFields<ImpressionRace> {
    JSONField("at", "when the app was installed") { $0.at }
    JSONField("winner", "the network of the impression that won, or null for an organic install", of: String?.self) {
      if let winner = $0.winner { $1.append(winner.impression.ad.network) } else { $1.null() }
    }
    JSONField("impressions", "the winner, those that lost in the order of the race, and those that could not win") {
      $0.entries
    }
  }

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an attribution", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let entries = reader.items("impressions") { Entry($0, in: &$1) }
    guard let at else { return nil }
    self.init(at: at, entries: entries)
    if entries.count(where: { $0.rule == .won }) > 1 {
      reader.complain("one impression wins an install", about: "impressions")
    }
  }
}

extension ImpressionRace.Entry: JSONObjectWritable {
  package static let fields = JSONFields<ImpressionRace.Entry>(
    Impression.fields.rows.map { $0.of { $0.impression } }
      + JSONFields<ImpressionRace.Entry> {
        JSONField("rule", "the rule that decided about it") { $0.rule }
        JSONField("why", "why, as the end of a sentence") { $0.why }
      }.rows)

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an impression", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    guard reader.isObject, let impression = Impression(from: &reader),
      let rule: ImpressionRule = reader.require("rule", reader.choice("rule")),
      let why = reader.require("why", reader.string("why"))
    else { return nil }
    self.init(impression: impression, rule: rule, why: why)
  }
}

extension ImpressionRule: JSONWritable {}

extension Impressions.Cooldown: JSONObjectWritable {
  package static let fields = JSONFields<Impressions.Cooldown> {
    JSONField("until", "when it ends") { $0.until }
    JSONField("setting", "the setting that says so") { $0.setting }
  }

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a cool-down", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let until = reader.require("until", reader.instant("until"))
    let setting: FrameworkSetting? = reader.require("setting", reader.choice("setting"))
    guard let until, let setting else { return nil }
    self.init(until: until, setting: setting)
  }
}

extension FrameworkSetting: JSONWritable {}
