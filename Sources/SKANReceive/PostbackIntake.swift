import SKANDevice
import SKANSigning

/// Takes postbacks in: checks their signatures, compares them with those received before, and makes the record of each.
package struct PostbackIntake: Sendable {
  /// The longest body in bytes; Apple's have less than 1,000. Escaped in its line it stays within what a reader takes.
  package static let longestBody = 64 << 10

  private let testKey: PostbackChecker?
  private let apples: PostbackChecker
  /// The models and campaigns with which postbacks are read; they are added to their records.
  package var context: PostbackContext
  /// What was received so far.
  package private(set) var memory: PostbackMemory
  /// The lines of the file so far, with those that are to be added.
  package private(set) var lines: Int
  /// The lines that are in the file for good.
  private var settledLines: Int

  /// - Parameters:
  ///   - testKey: the key of simulated postbacks, beside Apple's.
  ///   - context: what is known beside the postbacks.
  ///   - memory: what was received before.
  ///   - lines: the lines that it stands on.
  package init(
    testKey: PublicKey?, tool: SignatureTool, context: PostbackContext = PostbackContext(),
    memory: PostbackMemory = PostbackMemory(), lines: Int = 0
  ) {
    self.testKey = testKey.map { PostbackChecker(key: $0, tool: tool) }
    apples = PostbackChecker(tool: tool)
    self.context = context
    self.memory = memory
    self.memory.settle()
    self.lines = lines
    settledLines = lines
  }

  /// The verdict by the tester's key where that fits, else by Apple's.
  ///
  /// - Throws: when no signature can be checked.
  package func verdict(on document: PostbackDocument) throws(SigningError) -> PostbackVerdict {
    if let verdict = try testKey?.verdict(on: document), verdict.outcome == .valid { return verdict }
    return try apples.verdict(on: document)
  }

  /// The record of a postback, which is to be kept; then comes ``add(_:_:)``, before the next.
  ///
  /// - Parameters:
  ///   - verdict: that of ``verdict(on:)``.
  ///   - address: who sent it; nil for one from a file.
  package func record(
    _ document: PostbackDocument, _ verdict: PostbackVerdict, at time: Instant, from address: String?
  ) -> ReceivedRecord {
    record(
      document, ReceivedSignature(verdict),
      verdict.findings.map { ReceivedRecord.Finding(code: $0.code.rawValue, message: $0.note.message) }, time, address)
  }

  /// The same for one whose signature nothing here can check.
  package func record(
    _ document: PostbackDocument, unchecked error: SigningError, at time: Instant, from address: String?
  ) -> ReceivedRecord {
    record(document, ReceivedSignature(.notChecked, why: error.message), [], time, address)
  }

  private func record(
    _ document: PostbackDocument, _ signature: ReceivedSignature, _ findings: [ReceivedRecord.Finding], _ time: Instant,
    _ address: String?
  ) -> ReceivedRecord {
    var record = ReceivedRecord(
      receivedAt: time, sourceAddress: address, signature: signature,
      repetition: memory.repetition(of: document, signature).0, findings: findings,
      body: String(decoding: document.body, as: UTF8.self))
    context.add(to: &record, of: document)
    return record
  }

  /// Counts a record that is to be kept; then comes ``settle()`` or ``rollBack()``, for one or for many.
  package mutating func add(_ document: PostbackDocument, _ record: ReceivedRecord) {
    lines += 1
    memory.add(document, record.signature, line: lines)
  }

  /// What was added is kept.
  package mutating func settle() {
    settledLines = lines
    memory.settle()
  }

  /// What was added since ``settle()`` is not kept.
  package mutating func rollBack() {
    lines = settledLines
    memory.forgetLatest(after: lines)
  }
}

/// The facts known beside a received postback: the models of apps, and the campaigns of networks.
package struct PostbackContext: Sendable {
  package var models: DecodingModels
  /// Nil when there is no map.
  package var campaigns: CampaignMap?

  package init(models: DecodingModels = DecodingModels(), campaigns: CampaignMap? = nil) {
    self.models = models
    self.campaigns = campaigns
  }

  /// Adds to a record what its postback means, and whose it is.
  func add(to record: inout ReceivedRecord, of document: PostbackDocument) {
    let isDevelopment = record.signature.key == .development
    record.decoded = models.decode(document, receivedAt: record.receivedAt, isDevelopment: isDevelopment)
    switch campaigns?.campaign(of: document, receivedAt: record.receivedAt, isDevelopment: isDevelopment) {
    case .match(let campaign): record.campaign = campaign
    case .finding(let code, let message):
      record.findings.append(ReceivedRecord.Finding(code: code.rawValue, message: message))
    case nil: break
    }
  }
}
