import SKANEndpoint
import SKANJSON

extension Invocation {
  /// The models of `--model` and the rates of `--rates` as an endpoint, or nil when none is given.
  func model(for endpoint: Endpoint) throws(CommandError) -> ReferenceEndpoint? {
    let given = arguments.all(.model)
    guard !given.isEmpty else {
      if arguments.has(.rates) { throw usage("\(arguments.name(of: .rates)) belongs to --model") }
      return nil
    }
    if endpoint.isRemote {
      throw usage("\(arguments.name(of: .model)) answers in process: leave out \(arguments.name(of: .endpoint))")
    }
    return try referenceEndpoint()
  }

  /// What `--model` and `--rates` make, perhaps without any model.
  func referenceEndpoint() throws(CommandError) -> ReferenceEndpoint {
    var models: [String: ConversionModel] = [:]
    var defaultModel: ConversionModel?
    for text in arguments.all(.model) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      let isForOneApp = parts.count == 2 && !parts[0].contains("/")
      let model = try readModel(isForOneApp ? parts[1] : text)
      if isForOneApp {
        if models.updateValue(model, forKey: parts[0]) != nil {
          throw usage("\(arguments.name(of: .model)) is given twice for \(parts[0])")
        }
      } else {
        if defaultModel != nil {
          throw usage("\(arguments.name(of: .model)) is given twice: name the app, as in com.example.app=FILE")
        }
        defaultModel = model
      }
    }
    var rates = ExchangeRates()
    if let path = arguments.value(.rates) {
      let bytes = try environment.readRequired(path, hint: "it should hold exchange rates (--rates)")
      rates = try content(of: path, bytes) { () throws(SourceProblems) in try ExchangeRates(bytes) }
    }
    return ReferenceEndpoint(models: models, defaultModel: defaultModel, rates: rates)
  }

  func readModel(_ path: String) throws(CommandError) -> ConversionModel {
    let bytes = try environment.readRequired(path, hint: "it should hold a conversion model")
    return try content(of: path, bytes) { () throws(SourceProblems) in try ConversionModel(bytes) }
  }

  /// What a file's bytes are read as; problems get their places.
  func content<Value>(
    of path: String, _ bytes: [UInt8], _ read: () throws(SourceProblems) -> Value
  ) throws(CommandError) -> Value {
    do throws(SourceProblems) { return try read() } catch { throw .content(file: path, error.notes(in: bytes)) }
  }
}
