import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// A value of `--model`: the file of a conversion model, for one app or for all others, optionally from a date on.
struct ModelArgument: Sendable {
  /// The bundle identifier or the App Store id; nil for every app that has no model of its own.
  let app: String?
  /// The instant from which the model is valid; nil for the beginning.
  let from: Instant?
  let path: String
}

extension ValueParser<ModelArgument> {
  /// `[APP=][from=DATE:]FILE`. A text with a slash before the equals sign is a path.
  static var model: Self {
    let file = FileUse(kind: .input) { (given) throws(CommandError) in
      try given.invocation.modelPath(argument(given).path).path
    }
    return Self(.file, file: file) { (given) throws(CommandError) in try argument(given) }
  }

  private static func argument(_ given: GivenText) throws(CommandError) -> ModelArgument {
    var (app, rest) = (String?.none, given.text)
    let parts = rest.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0] != "from", !parts[0].contains("/") { (app, rest) = (parts[0], parts[1]) }
    for key in [app, rest.split(separator: "=", maxSplits: 1).first.map(String.init)].compactMap(\.self)
    where key != "from" && rest != key && nearestName(to: key, in: ["from"]) != nil {
      throw given.mustBe("[APP=][from=DATE:]FILE", hint: "; did you mean from=?")
    }
    guard rest.hasPrefix("from=") else { return ModelArgument(app: app, from: nil, path: given.path(rest)) }
    guard let (from, path) = dated(rest.dropFirst("from=".count)) else {
      throw given.mustBe(
        "[APP=]from=DATE:FILE, with a date of UTC such as 2026-05-01 or an instant such as 2026-05-01T09:00:00Z")
    }
    return ModelArgument(app: app, from: from, path: given.path(path))
  }

  /// `DATE:FILE`, split after the longest possible date, since instants contain colons too.
  private static func dated(_ text: Substring) -> (Instant, path: String)? {
    for colon in text.indices.reversed() where text[colon] == ":" && text.index(after: colon) < text.endIndex {
      let date = String(text[..<colon])
      if let from = Instant(iso8601: date) ?? Instant(iso8601: "\(date)T00:00:00Z") {
        return (from, String(text[text.index(after: colon)...]))
      }
    }
    return nil
  }
}

extension Invocation {
  /// The endpoint that answers with the models; nil if no model is given.
  func model(of options: AnswerOptions) throws(CommandError) -> ReferenceEndpoint? {
    options.model.models.isEmpty ? nil : try referenceEndpoint(options.model)
  }

  /// The endpoint made of the models and rates. It may have no model.
  ///
  /// - Parameter decodes: whether the models are also used to decode postbacks.
  func referenceEndpoint(_ options: ModelOptions, decodes: Bool = false) throws(CommandError) -> ReferenceEndpoint {
    let aliases = try eventAliases(options.aliases)
    var models: [String: ConversionModel] = [:]
    var defaultModel: ConversionModel?
    for argument in try answeringModels(options.models, decodes: decodes) {
      let model = try readModel(argument.path, for: argument.app)
      if let app = argument.app {
        if models.updateValue(model, forKey: app) != nil {
          throw usage("\(name(of: .model)) is given twice for \(app)")
        }
      } else {
        if defaultModel != nil {
          throw usage("\(name(of: .model)) is given twice: name the app, as in com.example.app=FILE")
        }
        defaultModel = model
      }
    }
    try aliases.check(models.values + (defaultModel.map { [$0] } ?? []), self)
    let rates =
      try options.rates.map { (path) throws(CommandError) in try exchangeRates(path).rates } ?? ExchangeRates()
    return ReferenceEndpoint(
      models: models.mapValues { $0.renamingEvents(aliases.names) },
      defaultModel: defaultModel?.renamingEvents(aliases.names), rates: rates)
  }

  /// The exchange rates in a file, and its bytes.
  func exchangeRates(_ path: String) throws(CommandError) -> (rates: ExchangeRates, bytes: [UInt8]) {
    let bytes = try environment.readRequired(
      path, as: [.rates, .table], hint: "it should hold exchange rates (--rates)")
    guard ExchangeRates.isTable(bytes, file: path) else {
      return (try content(of: path, bytes) { () throws(SourceProblems) in try ExchangeRates(bytes) }, bytes)
    }
    do throws(SourceNotes) { return (try ExchangeRates(table: bytes), bytes) } catch {
      throw .content(file: path, error.notes, more: error.more)
    }
  }

  /// The models in a file, or the one named by `FILE#APP_ID`.
  func readModels(_ path: String) throws(CommandError) -> [ConversionModel] {
    let (file, wanted) = try modelPath(path)
    return wanted == nil ? try models(in: file) : [try readModel(path)]
  }

  private func models(in path: String) throws(CommandError) -> [ConversionModel] {
    let bytes = try modelBytes(path)
    return try content(of: path, bytes) { () throws(SourceProblems) in try ModelFile(bytes).models }
  }

  /// The bytes of a model's file. Throws if it holds something else, such as a model in the format of another program.
  func modelBytes(_ path: String) throws(CommandError) -> [UInt8] {
    let bytes = try environment.readRequired(
      path, as: Set(ContentKind.allCases), hint: "it should hold a conversion model")
    let kind = ContentKind(bytes)
    if kind == .model { return bytes }
    if [nil, .table, .analyticsSchema].contains(kind), let advice = ModelSourceKind(bytes).advice(path.oneLine) {
      throw .otherContent(file: path, advice)
    }
    try ContentKind.check(bytes, of: path, isOneOf: [.model])
    return bytes
  }

  /// The model in a file. If the file holds several, the one of `FILE#APP_ID`, or the one for the given app.
  func readModel(_ path: String, for app: String? = nil) throws(CommandError) -> ConversionModel {
    let (path, wanted) = try modelPath(path)
    return try chosen(models(in: path), of: path, wanted, for: app)
  }

  /// The only model of a file, the one with the wanted App Store id, or the one for the given app.
  func chosen(
    _ models: [ConversionModel], of path: String, _ wanted: String?, for app: String? = nil
  ) throws(CommandError) -> ConversionModel {
    if models.count == 1, wanted == nil { return models[0] }
    let fitting = models.filter { $0.appID != nil && $0.appID == wanted ?? app }
    if fitting.count == 1 { return fitting[0] }
    let ids = models.allSatisfy { $0.appID == nil } ? [] : models.map { $0.appID ?? "none" }
    let whose = ids.isEmpty ? "without app_id" : "of app_id \(ids.joined(separator: ", "))"
    let holds = "\(path) holds \(models.count.counted("model")), \(whose): "
    if let wanted {
      throw usage(holds + "\(fitting.isEmpty ? "none has" : "\(fitting.count) have") app_id \(wanted)")
    }
    // The models of some commands belong to no app, so the hint does not name one.
    let takesApp =
      has(.model) && spec.options.contains { $0 == .model && $0.placeholder == OptionRow.model.placeholder }
    let form = app.map { "\($0)=" } ?? (takesApp ? "com.example.app=" : "")
    throw usage(holds + "name one, as in \(form)\(path)#APP_ID")
  }

  /// A path split from its `#APP_ID`, if it has one. A file whose name contains `#` takes precedence.
  func modelPath(_ path: String) throws(CommandError) -> (path: String, app: String?) {
    guard let mark = path.lastIndex(of: "#"), try environment.files.read(path) == nil else { return (path, nil) }
    return (String(path[..<mark]), String(path[path.index(after: mark)...]))
  }

  /// Reads a value from a file's bytes. Problems are reported with their locations.
  func content<Value>(
    of path: String, _ bytes: [UInt8], _ read: () throws(SourceProblems) -> Value
  ) throws(CommandError) -> Value {
    do throws(SourceProblems) { return try read() } catch { throw .content(file: path, error, in: bytes) }
  }

  /// The event names of the model, mapped to the app's. A pair of `--event-alias` takes precedence over its file, and
  /// the file over the environment.
  func eventAliases(_ options: GivenPairs) throws(CommandError) -> EventAliases {
    let prefix = VariableNames.ofEventAliases
    var names: [String: String] = [:]
    for (name, value) in environment.variables(prefix) where name.count > prefix.count && !value.isEmpty {
      names[String(name.dropFirst(prefix.count))] = value
    }
    if let path = options.file {
      let bytes = try environment.readRequired(
        path, as: [.pairs], hint: "it should hold event aliases, one FROM=TO per line")
      try names.merge(EventAliases.file.read(bytes, of: path)) { $1 }
    }
    for pair in options.pairs { names[pair.name] = pair.value }
    return EventAliases(names: names, given: options.pairs.map(\.name))
  }
}

/// Aliases that map the events of a model to the app's.
struct EventAliases {
  /// The form of a pair, the same in a file as on the command line.
  static let file = PairsFile(
    what: "the event", form: "FROM=TO, such as session_start=__SESSION__", takesEmpty: false, isName: { !$0.isEmpty })

  /// The event names of the model, mapped to the app's.
  let names: [String: String]
  /// The names given on the command line of this command.
  let given: [String]

  /// Throws for an alias of an event that no model has, since it would have no effect.
  func check(_ models: [ConversionModel], _ invocation: Invocation) throws(CommandError) {
    let known = models.reduce(into: Set<String>()) { $0.formUnion($1.eventNames) }
    try Self.check(given, are: known.sorted(), invocation)
  }

  /// Throws for a name that is not among the events of the model.
  static func check(_ names: [String], are known: [String], _ invocation: Invocation) throws(CommandError) {
    for name in names where !known.contains(name) {
      let near = nearestName(to: name, in: known).map { "; did you mean \(JSONWriter.quoted($0))?" }
      let all = known.isEmpty ? "; it has none" : "; it has \(known.prefix(10).joined(separator: ", "))"
      throw invocation.usage("the model has no event \(JSONWriter.quoted(name))\(near ?? all)")
    }
  }
}

/// The pairs that an option gives one by one, and its file of more.
struct GivenPairs: Sendable {
  var pairs: [(name: String, value: String)] = []
  var file: String?

  var isEmpty: Bool { pairs.isEmpty && file == nil }
}

extension Option<GivenPairs> {
  /// An option that takes pairs, each name once, and `@FILE` with one pair a line, once.
  convenience init(_ name: String, _ placeholder: String, _ form: PairsFile, _ help: String) {
    self.init(
      name, "\(placeholder)|@FILE", .pair, file: FileUse(kind: .input) { $0.fileOfPairs }, folding: GivenPairs(),
      help + "; @FILE has one per line (repeatable)", isOncePerName: true
    ) { (given, text) throws(CommandError) in
      if let file = text.fileOfPairs {
        if file.isEmpty { throw text.refused("@ needs a file: @FILE") }
        if given.file != nil { throw text.refused("takes one file") }
        given.file = file
      } else if let pair = form.pair(text.text), form.takesEmpty || !pair.value.isEmpty {
        given.pairs.append(pair)
      } else {
        throw text.mustBe(form.form)
      }
    }
  }
}

extension GivenText {
  /// The path of `@FILE`; nil for any other text.
  fileprivate var fileOfPairs: String? { text.hasPrefix("@") ? path(String(text.dropFirst())) : nil }
}

/// A file of lines NAME=VALUE. Blank lines and lines that begin with # are ignored.
struct PairsFile: Sendable {
  /// The noun for a pair in messages, such as "the variable".
  let what: String
  /// The required form of a line.
  let form: String
  /// Whether an option, unlike a line, takes a pair without a value.
  let takesEmpty: Bool
  let isName: @Sendable (String) -> Bool

  /// - Throws: an error for every invalid line, with its location.
  func read(_ bytes: [UInt8], of path: String) throws(CommandError) -> [String: String] {
    var values: [String: String] = [:]
    var notes: [SourceNote] = []
    let lines = bytes.withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      var text = String(decoding: line, as: UTF8.self)
      if text.hasSuffix("\r") { text.removeLast() }
      if text.allSatisfy({ $0 == " " || $0 == "\t" }) || text.hasPrefix("#") { continue }
      var message: String?
      if let (name, value) = pair(text) {
        if values.updateValue(value, forKey: name) != nil { message = "\(what) \(name) is given twice" }
      } else {
        message = "a line is \(form)"
      }
      if String(validating: line, as: UTF8.self) == nil { message = "not valid UTF-8" }
      if let message {
        var location = TextLocation(of: 0..<text.utf8.count, in: Array(text.utf8))
        location.line = number + 1
        notes.append(SourceNote(location: location, message: message))
      }
    }
    guard notes.isEmpty else { throw .content(file: path, notes) }
    return values
  }

  /// The name before the first = and the value behind it; nil if the line has no such form.
  func pair(_ text: String) -> (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isName(String(parts[0])) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
