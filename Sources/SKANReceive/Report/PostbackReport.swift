import SKANBase
import SKANDevice
import SKANSigning

/// The counts of received postbacks, independent of the order of lines and files.
///
/// Only the first verified copy of a postback counts. Copies are determined again over all added lines; see
/// ``CopyTally``. Each postback takes about 200 bytes (a hash of its identity, the time of its first copy, and the
/// number of copies), and equal contents are stored once. Bodies are not kept.
package struct PostbackReport: Sendable {
  /// The identity of a postback and the key that verified it. The identity is hashed twice, to 128 bits.
  private struct CopyKey: Hashable {
    let key: ReceivedSignature.Key
    let one: Int
    let two: Int
  }

  /// Unverified postbacks by content and time of receipt.
  struct UnverifiedKey: Hashable {
    let postback: Int32
    /// Hours since 1970.
    let hour: Int64
  }

  struct UnverifiedCount {
    var invalid = 0
    var notChecked = 0
  }

  /// The distinct contents.
  private(set) var postbacks: [ReportedPostback] = []
  private var indices: [ReportedPostback: Int32] = [:]
  private var copies: [CopyKey: CopyTally] = [:]
  private(set) var unverified: [UnverifiedKey: UnverifiedCount] = [:]
  /// The number of lines added.
  package private(set) var received = 0
  /// Whether postbacks of AdAttributionKit's development keys count, in the table of development postbacks.
  private let allowsDevelopment: Bool
  /// The number of those that do not count.
  package private(set) var uncountedDevelopment = 0
  /// The first and the last time of receipt; nil without lines.
  package private(set) var span: ClosedRange<Instant>?

  package init(allowsDevelopment: Bool = false) { self.allowsDevelopment = allowsDevelopment }

  /// The dimensions by which postbacks are grouped if none are chosen. Frameworks and conversion types are separate where
  /// there are postbacks of AdAttributionKit.
  package var defaultDimensions: [ReportDimension] {
    (postbacks.contains { $0.framework == .adAttributionKit } ? [.framework, .conversionType] : [])
      + [.network, .campaign, .app]
  }

  /// Whether a postback states its country, which then is not signed.
  package var hasStatedCountries: Bool { postbacks.contains(where: \.statesCountry) }

  /// Adds a line of a file of received postbacks.
  ///
  /// - Parameter document: the record's body.
  package mutating func add(_ record: ReceivedRecord, _ document: PostbackDocument) {
    received += 1
    let time = record.receivedAt
    span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    guard record.signature.verdict == .valid, let key = record.signature.key else {
      addUnverified(ReportedPostback(document, record), record)
      return
    }
    if key == .development, !allowsDevelopment, document.adAttributionKit != nil {
      uncountedDevelopment += 1
      return
    }
    let identity = PostbackIdentity(document)
    let copy = CopyTally.Copy(
      isMarkedFirst: record.repetition == .first, receivedAt: time.microseconds, bodyHash: fnv1a(record.body),
      digest: identity.digest, postback: index(of: ReportedPostback(document, record)))
    let copyKey = CopyKey(key: key, one: identity.key.hashValue, two: identity.key.secondHash)
    // Comparing the contents' texts makes the result independent of the order of adding.
    let added: Void? = copies[copyKey]?.add(copy) { [postbacks] one, other in
      String(describing: postbacks[Int(one.postback)]) < String(describing: postbacks[Int(other.postback)])
    }
    if added == nil { copies[copyKey] = CopyTally(copy) }
  }

  private mutating func addUnverified(_ postback: ReportedPostback, _ record: ReceivedRecord) {
    var postback = postback
    // Only the origin of an unverified postback is counted.
    (postback.fine, postback.coarse, postback.hasOddValue, postback.meaning) = (nil, nil, false, nil)
    postback.contradictions = []
    let key = UnverifiedKey(postback: index(of: postback), hour: record.receivedAt.count(of: .hours(1)))
    if record.signature.verdict == .invalid {
      unverified[key, default: UnverifiedCount()].invalid += 1
    } else {
      unverified[key, default: UnverifiedCount()].notChecked += 1
    }
  }

  private mutating func index(of postback: ReportedPostback) -> Int32 {
    if let index = indices[postback] { return index }
    let index = Int32(postbacks.count)
    postbacks.append(postback)
    indices[postback] = index
    return index
  }

  /// Iterates over the postbacks that count, in no particular order.
  func forEach(_ body: (ReceivedSignature.Key, CopyTally) -> Void) {
    for (key, tally) in copies { body(key.key, tally) }
  }
}

extension PostbackIdentity.Key {
  /// A hash that is independent of `hashValue`.
  fileprivate var secondHash: Int {
    var hasher = Hasher()
    hasher.combine(1)
    hasher.combine(self)
    return hasher.finalize()
  }
}

/// The copies of one postback that one key verified. The first one counts.
///
/// The first copy does not depend on the order of adding: it is the one that its receiver marked as first (which knows
/// the order of copies with equal times), then the earliest, then the one whose body has the smaller hash.
struct CopyTally: Sendable {
  /// One of the copies.
  struct Copy: Sendable {
    let isMarkedFirst: Bool
    /// Unix microseconds.
    let receivedAt: Int64
    /// FNV-1a of the body, which is equal in every run of the program.
    let bodyHash: UInt64
    /// A digest of the content; see ``PostbackIdentity/digest``.
    let digest: Int
    /// The index in the report's table of contents.
    let postback: Int32
  }

  private(set) var first: Copy
  /// The number of copies with the content of the first, including it.
  private var same = 1
  /// The numbers of copies with other contents, by digest; nil for none, as is usual.
  private var others: [Int: Int]?

  init(_ copy: Copy) { first = copy }

  var duplicates: Int { same - 1 }

  var conflicts: Int { others?.values.reduce(0, +) ?? 0 }

  /// - Parameter precedes: decides between two copies with equal times and bodies.
  mutating func add(_ copy: Copy, precedes: (Copy, Copy) -> Bool) {
    if copy.digest == first.digest { same += 1 } else { others = (others ?? [:]).adding(1, to: copy.digest) }
    guard copy.rank < first.rank || copy.rank == first.rank && precedes(copy, first) else { return }
    if copy.digest != first.digest {
      let counted = others?.removeValue(forKey: copy.digest) ?? 0
      others = (others ?? [:]).adding(same, to: first.digest)
      same = counted
    }
    first = copy
  }
}

extension CopyTally.Copy {
  fileprivate var rank: (Int, Int64, UInt64) { (isMarkedFirst ? 0 : 1, receivedAt, bodyHash) }
}

extension [Int: Int] {
  fileprivate func adding(_ count: Int, to key: Int) -> Self {
    var sum = self
    sum[key, default: 0] += count
    return sum
  }
}

/// The content of a postback that a report counts, except for its time.
struct ReportedPostback: Hashable, Sendable {
  var framework = PostbackProtocol.skAdNetwork
  var network = ""
  /// The campaign id of versions up to 3, or the source identifier of version 4.
  var campaign = ""
  var app = ""
  var version = ""
  /// Nil for an invalid index.
  var window: ConversionWindow? = ConversionWindow.p0
  var isRedownload = false
  /// True for all versions before 3.0, which only have winners.
  var hasWon = true
  var fine: Int?
  var coarse: CoarseValue?
  /// Whether it has a value in another form than Apple's.
  var hasOddValue = false
  /// Nil where no model was given for its app.
  var meaning: ReportedMeaning?
  /// The id and name of the campaign from the campaign map.
  var mappedID = ""
  var mappedName = ""
  /// The country that the postback states, or else that of the map's rows; empty where neither has one.
  var country = ""
  /// Whether the postback itself states the country, which no signature covers.
  var statesCountry = false
  /// What Apple's pages rule out, and a country that the campaign map contradicts, in the order of the codes.
  var contradictions: [PostbackFinding.Code] = []

  /// Of AdAttributionKit alone, as the postback states it; empty for none.
  var conversionType = ""

  var hasValue: Bool { fine != nil || coarse != nil || hasOddValue }

  /// Whether it is a winning postback of the first window: an install, a redownload or a re-engagement.
  var isConversion: Bool { window == .p0 && hasWon }

  var isReEngagement: Bool { conversionType == AdAttribution.ConversionType.reEngagement.rawValue }

  /// The range of time from the start of the conversion windows until it is sent; nil where the version does not
  /// determine it.
  ///
  /// - Parameter clock: the clock of the phone that sent it.
  func age(by clock: DeviceProfile.ClockPreset) -> PostbackAge? {
    let known = framework == .adAttributionKit ? .v4 : PostbackVersion(rawValue: version)?.timing
    guard let version = known, let window else { return nil }
    return PostbackAge(version, window, clock: clock)
  }
}

extension ReportedPostback {
  init(_ document: PostbackDocument, _ record: ReceivedRecord) {
    meaning = record.decoded.map(ReportedMeaning.init)
    mappedID = record.campaign?.id ?? ""
    mappedName = record.campaign?.name ?? ""
    country = record.campaign?.country ?? ""
    let codes = Set(record.findings.map(\.code))
    contradictions = PostbackFinding.Code.allCases.filter {
      codes.contains($0.rawValue) && ($0.isContradiction || $0 == .countryContradicted)
    }
    guard let facts = PostbackFacts(document) else { return }
    if let stated = facts.country { (country, statesCountry) = (stated, true) }
    framework = facts.framework
    version = facts.version
    network = facts.network ?? ""
    campaign = facts.campaign ?? ""
    app = facts.app ?? ""
    window = facts.window
    isRedownload = facts.isRedownload
    hasWon = facts.hasWon
    conversionType = facts.conversionType ?? ""
    let (fineText, coarseText) = (facts.fineValue, facts.coarseValue)
    fine = fineText.flatMap { Int($0) }.flatMap { (0...63).contains($0) ? $0 : nil }
    coarse = coarseText.flatMap(CoarseValue.init)
    hasOddValue = fineText != nil && fine == nil || coarseText != nil && coarse == nil
  }
}

/// The meaning that the conversion model gave to a postback when it was received.
struct ReportedMeaning: Hashable, Sendable {
  /// Whether the model does not map the value.
  let isUndecoded: Bool
  /// Nil where the mapping does not specify revenue.
  let revenue: Revenue?
  let events: [Event]

  /// A range of revenue, half-open.
  struct Revenue: Hashable, Sendable {
    let currency: String
    let min: MicroAmount
    /// Nil for a range without an upper end.
    let below: MicroAmount?
  }

  /// An event in the meaning of the value.
  struct Event: Hashable, Sendable {
    let name: String
    let least: Int64
    /// Nil where the mapping sets no maximum.
    let most: Int64?
  }

  init(_ decoded: DecodedValue) {
    let meaning = decoded.meaning
    isUndecoded = meaning == nil
    revenue = meaning?.revenue.map {
      Revenue(currency: $0.currency, min: MicroAmount($0.min), below: $0.below.map(MicroAmount.init))
    }
    // Revenue alone has no count, and so is not an event.
    events = (meaning?.events ?? []).compactMap { event in
      event.countMin.map { Event(name: event.name, least: $0, most: event.countMax) }
    }
  }
}

/// The report as CSV, with a line for each group, conversion value and currency, so that no postback is in two lines.
/// Columns that exist in Singular's raw SKAN report have its names (article 360056377792 and clients of that API). Its
/// P2 and P3 are the postbacks of Apple's windows 1 and 2.
extension PostbackReport {
  /// The dimensions that follow the chosen ones.
  private static let values: [ReportDimension] = [.fineValue, .coarseValue, .currency]
  /// The dimensions at the end of a line, with the count of re-engagements.
  private static let ofAdAttributionKit: [ReportDimension] = [.framework, .conversionType]

  private static let columns: [(name: String, value: @Sendable (ReportCounts) -> Int)] = [
    ("skan_installs", { $0.installs }), ("skan_conversion_values_count", \.installsWithValue),
    ("skan_p1_postbacks", { $0.windows[0] }), ("skan_p2_postbacks", { $0.windows[1] }),
    ("skan_p3_postbacks", { $0.windows[2] }), ("redownloads", \.redownloads), ("postbacks", \.postbacks),
    ("not_won", \.notWon), ("without_value", \.withoutValue), ("odd_values", \.oddValues), ("decoded", \.decoded),
    ("undecoded", \.undecoded), ("without_model", \.withoutModel), ("duplicates", \.duplicates),
    ("conflicts", \.conflicts), ("invalid", \.invalid), ("not_checked", \.notChecked),
  ]

  /// The report as CSV according to RFC 4180, but with line feeds.
  package func csv(by date: ReportDate, grouping chosen: [ReportDimension]) -> String {
    let countries: [(name: String, value: @Sendable (ReportCounts) -> Int)] =
      chosen.contains(.country)
      ? [("country_code_postbacks", \.statedCountries), ("country_contradicted", \.contradictedCountries)] : []
    let last = Self.ofAdAttributionKit
    let first = chosen.filter { !(Self.values + last).contains($0) } + Self.values
    let head =
      ["signed_by", "skan_validated"] + first.map { $0.columnName(by: date) } + Self.columns.map(\.name)
      + ["revenue_min", "revenue_below", "revenue_open_ended", "events"] + last.map { $0.columnName(by: date) }
      + ["re_engagements"] + countries.map(\.name)
    let rows = tables(by: date, grouping: first + last).flatMap { table in
      let isVerified = table.kind != .unverified
      return table.rows.map { row in
        [isVerified ? table.kind.rawValue : "", "\(isVerified)"] + row.group.prefix(first.count)
          + Self.columns.map { "\($0.value(row.counts))" } + Self.meaning(of: row.counts)
          + row.group.suffix(last.count) + ["\(row.counts.reEngagements)"]
          + countries.map { "\($0.value(row.counts))" }
      }
    }
    return ([head] + rows).map(\.csvLine).joined()
  }

  /// The columns for the meaning of a row's values; its postbacks have at most one currency.
  private static func meaning(of counts: ReportCounts) -> [String] {
    let revenue = counts.sortedRevenue.first?.sum
    return [
      revenue.map { "\($0.min)" } ?? "", revenue.map { $0.openEnded == $0.postbacks ? "" : "\($0.below)" } ?? "",
      revenue.map { "\($0.openEnded)" } ?? "", counts.events.isEmpty ? "" : counts.eventsText,
    ]
  }
}
