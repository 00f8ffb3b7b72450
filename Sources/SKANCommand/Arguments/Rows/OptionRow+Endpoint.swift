import SKANBase
import SKANHTTP
import SKANModel
import SKANRun

/// Who answers an update.
extension OptionRow {
  static let endpoint = Option<Endpoint>(
    "endpoint", "WHERE", .endpoint, default: "embedded",
    "embedded (default: no network), testing, production, or an http(s) URL")
  static let model = Option<[ModelArgument]>(
    "model", "[BUNDLE_ID=]FILE", each: .model,
    "let this conversion model answer instead of the embedded test endpoint")
  static let rates = Option<String?>(
    "rates", "FILE", .file, "exchange rates for the model: {\"EUR\":0.92} per US dollar")
  /// The model's event and ours, each of the model's once.
  static let eventAlias = Option<[EventAliases.Pair]>(
    "event-alias", "FROM=TO", .pair, folding: [],
    "the model's event FROM is our event TO, as in session_start=__SESSION__ (repeatable)", hasVariable: false,
    isOncePerName: true
  ) { (pairs, given) throws(CommandError) in
    guard let (from, to) = EventAliases.file.pair(given.text), !to.isEmpty else {
      throw given.mustBe(EventAliases.file.form)
    }
    pairs.append(EventAliases.Pair(from: from, to: to))
  }
  static let eventAliasesFile = Option<String?>(
    "event-aliases-file", "FILE", .file, "the same from a file, one FROM=TO a line")
  /// In seconds.
  static let maxTime = Option<Double>(
    "max-time", "DURATION", .positiveSeconds, default: "10s", "the longest that an exchange may take")
  /// In bytes.
  static let maxAnswer = Option<Int>(
    "max-answer", "SIZE", .size, default: "1MiB",
    "the most that an answer may hold, unpacked, such as 64KiB")
  static let sdkKeyFile = Option<String?>("sdk-key-file", "FILE", .file, "read the SDK key from a file (- for stdin)")
}

/// Which events of a model are which of ours.
struct AliasOptions: CommandOptions {
  let pairs: [EventAliases.Pair]
  let file: String?

  init(_ reader: OptionReader) throws(CommandError) {
    pairs = try reader[.eventAlias]
    file = try reader[.eventAliasesFile]
  }

  /// Those that are given, for a message.
  var given: [OptionRow] { (pairs.isEmpty ? [] : [OptionRow.eventAlias]) + (file == nil ? [] : [.eventAliasesFile]) }
}

/// The models that answer, and what completes them.
struct ModelOptions: CommandOptions {
  let models: [ModelArgument]
  let aliases: AliasOptions
  /// The file of exchange rates.
  let rates: String?

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, model: .model) }

  init(_ reader: OptionReader, model: Option<[ModelArgument]>) throws(CommandError) {
    models = try reader[model]
    aliases = try AliasOptions(reader)
    rates = try reader[.rates]
  }
}

/// Who answers an update, and how it is asked.
struct AnswerOptions: CommandOptions {
  let endpoint: Endpoint
  let model: ModelOptions
  let limits: HTTPAnswerLimits
  let sdkKeyFile: String?

  init(_ reader: OptionReader) throws(CommandError) {
    endpoint = try reader[.endpoint]
    model = try ModelOptions(reader)
    limits = HTTPAnswerLimits(seconds: try reader[.maxTime], bytes: try reader[.maxAnswer])
    sdkKeyFile = try reader[.sdkKeyFile]
    if model.models.isEmpty {
      if let option = ((model.rates == nil ? [] : [OptionRow.rates]) + model.aliases.given).first {
        throw reader.refused(option, "belongs to \(OptionRow.model.flag)")
      }
    } else if endpoint.isRemote {
      throw reader.refused(.model, "answers in process: leave out \(reader.name(of: .endpoint))")
    }
  }
}

extension Invocation {
  /// Refuses standard input as an argument and as the SDK key.
  ///
  /// - Parameter noun: what the argument is.
  func requireOneInput(_ answering: AnswerOptions, called noun: String) throws(CommandError) {
    if positional.contains("-"), answering.sdkKeyFile == "-" {
      throw usage("standard input cannot be both the \(noun) and the SDK key")
    }
  }
}
