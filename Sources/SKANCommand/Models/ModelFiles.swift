import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANRun

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
        path, as: [.pairs], hint: "it should hold event aliases, one FROM=TO a line")
      try names.merge(PairsFile.eventAliases.read(bytes, of: path)) { $1 }
    }
    for pair in options.pairs { names[pair.name] = pair.value }
    return EventAliases(names: names, given: options.pairs.map(\.name))
  }
}

/// Aliases that map the events of a model to the app's.
struct EventAliases {
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
