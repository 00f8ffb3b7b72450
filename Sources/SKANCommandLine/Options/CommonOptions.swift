import SKANBase
import SKANHTTP
import SKANRun

/// The options that the parser, the project file or the output read themselves.
extension OptionRow {
  package static let state = Option<String>(
    "state", "FILE", .namedFile, default: "skan-state.json", "the device file", hasVariable: true)
  package static let help = Option<Bool>(flag: "help", short: "h", "print this help")
  package static let version = Option<Bool>(flag: "version", "print the version")
  package static let color = Option<ColorChoice>(
    "color", "WHEN", .choice, default: "auto", "color the text output: auto (default: on a terminal), always, never",
    hasVariable: true)
  package static let endpoint = Option<Endpoint>(
    "endpoint", "WHERE", .endpoint, default: "embedded",
    "embedded (default: no network), testing, production, or an http(s) URL", hasVariable: true)
  package static let model = Option<[ModelArgument]>(
    "model", "[BUNDLE_ID=]FILE", each: .model,
    "let this conversion model answer instead of the embedded test endpoint", hasVariable: true)
  package static let rates = Option<String?>(
    "rates", "FILE", .file,
    "exchange rates per US dollar: {\"EUR\":0.92}, or a CSV table date,currency,rate by day",
    hasVariable: true)
  package static let eventAlias = Option<GivenPairs>(
    "event-alias", "FROM=TO", .eventAliases,
    "treat the model's event FROM as our event TO, as in session_start=__SESSION__")
  package static let sdkKeyFile = Option<String?>(
    "sdk-key-file", "FILE", .file, "read the SDK key from a file (- for stdin)", hasVariable: true)
}
