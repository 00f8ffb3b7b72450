import SKANBacktest
import SKANBase
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun
import SKANTraffic

/// The kind of a file, recognized by its beginning.
///
/// Every reader states the kinds that it takes, and every writer the kind that it replaces. A file of another kind is
/// refused by a message that names its kind and the command that takes it. A file of no known kind is left to the
/// reader, whose own messages say what is wrong with it.
package enum ContentKind: CaseIterable, Sendable {
  case deviceFile, eventList, model, modelTable, analyticsSchema, rates, mapping, campaigns, pairs, projectFile, answers
  case details, journal, receivedFile, postbacks, counts, har, accessLog, urls, export, table, part, worth, spend
  case privateKey, publicKey, plist, utf16, gzip, zip

  /// The number of bytes of a file that are examined.
  static let headSize = 1 << 16

  /// - Returns: nil for a file of no known kind.
  package init?(_ bytes: [UInt8]) {
    let isWhole = bytes.count <= Self.headSize
    let head = bytes.prefix(Self.headSize)
    let all = head.withoutByteOrderMark
    let text = Self.withoutComments(all)
    if let kind = Self.packed(head) {
      self = kind
      return
    }
    let keys = ContentKeys(text)
    guard let kind = keys.map(Self.object) ?? Self.text(text, all: all, isWhole: isWhole) else { return nil }
    self = kind
  }

  /// The text from the first line that is neither blank nor a comment.
  private static func withoutComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while let end = rest.firstIndex(of: 0x0A), EventListReader.isSkipped(rest[..<end]) { rest = rest[(end + 1)...] }
    return rest
  }

  /// The kind of a file that is no text of UTF-8.
  private static func packed(_ head: ArraySlice<UInt8>) -> ContentKind? {
    let magic: [([UInt8], ContentKind)] = [
      ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16), ([0x1F, 0x8B], .gzip), (Array("PK\u{3}\u{4}".utf8), .zip),
      (Array("bplist00".utf8), .plist),
    ]
    if let kind = magic.first(where: { head.starts(with: $0.0) })?.1 { return kind }
    // UTF-16 without its mark: every other byte of Latin letters is 0.
    let zeros = head.prefix(4).map { $0 == 0 }
    return [[true, false, true, false], [false, true, false, true]].contains(zeros) ? .utf16 : nil
  }

  // MARK: - JSON

  /// The keys of a device file that no mapping of columns has.
  private static let deviceKeys = Set(DeviceFile.fields.names).subtracting(["format"])
    .subtracting(ExportMapping.keyNames)
  private static let detailKeys = Set(StoreEntry.all.map(\.name))
  private static let modelKeys: Set<String> = [
    "schema", "postback_mappings", "postbackMappings", "fine_grained_conversion_value_mappings",
    "fineGrainedConversionValueMappings", ModelEnvelope.row, "customerSkAdNetworkConversionValueSchema",
  ]
  private static let projectKeys = Set(ProjectReader.keys)
  private static let answerKeys = Set(AnswerForm.keys.names)
  private static let countKeys = Set(ReportTable.Kind.allCases.map(\.rawValue))

  /// The kind of a file whose first object has these keys.
  private static func object(_ keys: ContentKeys) -> ContentKind? {
    let names = Set(keys.names)
    func has(_ all: String...) -> Bool { names.isSuperset(of: all) }
    if has("op") { return .eventList }
    if has("received_at", "body") { return .receivedFile }
    if has("explanation", "path", "status") { return .journal }
    if has("transaction-id") || has("jws-string") { return .postbacks }
    if keys.paths.contains(where: { ["log.version", "log.creator", "log.entries"].contains($0) }) { return .har }
    if LogForm.isLog(keys.names + keys.paths) { return .accessLog }
    if !names.isDisjoint(with: modelKeys) || isEnvelope(names) { return .model }
    if !names.isDisjoint(with: AnalyticsSchema.topKeys) { return .analyticsSchema }
    if has("resamples", "shrink_below") { return .worth }
    if has("format"), isMapping(names) { return .mapping }
    if has("format", "groups") { return .part }
    if isPhone(keys.names) { return .deviceFile }
    if !names.isDisjoint(with: detailKeys) { return .details }
    if !names.isDisjoint(with: countKeys) { return .counts }
    if names.isEmpty { return nil }
    if names.isSubset(of: projectKeys) { return .projectFile }
    if names.allSatisfy({ CurrencyCode($0) != nil }) { return .rates }
    if names.isSubset(of: answerKeys), names != ["status"] { return .answers }
    return ExportPreset(columns: keys.names + keys.paths).map { _ in .export }
  }

  /// Whether the keys are those of an answer or a mutation of Google's API, which holds models.
  private static func isEnvelope(_ names: Set<String>) -> Bool {
    let names = Set(names.map(\.snakeCased))
    return [
      ("results", ModelEnvelope.response), ("operation", ModelEnvelope.mutation),
      ("update", ["update", "update_mask"]),
    ]
    .contains { names.contains($0) && names.isSubset(of: $1) }
  }

  private static func isMapping(_ names: Set<String>) -> Bool {
    names.isSubset(of: ExportMapping.keyNames) && !names.isDisjoint(with: ["preset", "device", "time", "name"])
  }

  /// Whether the keys are those of a device file, also of one that breaks off.
  private static func isPhone(_ names: [String]) -> Bool {
    if names.contains("profile"), names.contains("kept") { return true }
    return names.first == "format" && (names.count == 1 || !deviceKeys.isDisjoint(with: names))
  }

  // MARK: - Other text

  private static let rateColumns: Set<String> = ["date", "currency", "rate"]

  /// - Parameters:
  ///   - text: the text from the first line that is neither blank nor a comment.
  ///   - all: the text with its comments, of which some formats consist.
  private static func text(_ text: ArraySlice<UInt8>, all: ArraySlice<UInt8>, isWhole: Bool) -> ContentKind? {
    if let key = key(text) { return key }
    if text.starts(with: "<".utf8), text.contains("<plist") { return .plist }
    if arePairs(text, isWhole: isWhole) { return .pairs }
    do throws(CaptureFormatProblem) {
      switch try CaptureFormat(all) {
      case .urls: return .urls
      case .log: return .accessLog
      case .har, .journal: return table(text)
      }
    } catch {
      return error.isLog ? .accessLog : table(text)
    }
  }

  private static func key(_ text: ArraySlice<UInt8>) -> ContentKind? {
    guard text.starts(with: "-----BEGIN ".utf8) else { return nil }
    let line = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    return line.contains("PUBLIC KEY") ? .publicKey : line.contains("PRIVATE KEY") ? .privateKey : nil
  }

  /// The characters that stand in no name of a variable or an event of `NAME=VALUE`.
  private static let noName = Set("\"'{}[]()<>,;|\t?&/:\\".utf8)

  /// Whether every line is `NAME=VALUE`, except blank lines and comments.
  private static func arePairs(_ text: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
    var lines = text.split(separator: 0x0A).filter { !EventListReader.isSkipped($0) }
    // The examined bytes may end within a line.
    if !isWhole { lines = lines.dropLast() }
    return !lines.isEmpty
      && lines.allSatisfy { line in
        let name = line.prefix { $0 != UInt8(ascii: "=") }
        // A text in base64 may end in equals signs.
        let value = line[name.endIndex...].drop { $0 == UInt8(ascii: "=") }
        return !name.isEmpty && !name.contains(where: noName.contains) && value.contains { !$0.isLineSpace }
      }
  }

  /// The kind of a table, by the columns of its header.
  private static func table(_ text: ArraySlice<UInt8>) -> ContentKind? {
    guard case .rows(let blocks)? = try? ExportInput.open(ByteSource(Array(text)), file: "", index: 0),
      case .delimited(let separator) = blocks.layout.format, separator != UInt8(ascii: "|")
    else { return nil }
    let columns = Set(blocks.layout.columns)
    if columns == rateColumns { return .rates }
    if columns.isSuperset(of: CampaignMap.requiredColumns), columns.isSubset(of: CampaignMap.columns) {
      return .campaigns
    }
    if columns == Set(SpendTable.columns) { return .spend }
    if columns.count > 1, columns.isSubset(of: ModelTable.columns) { return .modelTable }
    if ExportPreset(columns: blocks.layout.columns) != nil { return .export }
    let counts = text.split(separator: 0x0A).prefix(2).map { line in line.count { $0 == separator } }
    return counts.count == 2 && counts[0] > 0 && counts[0] == counts[1] ? .table : nil
  }
}

// MARK: - Words

extension ContentKind {
  /// A clause that names the file's kind, and the command or option that takes it.
  package func text(_ file: String) -> String {
    switch self {
    case .deviceFile:
      "this is a device file; --state takes it: 'skan timeline --state \(file)' draws its phone, and 'skan replay "
        + "--state \(file) LIST' continues it"
    case .eventList: "this is an event list; 'skan replay \(file)' runs it"
    case .model: "this is a conversion model; 'skan model check \(file)' checks it, --model takes it"
    case .modelTable: "this is a conversion model as a CSV table; 'skan model convert \(file)' converts it to a model"
    case .analyticsSchema: "this is Google Analytics' schema: 'skan model convert \(file)' converts it to a model"
    case .rates: "these are exchange rates; --rates takes them, as in 'skan replay --rates \(file)'"
    case .mapping: "this is a mapping of columns; 'skan import --mapping \(file)' takes it"
    case .campaigns: "this is a map of campaigns; 'skan receive --campaigns \(file)' takes it"
    case .pairs:
      "these are lines NAME=VALUE; 'skan replay --variable @\(file)' takes variables, --event-alias takes event aliases"
    case .projectFile: "this is a project file; 'SKAN_PROJECT=\(file) skan config' shows it"
    case .answers: "these are answers of an endpoint; 'skan serve --answers \(file)' gives them"
    case .details: "this is a getSkanDetails dump; 'skan install --details \(file)' starts a phone from it"
    case .journal: "this is a journal of 'skan serve'; 'skan check \(file)' checks it"
    case .receivedFile: "this is a file of received postbacks; 'skan report \(file)' counts them"
    case .postbacks: "these are postbacks as they are sent; 'skan receive \(file)' verifies and keeps them"
    case .counts: "these are counts of postbacks; 'skan receiver-test --actual \(file)' compares them"
    case .har: "this is a capture (HAR); 'skan check \(file)' checks it"
    case .accessLog: "this is an access log; 'skan check \(file)' checks it"
    case .urls: "these are URLs of requests; 'skan check \(file)' checks them"
    case .export: "this is an export of events; 'skan import \(file)' makes an event list from it"
    case .table: "this is a CSV table; 'skan import \(file)' reads a table of events"
    case .part: "this is a part of a backtest; 'skan backtest --merge \(file)' adds parts up"
    case .worth: "this is what values are worth; 'skan report --worth \(file) POSTBACKS' takes it"
    case .spend: "this is what campaigns cost; 'skan report --spend \(file)' takes it"
    case .privateKey: "this is a private key; 'skan postbacks --sign \(file)' signs with it"
    case .publicKey: "this is a public key; 'skan verify --key \(file)' checks signatures with it"
    case .plist: "this is a property list; 'skan doctor --plist \(file)' checks an app's Info.plist"
    case .utf16: "this is UTF-16; 'iconv -f UTF-16 -t UTF-8 \(file)' converts it to UTF-8"
    case .gzip: "this is compressed with gzip; 'gunzip -c \(file)' unpacks it"
    case .zip: "this is a ZIP archive; 'unzip -p \(file)' unpacks it"
    }
  }

  /// The file's kind as the reason not to replace it.
  private var holding: String {
    switch self {
    case .deviceFile: "it is a phone's device file"
    case .receivedFile: "it holds received postbacks"
    default: "it \(phrase.isPlural ? "holds" : "is") \(phrase.noun)"
    }
  }

  /// The noun of ``text(_:)``: what stands before its first `;` or `:`.
  private var phrase: (isPlural: Bool, noun: Substring) {
    let text = text("")
    let isPlural = text.hasPrefix("these are ")
    let noun = text.dropFirst(isPlural ? "these are ".count : "this is ".count)
    return (isPlural, noun.prefix { $0 != ";" && $0 != ":" })
  }

  /// Throws if a file is of a known kind that its reader does not take.
  package static func check(_ bytes: [UInt8], of file: String, isOneOf kinds: Set<ContentKind>) throws(CommandError) {
    guard let found = ContentKind(bytes), !kinds.contains(found) else { return }
    throw .otherContent(file: file, found.text(file.oneLine))
  }

  /// The words about an input of a command that reads any number of files, when it is of a kind that the command does
  /// not take; nil for one that it takes or that is of no known kind.
  package static func message(of bytes: [UInt8], file: String, unless kinds: Set<ContentKind>) -> String? {
    guard let found = ContentKind(bytes), !kinds.contains(found) else { return nil }
    return found.text(file.oneLine)
  }

  /// The words about a file that should be an event list; nil if it can be one.
  fileprivate static func messageOfNoList(_ bytes: [UInt8], file: String) -> String? {
    // The reader of lists has words of its own about text that is packed or not UTF-8.
    guard let kind = ContentKind(bytes), ![.eventList, .utf16, .gzip].contains(kind) else { return nil }
    let isCapture = [.har, .journal, .accessLog, .urls].contains(kind)
    return kind.text(file) + (isCapture ? ", and its --to-list makes a list from it" : "")
  }

  /// The reason not to replace a file with content of other kinds; nil if it can be replaced.
  fileprivate static func loss(of bytes: [UInt8], unless kinds: Set<ContentKind>) -> String? {
    guard let found = ContentKind(bytes), !kinds.contains(found) else { return nil }
    return "\(found.holding), which would be lost; name another file"
  }

  /// Whether a file that begins with these bytes can be a journal of `skan serve`. An empty file can.
  package static func isJournal(beginning bytes: [UInt8]) -> Bool {
    guard let line = bytes.split(separator: 0x0A).first else { return true }
    if ContentKind(bytes) == .journal { return true }
    if (try? JSONReader.read(Array(line))) != nil { return false }
    // The line is truncated, either in the file or where these bytes end.
    let start = "{\"answer\":\"".utf8
    return line.starts(with: start) || line.count > 1 && start.starts(with: line)
  }
}

extension CommandError {
  /// The error for a file whose content is not what is asked for.
  package static func otherContent(file: String, _ message: String) -> CommandError {
    .content(file: file, [SourceNote(location: TextLocation(of: 0..<0, in: []), message: message)])
  }
}

extension Sequence<UInt8> {
  fileprivate func contains(_ text: String) -> Bool { String(decoding: Array(self), as: UTF8.self).contains(text) }
}

extension FileAccess {
  /// Returns a message that names the kind of a file given in the place of an event list; nil for unknown content.
  ///
  /// - Parameter firstLine: the first line of the file. Only this line is examined for standard input and pipes.
  package func contentOfNoList(_ name: String, _ firstLine: [UInt8]) -> String? {
    if let message = ContentKind.messageOfNoList(firstLine, file: name.oneLine) { return message }
    guard name != "-", let head = head(of: name) else { return nil }
    return ContentKind.messageOfNoList(head, file: name.oneLine)
  }

  private static let listSuffix = ".jsonl"

  /// Returns a hint for an event list that does not exist.
  package func hint(forMissingList name: String) -> String {
    hint(forMissing: name, suffix: Self.listSuffix, else: "name an event list, or - for standard input")
  }

  /// Returns a hint for a file that does not exist: the nearest name of its kind in its directory, if one is near.
  ///
  /// - Parameters:
  ///   - suffix: the end of the names of this kind; nil for that of the name itself.
  ///   - hint: the hint if none is near.
  package func hint(forMissing path: String, suffix: String? = nil, else hint: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = String(path.dropFirst(folder.count))
    let suffix = suffix ?? name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    let entries = (try? entries(folder.isEmpty ? "." : folder)) ?? []
    let names = entries.filter { $0.isNamed && !$0.isDirectory && $0.name.hasSuffix(suffix) }.map(\.name)
    // The suffix, which all names share, does not make them alike.
    let stem = { (name: String) in name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name }
    let near = nearestName(to: stem(name), in: names.map(stem))
    return near.map { "did you mean \(folder.oneLine)\($0.oneLine)\(suffix.oneLine)?" } ?? hint
  }

  /// Throws if an output file cannot be written, or if it is a file of another kind, whose content would be lost.
  ///
  /// - Parameter kinds: the kinds that the output replaces, such as its own.
  package func requireOutput(_ path: String, replacing kinds: Set<ContentKind>) throws(CommandError) {
    try requireReplaceable(path)
    guard let head = head(of: path), let loss = ContentKind.loss(of: head, unless: kinds) else { return }
    throw .cannotWrite(file: path, reason: loss)
  }

  /// The first bytes of a file; nil if the file does not exist or is not a regular file.
  package func head(of path: String) -> [UInt8]? {
    do throws(SourceFailure) {
      let source = try openFile(path)
      return source.isRegular ? try source.beginning(ContentKind.headSize) : nil
    } catch {
      return nil
    }
  }
}
