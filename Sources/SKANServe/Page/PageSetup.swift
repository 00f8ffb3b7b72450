import SKANBase
import SKANDevice
import SKANModel
import SKANTraffic

/// What does not change while the page is open, but for the models: `/page/setup`.
package struct PageSetup: JSONObjectWritable {
  let run: String
  let takesPostbacks: Bool
  let models: [PageModel]

  package static let fields = JSONFields<PageSetup> {
    JSONField("faults", "the faults that can be asked for", list: faultFields) { _ in Fault.named }
    JSONField("models", "the models that answer", list: PageModel.fields) { $0.models }
    JSONField("parameters", "what the parameters of requests mean", list: PageParameter.fields) { _ in
      PageParameter.all
    }
    JSONField("rules", "the rules of findings", list: ruleFields) { _ in TrafficRule.allCases }
    JSONField("run", "the run of the server") { $0.run }
    JSONField("skan3_window", "for how many seconds after its last call a phone with SKAN 3 asks") { _ in
      ConversionWindow.skan3Length
    }
    JSONField("takes_postbacks", "whether the server takes postbacks") { $0.takesPostbacks }
    JSONField("version", "the version of the program") { _ in ProgramVersion.text }
    JSONField("windows", "the ends of the windows, in seconds after the first call") { _ in
      ConversionWindow.allCases.map(\.end)
    }
  }

  private static let faultFields = JSONFields<(name: String, fault: Fault)> {
    JSONField("effect", "what it does to the answer") { $0.fault.effect }
    JSONField("name", "the name, as for the header X-SKAN-Fault") { $0.name }
  }

  private static let ruleFields = JSONFields<TrafficRule> {
    JSONField("basis", "what the rule is based on") { $0.basis.meaning }
    JSONField("level", "the severity of a breach") { $0.level }
    JSONField("remedy", "what to do") { $0.remedy }
    JSONField("rule", "the rule") { $0.id }
    JSONField("text", "what a breach is, as a sentence") { $0.text }
  }
}

/// A model as a ladder: its values from the lowest to the highest.
package struct PageModel: JSONObjectWritable {
  /// The app; nil for the model of all apps without their own.
  let app: String?
  let model: ConversionModel
  /// Removes the SDK key from the texts of the model.
  let redactor: Redactor

  private struct Step {
    let kind: String
    let window: ConversionWindow
    let value: String
    let meaning: String
    let never: String?
  }

  package static let fields = JSONFields<PageModel> {
    JSONField("app", "the bundle identifier; null for apps without a model of their own") { model in
      model.app.map(model.redactor.redacted)
    }
    JSONField("values", "the values, the lowest first", list: stepFields) { $0.steps }
  }

  private static let stepFields = JSONFields<Step> {
    JSONField("kind", "fine, coarse or lock", as: .names(["fine", "coarse", "lock"])) { $0.kind }
    JSONField("meaning", "what a phone has done to get it") { $0.meaning }
    JSONField("never", "why no phone gets it; null if phones can") { $0.never }
    JSONField("value", "the value") { $0.value }
    JSONField("window", "the window", as: .integer(0...2)) { $0.window.rawValue }
  }

  private var steps: [Step] {
    let never = model.unreachable.mapValues(redactor.redacted)
    let fine = model.fine.sorted { $0.value < $1.value }.map {
      Step(
        kind: "fine", window: .p0, value: "\($0.value)", meaning: redactor.redacted($0.mapping.displayText),
        never: never[.fine($0.value)])
    }
    return fine
      + ConversionWindow.allCases.flatMap { window -> [Step] in
        let coarse = model.windows[window].coarse.map {
          Step(
            kind: "coarse", window: window, value: $0.value.rawValue,
            meaning: redactor.redacted($0.mapping.displayText), never: never[.coarse($0.value, window)])
        }
        let lock = model.windows[window].lock.map {
          Step(kind: "lock", window: window, value: "lock", meaning: redactor.redacted($0.displayText), never: nil)
        }
        return coarse + [lock].compactMap(\.self)
      }
  }
}

/// A parameter of a request: what it means, and what the references expect.
struct PageParameter {
  let name: String
  let meaning: String
  let expected: String

  static let fields = JSONFields<PageParameter> {
    JSONField("expected", "what the references expect") { $0.expected }
    JSONField("meaning", "what it means") { $0.meaning }
    JSONField("name", "the name as sent") { $0.name }
  }

  /// The parameters of the snippet, and then those that only an app's server sends.
  static let all: [PageParameter] =
    QueryParameter.allCases.map { PageParameter($0) }
    + RequestParameter.all.filter { row in !QueryParameter.names.contains(row.name) }.map { PageParameter($0) }

  private init(_ parameter: QueryParameter) {
    name = parameter.name
    if let entry = parameter.entry {
      (meaning, expected) = (entry.pageMeaning, entry.pageExpected)
    } else {
      (meaning, expected) = (Self.meanings[name] ?? "", Self.ofPhone[name] ?? "a text, always")
    }
  }

  private init(_ parameter: RequestParameter) {
    name = parameter.name
    meaning = Self.meanings[name] ?? "a parameter of the server-to-server reference"
    let need =
      parameter.required.isEmpty
      ? "optional" : "required by \(parameter.required.map(\.path).sorted().joined(separator: ", "))"
    expected = "\(parameter.form.pageText), \(need)"
  }

  /// What the references expect of the parameters that describe the phone and the event.
  private static let ofPhone = [
    "p": "exactly iOS, always", "n": "at most 32 ASCII characters, always; __SESSION__ for a session",
    "idfa": "with the user's consent; else left out, never empty or null",
    "idfv": "always, never empty or null", "a": "the SDK key, not the reporting key, always",
    "i": "as in the App Store, case-sensitive, always", "v": "a version such as 17.4, always",
  ]

  /// What parameters mean, by their names, those of the store's entries apart.
  private static let meanings = [
    "a": "the SDK key, which the page never gets", "app_v": "the version of the app",
    "i": "the bundle identifier of the app", "idfa": "the advertising identifier",
    "idfv": "the identifier of the phone for this vendor", "n": "the name of the event",
    "p": "the platform", "v": "the version of iOS", "ve": "the version of iOS",
    "ip": "the phone's address", "use_ip": "whether the address of the sender counts", "country": "the phone's country",
    "sdid": "Singular's identifier of the phone",
    "att_authorization_status": "the user's consent to tracking, by Apple's numbers",
    "ma": "the make of the phone", "mo": "the model of the phone", "lc": "the locale", "bd": "the build of iOS",
    "utime": "the time of the action", "umilisec": "the time of the action", "c": "the kind of connection",
    "cn": "the carrier", "custom_user_id": "the app's own identifier of the user",
    "data_sharing_options": "what the user allows", "global_properties": "properties of every event",
    "ua": "the user agent of the phone", "dnt": "whether tracking is off", "dntoff": "whether tracking is on",
    "partner": "the integration that sends", "sdk_version": "the version of the integration",
    "install": "whether it is the first session", "install_time": "when the app was installed",
    "update_time": "when the app was updated", "install_receipt": "the receipt of the install",
    "openuri": "the link that opened the app", "e": "the attributes of the event",
    "is_revenue_event": "whether the event has revenue", "is_admon_revenue": "whether the revenue is from ads",
    "amt": "the amount", "cur": "the currency of the amount", "purchase_receipt": "the receipt of the purchase",
    "purchase_product_id": "what was bought", "purchase_transaction_id": "the purchase",
    "attribution_token": "Apple's token of Search Ads", "apns_token": "the token for notifications",
  ]
}

extension StoreEntry {
  /// What the entry means, for the page.
  fileprivate var pageMeaning: String {
    let place = window.map { "in P\($0.rawValue)" } ?? "over the phone's life"
    switch self {
    case .fineValue: return "the fine value that was last written in P0"
    case .previousFineValue: return "the fine value before that one"
    case .coarseValue: return "the coarse value that was last written \(place)"
    case .previousCoarseValue: return "the coarse value \(place) before that one"
    case .windowLock: return "when an update last locked \(window.map { "P\($0.rawValue)" } ?? "a window")"
    case .iapRevenue, .windowIAPRevenue: return "in-app purchases \(place), by currency"
    case .adRevenue, .windowAdRevenue: return "revenue from ads \(place), by currency"
    case .lastCall: return "when the snippet last called SKAdNetwork"
    case .firstCall: return "when the snippet first called SKAdNetwork: the windows count from it"
    case .skan3Value: return "the conversion value that was last written"
    }
  }

  /// What the reference expects of the entry.
  fileprivate var pageExpected: String {
    switch self {
    case .fineValue: "0–63, always from iOS 15.4 on"
    case .coarseValue(.p1), .coarseValue(.p2): "0–2, from iOS 16.1 on; left out until it is set"
    case .coarseValue: "0–2, optional: models use the fine value"
    case .previousFineValue: "0–63; not in the reference"
    case .previousCoarseValue: "0–2, optional"
    case .windowLock: "Unix seconds, optional"
    case .iapRevenue: "JSON text such as {\"USD\":9.99}, for models of purchases"
    case .adRevenue: "JSON text such as {\"USD\":9.99}, for models of ads"
    case .windowIAPRevenue, .windowAdRevenue: "JSON text such as {\"USD\":9.99}, optional"
    case .lastCall, .firstCall: "Unix seconds, always"
    case .skan3Value: "0–63, or the bare name until it is set"
    }
  }
}

extension ParameterForm {
  /// The form in words.
  fileprivate var pageText: String {
    switch self {
    case .text: "a text"
    case .seconds: "Unix seconds, ten digits"
    case .milliseconds: "Unix milliseconds, thirteen digits"
    case .uuid: "a UUID that is not all zeros"
    case .decimal: "a decimal number with a point"
    case .currency: "an ISO 4217 code in capitals"
    case .truth: "true or false"
    case .whole(let range): "\(range.lowerBound)–\(range.upperBound)"
    case .choice(let choices): choices.joined(separator: " or ")
    case .json: "the text of a JSON object"
    case .address: "a public address"
    case .country: "an ISO 3166-1 code of two capitals"
    case .locale: "a locale such as en_US"
    case .eventName: "at most 32 printable ASCII characters"
    case .details: "an entry of getSkanDetails"
    case .revenue: "JSON text such as {\"USD\":9.99}"
    }
  }
}
