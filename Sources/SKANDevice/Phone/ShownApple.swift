import SKANBase

/// Apple's state as JSON: in a device file everything the framework remembers, in a result also its answer to the
/// step's call.
package struct ShownApple: JSONObjectWritable {
  private let framework: AppleFramework
  /// Nil if there are none.
  private let engagements: ReEngagements?
  /// Whether the state is AdAttributionKit's.
  private let isAdAttributionKit: Bool
  private let says: FrameworkAnswer?
  private let window: ConversionWindow?

  package init(_ device: borrowing Device, says: FrameworkAnswer? = nil, window: ConversionWindow? = nil) {
    (framework, isAdAttributionKit) = (device.framework, device.traits.install.isAdAttributionKit)
    engagements = device.engagements
    (self.says, self.window) = (says, window)
  }

  package static let fields = JSONFields<ShownApple>(memory.rows + ofStep)

  /// The fields of an install by an ad of AdAttributionKit.
  private static let adAttributionKitFields = JSONFields<ShownApple>(adAttributionKitMemory.rows + ofStep)

  package func write(to writer: inout JSONWriter) {
    (isAdAttributionKit ? Self.adAttributionKitFields : Self.fields).write(self, to: &writer)
  }

  /// Writes the fields of a device file.
  package func writeMemory(to writer: inout JSONWriter) {
    (isAdAttributionKit ? Self.adAttributionKitMemory : Self.memory).write(self, to: &writer)
  }

  private static let ofStep = JSONFields<ShownApple> {
    JSONField("says", "what it did with the step's call, as a sentence, or null", of: String?.self) {
      if let answer = $0.says { $1.append(quotingPlain: { $0.append(answer) }) } else { $1.null() }
    }
    JSONField(
      "window", "its window; -1 if none is open, and for versions up to 3", of: Int64.self,
      as: ConversionWindow.formOrNone
    ) { $1.append(ConversionWindow.number($0.window)) }
  }.rows

  /// The fields of a device file.
  package static let memory = JSONFields<ShownApple>(times + windows + [adAttributionKit])

  private static let adAttributionKitMemory = JSONFields<ShownApple>(times + [adAttributionKit])

  private static let adAttributionKit = JSONField<ShownApple>(
    optional: "aak", "if the phone uses AdAttributionKit: what it holds", object: heldByAdAttributionKit
  ) { shown, writer in
    if shown.isAdAttributionKit {
      heldByAdAttributionKit.write(shown, to: &writer)
    } else if shown.engagements != nil {
      onlyEngagements.write(shown, to: &writer)
    }
  }

  /// What AdAttributionKit holds of the install.
  fileprivate static let heldByAdAttributionKit = JSONFields<ShownApple>(
    windows.filter { !["timer_start", "version"].contains($0.name) } + onlyEngagements.rows)

  private static let onlyEngagements = JSONFields<ShownApple> {
    JSONField(
      optional: "replaced_at", "when a re-engagement ended the conversion of the install", of: Instant.self
    ) { $0.engagements?.installReplaced?.write(to: &$1) }
    JSONField(
      optional: "reengagements", "the conversions of ads that opened the app, oldest first",
      list: ReEngagement.fields
    ) { $0.engagements?.all }
  }

  private static let times = JSONFields<ShownApple> {
    JSONField(
      optional: "installed", "when the app was installed, if that is known and before the first launch",
      of: Instant.self
    ) { $0.framework.installed?.write(to: &$1) }
    JSONField(optional: "first_launch", "when the app was first launched", of: Instant.self) {
      $0.framework.firstLaunch?.write(to: &$1)
    }
  }.rows

  /// What the framework of the ad holds.
  private static let windows = JSONFields<ShownApple> {
    JSONField(optional: "first_update", "when the first call registered the install", of: Instant.self) {
      $0.framework.firstUpdate?.write(to: &$1)
    }
    JSONField(optional: "latest_call", "when the latest call came", of: Instant.self) {
      $0.framework.latestCall?.write(to: &$1)
    }
    JSONField(optional: "timer_start", "for versions up to 3: when the timer was last started", of: Instant.self) {
      $0.framework.timerStart?.write(to: &$1)
    }
    JSONField(
      optional: "version",
      "the version whose rules Apple applies to the ad; absent before the first call and without an ad",
      of: AdVersion.self
    ) { if let version = $0.framework.version { $1.append(version.rawValue) } }
    JSONField(
      optional: "p0", "what Apple holds for the first window; absent until a call counts",
      object: HeldValues.firstFields
    ) { $0.framework.held[.p0].write(to: &$1, HeldValues.firstFields) }
    JSONField(optional: "p1", "what Apple holds for the second window", object: HeldValues.fields) {
      $0.framework.held[.p1].write(to: &$1, HeldValues.fields)
    }
    JSONField(optional: "p2", "what Apple holds for the third window", object: HeldValues.fields) {
      $0.framework.held[.p2].write(to: &$1, HeldValues.fields)
    }
  }.rows
}

extension AppleFramework {
  /// What AdAttributionKit holds of a re-engagement.
  fileprivate static let windows = JSONFields<AppleFramework> {
    JSONField(optional: "first_update", "the first call that counted for it") { $0.firstUpdate }
    JSONField(optional: "latest_call", "when the latest call came") { $0.latestCall }
    JSONField(optional: "p0", "what Apple holds for the first window", object: HeldValues.firstFields) {
      $0.held[.p0].write(to: &$1, HeldValues.firstFields)
    }
    JSONField(optional: "p1", "what Apple holds for the second window", object: HeldValues.fields) {
      $0.held[.p1].write(to: &$1, HeldValues.fields)
    }
    JSONField(optional: "p2", "what Apple holds for the third window", object: HeldValues.fields) {
      $0.held[.p2].write(to: &$1, HeldValues.fields)
    }
  }.rows

  package static let keys = JSONKeys(ShownApple.memory.names)

  /// Reads the state that ``ShownApple/memory`` wrote; problems are added to the reader.
  ///
  /// - Parameter engagements: receives the re-engagements, if there are any.
  package init(from reader: inout JSONObjectReader, _ engagements: inout ReEngagements?) {
    installed = reader.instant("installed")
    firstLaunch = reader.instant("first_launch")
    if let node = reader.node("aak") {
      var kit = JSONObjectReader(
        node, what: "what AdAttributionKit holds", known: JSONKeys(ShownApple.heldByAdAttributionKit.names))
      engagements = ReEngagements(from: &kit)
      let keys: [JSONKey] = ["first_update", "latest_call", "p0", "p1", "p2"]
      // Before a call counts, there may be the latest call alone.
      let isOfSKAdNetwork = (keys + ["timer_start", "version"]).contains { reader.has($0) }
      if isOfSKAdNetwork {
        for key in keys where kit.has(key) {
          kit.complain("an install belongs to SKAdNetwork or to AdAttributionKit, not to both", about: key)
        }
      } else {
        readWindows(from: &kit)
        if firstUpdate != nil { version = .v4 }
      }
      reader.add(kit.problems)
      if !isOfSKAdNetwork { return }
    }
    readWindows(from: &reader)
    timerStart = reader.instant("timer_start")
    version = reader.choice("version")
    if firstUpdate == nil, reader.problems.isEmpty, version != nil || timerStart != nil {
      reader.complainOfFirstUpdate()
    }
    if firstUpdate != nil { _ = reader.require("version", version) }
    if let version, version.hasWindows != (timerStart == nil) {
      let message = version.hasWindows ? "belongs to versions up to 3" : "is missing"
      reader.complain("\"timer_start\" \(message)", about: "timer_start")
    }
  }

  /// Reads what both frameworks hold.
  fileprivate mutating func readWindows(from reader: inout JSONObjectReader) {
    firstUpdate = reader.instant("first_update")
    latestCall = reader.instant("latest_call")
    held[.p0] = reader.heldValues("p0", hasFine: true)
    held[.p1] = reader.heldValues("p1", hasFine: false)
    held[.p2] = reader.heldValues("p2", hasFine: false)
    if firstUpdate == nil, held != PerWindow(repeating: HeldValues()) { reader.complainOfFirstUpdate() }
  }
}

extension ReEngagement: JSONObjectWritable {
  package static let fields = JSONFields<ReEngagement>(
    JSONFields<ReEngagement> {
      JSONField("opened_at", "when the ad opened the app") { $0.opened }
      JSONField(optional: "tag", "its conversion tag") { $0.tag }
      JSONField(optional: "replaced_at", "when a later one ended it") { $0.replaced }
      JSONField("ad", "the ad, as in a step", of: JSON.self) { AdAttribution.ofReEngagement.write($0.ad, to: &$1) }
      JSONField(optional: "development", "if a tester made it: what was chosen") { $0.development }
    }.rows + AppleFramework.windows.map { $0.of { $0.framework } })

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a re-engagement", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let opened = reader.require("opened_at", reader.instant("opened_at"))
    let tag = reader.string("tag")
    var ad = AdAttribution()
    if let node = reader.node("ad") {
      var adReader = JSONObjectReader(
        node, what: "the ad of a re-engagement", known: JSONKeys(AdAttribution.reEngagementKeys))
      ad = AdAttribution(reEngagementFrom: &adReader)
      reader.add(adReader.problems)
    } else {
      reader.complain("a re-engagement needs the key \"ad\"")
    }
    let development = DevelopmentConversion.read("development", as: nil, from: &reader)
    if let development { ad.fidelity = development.interaction == .click ? 1 : 0 }
    guard let opened else { return nil }
    self.init(ad, at: opened, tag: tag, development)
    framework.readWindows(from: &reader)
    if framework.isRegistered { framework.version = .v4 }
    replaced = reader.instant("replaced_at")
  }
}

extension ReEngagements {
  /// Nil if there are none.
  fileprivate init?(from reader: inout JSONObjectReader) {
    let replaced = reader.instant("replaced_at")
    let all = reader.items("reengagements") { ReEngagement($0, in: &$1) }
    if all.isEmpty {
      if replaced != nil { reader.complain("\"replaced_at\" goes with \"reengagements\"", about: "replaced_at") }
      return nil
    }
    self.init(all, installReplaced: replaced)
  }
}

extension HeldValues {
  /// The fields of the values held for the first window. Functions write them, as each step with --json has them, and a
  /// key path costs a thousand instructions.
  package static let firstFields = JSONFields<HeldValues> {
    JSONField(
      optional: "updated", "true if a call counted in the window", as: Bool.jsonForm,
      reading: { $0.isUpdated = $1.bool("updated") ?? false }, writing: { if $0.isUpdated { $1.append(true) } })
    fine
    JSONField(
      optional: "coarse", "the coarse value", as: HeldCoarse.jsonForm, reading: { $0.coarse = $1.choice("coarse") },
      writing: { if let coarse = $0.coarse { $1.append(coarse.rawValue) } })
    JSONField(
      optional: "locked_at", "when a call locked the window", as: Instant.jsonForm,
      reading: { $0.lockedAt = $1.instant("locked_at") }, writing: { $0.lockedAt?.write(to: &$1) })
    JSONField(
      optional: "fine_only", "true if no call could pass a coarse value and a lock", as: Bool.jsonForm,
      reading: { $0.isFineOnly = $1.bool("fine_only") ?? false }, writing: { if $0.isFineOnly { $1.append(true) } })
  }

  /// The fields of the values held for a later window, which has no fine value.
  package static let fields = JSONFields(firstFields.rows.filter { $0.name != fine.name })

  private static let fine = JSONField<HeldValues>(
    optional: "fine", "the last fine value", as: .integer(0...63),
    reading: { $0.fine = $1.integer("fine", in: 0...63).map { UInt8($0) } },
    writing: { if let fine = $0.fine { $1.append(Int64(fine)) } })

  /// Writes the values, or nothing if no call counted.
  fileprivate func write(to writer: inout JSONWriter, _ fields: JSONFields<HeldValues>) {
    if self != HeldValues() { fields.write(self, to: &writer) }
  }
}

extension JSONObjectReader {
  fileprivate mutating func complainOfFirstUpdate() { complain("values without the key \"first_update\"") }

  fileprivate mutating func heldValues(_ key: JSONKey, hasFine: Bool) -> HeldValues {
    var values = HeldValues()
    guard let node = node(key) else { return values }
    let fields = hasFine ? HeldValues.firstFields : HeldValues.fields
    var reader = JSONObjectReader(node, what: "a window of Apple's", known: fields.known)
    fields.read(into: &values, from: &reader)
    add(reader.problems)
    return values
  }
}

extension AdVersion: JSONWritable {}

extension HeldCoarse: JSONWritable {}
