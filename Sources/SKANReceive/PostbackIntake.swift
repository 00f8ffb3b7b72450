import SKANDevice
import SKANSigning

/// Receives postbacks: checks their signatures, compares them with earlier ones, and makes their records.
package struct PostbackIntake: Sendable {
  /// The longest body in bytes; Apple's are shorter than 1,000. Escaped in its line it does not exceed the longest line
  /// of a reader.
  package static let longestBody = 64 << 10

  private let testKey: PostbackChecker?
  private let apples: PostbackChecker
  /// The models and campaigns whose information is added to the records.
  package var context: PostbackContext
  /// The postbacks received so far.
  package private(set) var memory: PostbackMemory
  /// The number of lines of the file, including those that are to be added.
  package private(set) var lines: Int
  /// The number of lines that are written permanently.
  private var settledLines: Int

  /// - Parameters:
  ///   - keys: the keys of AdAttributionKit's postbacks.
  ///   - testKey: the key of simulated postbacks, in addition to Apple's.
  ///   - context: the models and campaigns.
  ///   - memory: the postbacks received before.
  ///   - lines: the number of lines that contain them.
  package init(
    testKey: PublicKey?, keys: AdAttributionKitKeys = AdAttributionKitKeys(), tool: SignatureTool,
    context: PostbackContext = PostbackContext(),
    memory: PostbackMemory = PostbackMemory(), lines: Int = 0
  ) {
    self.testKey = testKey.map { PostbackChecker(key: $0, tool: tool) }
    apples = PostbackChecker(keys: keys, tool: tool)
    self.context = context
    self.memory = memory
    self.memory.settle()
    self.lines = lines
    settledLines = lines
  }

  /// The verdict by the tester's key if that verifies the postback, otherwise by Apple's.
  ///
  /// - Throws: when no signature can be checked.
  package func verdict(on document: PostbackDocument) throws(SigningError) -> PostbackVerdict {
    // A JWS names its key.
    if document.adAttributionKit == nil, let verdict = try testKey?.verdict(on: document), verdict.outcome == .valid {
      return verdict
    }
    return try apples.verdict(on: document)
  }

  /// Makes the record of a postback. To keep it, call ``add(_:_:)`` before the next one.
  ///
  /// - Parameters:
  ///   - verdict: the result of ``verdict(on:)``.
  ///   - address: the sender; nil for a postback from a file.
  package func record(
    _ document: PostbackDocument, _ verdict: PostbackVerdict, at time: Instant, from address: String?
  ) -> ReceivedRecord {
    record(
      document, ReceivedSignature(verdict),
      verdict.findings.map { ReceivedRecord.Finding(code: $0.code.rawValue, message: $0.note.message) }, time, address)
  }

  /// Makes the record of a postback whose signature could not be checked.
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
    if let postback = document.adAttributionKit {
      (record.framework, record.conversionType) = (.adAttributionKit, postback.text(of: .conversionType))
    }
    context.add(to: &record, of: document)
    return record
  }

  /// Adds a record. Call ``settle()`` or ``rollBack()`` afterwards, for one or several records.
  package mutating func add(_ document: PostbackDocument, _ record: ReceivedRecord) {
    lines += 1
    memory.add(document, record.signature, line: lines)
  }

  /// Confirms that the added records are kept.
  package mutating func settle() {
    settledLines = lines
    memory.settle()
  }

  /// Removes the records added since the last ``settle()``.
  package mutating func rollBack() {
    lines = settledLines
    memory.forgetLatest(after: lines)
  }
}

/// Information that enriches received postbacks: the conversion models of apps, and the campaigns of networks.
package struct PostbackContext: Sendable {
  package var models: DecodingModels
  /// Nil when there is no map.
  package var campaigns: CampaignMap?

  package init(models: DecodingModels = DecodingModels(), campaigns: CampaignMap? = nil) {
    self.models = models
    self.campaigns = campaigns
  }

  /// Adds the decoded value and the campaign of a postback to its record.
  func add(to record: inout ReceivedRecord, of document: PostbackDocument) {
    let isDevelopment = record.signature.key == .development
    record.decoded = models.decode(document, receivedAt: record.receivedAt, isDevelopment: isDevelopment)
    switch campaigns?.campaign(of: document, receivedAt: record.receivedAt, isDevelopment: isDevelopment) {
    case .match(var campaign):
      if let contradiction = campaign.contradiction {
        record.findings.append(
          ReceivedRecord.Finding(code: PostbackFinding.Code.countryContradicted.rawValue, message: contradiction))
      }
      campaign.contradiction = nil
      record.campaign = campaign
    case .finding(let code, let message):
      record.findings.append(ReceivedRecord.Finding(code: code.rawValue, message: message))
    case nil: break
    }
  }
}
