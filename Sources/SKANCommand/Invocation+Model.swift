import SKANModel
import SKANRun
import SKANBase

extension Invocation {
  /// The models that answer as an endpoint; nil where none does.
  func model(of options: AnswerOptions) throws(CommandError) -> ReferenceEndpoint? {
    options.model.models.isEmpty ? nil : try referenceEndpoint(options.model)
  }

  /// The models and rates as an endpoint, perhaps without any model.
  ///
  /// - Parameter decodes: whether the models decode postbacks, too.
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

  /// The exchange rates of a file, and its bytes.
  func exchangeRates(_ path: String) throws(CommandError) -> (rates: ExchangeRates, bytes: [UInt8]) {
    let bytes = try environment.readRequired(path, hint: "it should hold exchange rates (--rates)")
    try ContentKind.check(bytes, of: path)
    return (try content(of: path, bytes) { () throws(SourceProblems) in try ExchangeRates(bytes) }, bytes)
  }

  /// The models of a file, or the one of `FILE#APP_ID`.
  func readModels(_ path: String) throws(CommandError) -> [ConversionModel] {
    let (file, wanted) = try modelPath(path)
    return wanted == nil ? try models(in: file) : [try readModel(path)]
  }

  private func models(in path: String) throws(CommandError) -> [ConversionModel] {
    let bytes = try environment.readRequired(path, hint: "it should hold a conversion model")
    try ContentKind.check(bytes, of: path, shouldBe: .model)
    do throws(CommandError) {
      return try content(of: path, bytes) { () throws(SourceProblems) in try ModelFile(bytes).models }
    } catch {
      try checkModelForm(bytes, of: path)
      throw error
    }
  }

  /// Refuses a file that holds a model in a form of others.
  func checkModelForm(_ bytes: [UInt8], of path: String) throws(CommandError) {
    guard let advice = ModelSourceKind(bytes).advice(path.oneLine) else { return }
    throw .content(file: path, [SourceNote(location: TextLocation(of: 0..<0, in: []), message: advice)])
  }

  /// The model of a file, or of several the one of an app: `FILE#APP_ID`, or the app that the model is for.
  func readModel(_ path: String, for app: String? = nil) throws(CommandError) -> ConversionModel {
    let (path, wanted) = try modelPath(path)
    let models = try models(in: path)
    if models.count == 1, wanted == nil { return models[0] }
    let fitting = models.filter { $0.appID != nil && $0.appID == wanted ?? app }
    if fitting.count == 1 { return fitting[0] }
    let ids = models.allSatisfy { $0.appID == nil } ? [] : models.map { $0.appID ?? "none" }
    let whose = ids.isEmpty ? "without app_id" : "of app_id \(ids.joined(separator: ", "))"
    let holds = "\(path) holds \(models.count.counted("model")), \(whose): "
    if let wanted {
      throw usage(holds + "\(fitting.isEmpty ? "none has" : "\(fitting.count) have") app_id \(wanted)")
    }
    // The models of some commands belong to no app.
    let takesApp =
      has(.model) && spec.options.contains { $0 == .model && $0.placeholder == OptionRow.model.placeholder }
    let form = app.map { "\($0)=" } ?? (takesApp ? "com.example.app=" : "")
    throw usage(holds + "name one, as in \(form)\(path)#APP_ID")
  }

  /// A path without its `#APP_ID`, if it has one.
  func modelPath(_ path: String) throws(CommandError) -> (path: String, app: String?) {
    guard let mark = path.lastIndex(of: "#"), try environment.files.read(path) == nil else { return (path, nil) }
    return (String(path[..<mark]), String(path[path.index(after: mark)...]))
  }

  /// What a file's bytes are read as; problems get their locations.
  func content<Value>(
    of path: String, _ bytes: [UInt8], _ read: () throws(SourceProblems) -> Value
  ) throws(CommandError) -> Value {
    do throws(SourceProblems) { return try read() } catch { throw .content(file: path, error, in: bytes) }
  }
}
