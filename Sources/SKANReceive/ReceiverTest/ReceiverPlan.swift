import SKANBase
import SKANDevice
import SKANModel
import SKANSigning

/// The deliveries of a test of a receiver, in order; see the article "Testing a receiver".
package struct ReceiverPlan {
  package private(set) var deliveries: [ReceiverDelivery] = []
  /// The App Store id of the app in the postbacks.
  let app: String
  /// Two fine values that the model maps, and one that it does not.
  let values: (first: Int64, second: Int64, unmapped: Int64)
  /// Whether the receiver's address is Apple's path without the final slash, so that the other form has the slash.
  let lacksSlash: Bool
  /// The name of the tester's key in postbacks of AdAttributionKit.
  var keyID = AdAttributionKitKeys.simulatedKeyID
  private var random: SplitMix64
  /// Signs a text; returns nil without a key.
  let sign: (String) throws(SigningError) -> String?

  /// Makes all deliveries.
  ///
  /// - Parameters:
  ///   - seed: the seed for the transaction ids, which the receiver must not know yet.
  ///   - model: the model by which the receiver decodes.
  ///   - lacksSlash: whether the receiver's address is Apple's path without the final slash.
  ///   - sign: signs a text with the tester's key; returns nil without one.
  package init(
    app: AppStoreID, seed: UInt64, model: ConversionModel?, lacksSlash: Bool = false,
    sign: @escaping (String) throws(SigningError) -> String?
  ) throws(SigningError) {
    self.app = app.text
    self.lacksSlash = lacksSlash
    random = SplitMix64(seed: seed)
    self.sign = sign
    let mapped = model?.fine.map(\.value).filter { $0 > 0 }.sorted() ?? []
    let unmapped = (1...62).reversed().first { !mapped.contains($0) } ?? 62
    values = (mapped.first ?? 12, mapped.last ?? 33, unmapped)
    try addKinds()
    try addWindows()
    try addCopies()
    try addForwarded()
    try addBodies()
    try addRequests()
  }

  // MARK: Making postbacks

  /// A transaction id that no other delivery has.
  mutating func transaction() -> String {
    var bytes: [UInt8] = []
    for _ in 0..<2 { unsafe withUnsafeBytes(of: random.next().bigEndian) { unsafe bytes += Array($0) } }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let ends = [8, 12, 16, 20, 32]
    return zip([0] + ends, ends).map { String(Array(digits)[$0..<$1]) }.joined(separator: "-")
  }

  /// A complete postback with a new transaction id.
  ///
  /// - Parameter campaign: the campaign identifier; nil for a default in the version's form.
  mutating func postback(_ version: AdVersion = .v4, campaign: String? = nil, index: Int64 = 0) -> TestPostback {
    TestPostback(
      version, app: app, transaction: transaction(), campaign: campaign ?? (version.hasWindows ? "5239" : "42"),
      index: index, value: values.first)
  }

  /// A complete, signed postback with a new transaction id.
  mutating func signedPostback(_ version: AdVersion = .v4) throws(SigningError) -> TestPostback {
    try signed(postback(version))
  }

  /// Returns the postback with a signature.
  func signed(_ postback: TestPostback) throws(SigningError) -> TestPostback {
    var copy = postback
    if let text = postback.signedText { copy[.signature] = try sign(text).map(JSON.string) }
    return copy
  }

  /// The verdict of a receiver that trusts the tester's key.
  static func verdict(_ postback: TestPostback) -> ReceivedSignature {
    postback[.signature] == nil
      ? ReceivedSignature(.notChecked, why: "it has no signature") : ReceivedSignature(.valid, key: .simulated)
  }

  // MARK: Adding deliveries

  mutating func add(_ delivery: ReceiverDelivery) { deliveries.append(delivery) }

  /// Removes the deliveries of the other framework.
  package mutating func keepOnly(_ framework: PostbackProtocol) { deliveries.removeAll { $0.framework != framework } }

  /// Sets the framework of the deliveries from an index on.
  mutating func setFramework(_ framework: PostbackProtocol, from index: Int) {
    for index in index..<deliveries.count { deliveries[index].framework = framework }
  }

  /// Adds a POST of a postback that a phone may send.
  ///
  /// - Parameter traits: properties shared with other deliveries, besides those of the postback's fields.
  mutating func add(
    _ id: String, _ request: String, _ postback: TestPostback, signature: ReceivedSignature? = nil,
    right: ReceiverDelivery.RightAnswer = .ok, level: ReceiverDelivery.Level = .must,
    traits: Set<ReceiverTrait> = [], open: ReceiverDelivery.OpenPoint? = nil,
    copy: (duplicate: ReceiverDelivery.Kept, conflict: ReceiverDelivery.Kept)? = nil,
    why: String = ReceiverPlan.sentAgain
  ) {
    add(
      id, request, body: postback.body(), signature ?? Self.verdict(postback), right: right, level: level,
      traits: right == .ok ? traits.union(postback.traits).union([.postback]) : traits, open: open, copy: copy,
      why: why)
  }

  /// Adds a request with a body. Nothing is kept of it if `signature` is nil.
  mutating func add(
    _ id: String, _ request: String, body: [UInt8], _ signature: ReceivedSignature?, method: String = "POST",
    hasOtherEnd: Bool = false, contentType: String = "application/json",
    right: ReceiverDelivery.RightAnswer = .ok, level: ReceiverDelivery.Level = .must,
    traits: Set<ReceiverTrait> = [], open: ReceiverDelivery.OpenPoint? = nil,
    copy: (duplicate: ReceiverDelivery.Kept, conflict: ReceiverDelivery.Kept)? = nil,
    why: String = ReceiverPlan.sentAgain
  ) {
    add(
      ReceiverDelivery(
        id: id, request: request,
        sending: .whole(method: method, hasOtherEnd: hasOtherEnd, contentType: contentType, body: body),
        right: right, why: why, level: level, open: open, traits: traits,
        kept: signature.map { [ReceiverDelivery.Kept(body: body, signature: $0)] } ?? [], copy: copy))
  }

  static let sentAgain = "a phone sends it again for nine days until it is answered with 200, and then it is lost"
}

extension ReceiverPlan {
  /// The report that the receiver must show, in the form of `skan report --json`; the times are null.
  ///
  /// It contains all postbacks sent, except those that the receiver has refused as Apple's documentation allows.
  ///
  /// - Parameters:
  ///   - findings: the findings on the deliveries that were made.
  ///   - models: the models by which the receiver decodes.
  package func expectedReport(
    _ findings: [ReceiverFinding], by models: DecodingModels, at time: Instant
  ) -> JSON {
    let kept = findings.filter { $0.isEvaluated && !($0.failed && !$0.breaksMust) }
    return report(of: kept, Self.documents(of: kept), by: models, at: time)
  }

  /// The range of each number in that report, for each way to count open deliveries.
  package func expectedCounts(
    _ findings: [ReceiverFinding], by models: DecodingModels, at time: Instant
  ) -> ReceiverCounts {
    // Postbacks that were not acknowledged, or may be refused, may or may not be kept.
    let sure = findings.filter { $0.isEvaluated && !$0.failed && $0.delivery.right == .ok }
    let sent = findings.filter(\.wasSent)
    let kept = sent.flatMap(\.delivery.kept)
    var counts = ReceiverCounts(
      forgeries: kept.count { $0.signature.verdict == .invalid },
      unverified: kept.count { $0.signature.verdict != .valid }
        + sent.count {
          $0.delivery.open == .earlierKey || $0.delivery.right == .okOrRefused && $0.delivery.kept.isEmpty
        })
    let documents = Self.documents(of: sent)
    for checksEarlierKey in [false, true] {
      for copies in [nil, .duplicate, .conflict] as [Repetition?] {
        let counting = ReceiverDelivery.Counting(checksEarlierKey: checksEarlierKey, copies: copies)
        let reports = [sure, sent].map { report(of: $0, documents, counting, by: models, at: time) }
        counts.add(least: ReportNumbers(reports[0]), most: ReportNumbers(reports[1]))
      }
    }
    return counts
  }

  /// The postbacks of these deliveries, each body read once.
  private static func documents(of findings: [ReceiverFinding]) -> [[UInt8]: PostbackDocument] {
    findings.reduce(into: [:]) { documents, finding in
      let copies = finding.delivery.copy.map { [$0.duplicate, $0.conflict] } ?? []
      for kept in finding.delivery.kept + copies { documents[kept.body] = try? PostbackDocument(kept.body) }
    }
  }

  /// The report of these deliveries alone.
  private func report(
    of findings: [ReceiverFinding], _ documents: [[UInt8]: PostbackDocument],
    _ counting: ReceiverDelivery.Counting = ReceiverDelivery.Counting(), by models: DecodingModels, at time: Instant
  ) -> JSON {
    var memory = PostbackMemory()
    var report = PostbackReport()
    var line = 0
    for kept in findings.flatMap({ $0.delivery.kept(counting) }) {
      guard let document = documents[kept.body] else { continue }
      line += 1
      var record = ReceivedRecord(
        receivedAt: time, sourceAddress: nil, signature: kept.signature,
        repetition: memory.repetition(of: document, kept.signature).0, findings: [],
        body: String(decoding: document.body, as: UTF8.self))
      record.decoded = models.decode(document, receivedAt: time, isDevelopment: false)
      memory.add(document, kept.signature, line: line)
      report.add(record, document)
    }
    let shown = ShownPostbackReport(report, by: .postbackDate, grouping: report.defaultDimensions)
    guard case .object(let members) = shown.json else { return .null }
    return .object(members.map { ["from", "to"].contains($0.key) ? ($0.key, .null) : $0 })
  }
}
