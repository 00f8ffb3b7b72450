import SKANDevice
import SKANRun
import SKANBase

/// What the reports of the app's server take.
extension OptionRow {
  static let forward = Option<Bool>(
    flag: "forward", "the app's server reports the step too, to launch or evt, with the metadata of the phone")
  static let stale = Option<Bool>(
    flag: "stale", "the server gets what the guides' sample reads: the metadata before the answer")
  static let api = Option<EndpointAPI>("api", "VERSION", .choice, default: "v1", "of evt: v1 (default) or v2")
  static let post = Option<Bool>(flag: "post", "the server sends its parameters in the body of a POST")
  static let parameter = Option<[QueryItem]>(
    "parameter", "NAME[=VALUE]", .pair, folding: [],
    "the server sends this value of a parameter; a name alone leaves it out (repeatable)", isOncePerName: true
  ) { (items, given) throws(CommandError) in
    let name = given.nameOfPair
    if name.isEmpty { throw given.mustBe("NAME=VALUE, or NAME alone") }
    if name == "a" { throw given.problem("the key is not a parameter: it comes from SKAN_SDK_KEY or --sdk-key-file") }
    items.append(QueryItem(name, given.pair?.value))
  }
}

/// What the app's server reports, and how.
struct ReportSettings: CommandOptions {
  private let isStale: Bool
  private let api: EndpointAPI
  private let isPost: Bool
  private let parameters: [QueryItem]

  init(_ reader: OptionReader) throws(CommandError) {
    isStale = try reader[.stale]
    api = try reader[.api]
    isPost = try reader[.post]
    parameters = try reader[.parameter]
  }

  /// The settings of a report.
  ///
  /// - Parameters:
  ///   - revenue: of the event that is reported.
  ///   - answer: takes the place of the endpoint.
  func report(of revenue: Step.Revenue? = nil, answer: EndpointAnswer? = nil) -> ForwardOptions {
    ForwardOptions(
      api: api, isPost: isPost, isStale: isStale,
      revenue: revenue.flatMap { revenue in
        revenue.currency.map {
          ForwardedRevenue(amount: revenue.amount, currency: $0, isAdMonetization: revenue.isAdMonetization)
        }
      }, parameters: parameters, answer: answer)
  }
}

extension OptionReader {
  /// Refuses an endpoint to which nothing is reported.
  func requireReports(to endpoint: Endpoint) throws(CommandError) {
    if endpoint.forwardAddress(of: .launch) == nil {
      throw invocation.usage(
        "\(name(of: .endpoint)): launch and evt are at production, or at a URL without a path of its own")
    }
  }
}
