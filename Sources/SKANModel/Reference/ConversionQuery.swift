import SKANBase
import SKANDevice

/// The parameters of a phone's request as a server reads them.
package struct ConversionQuery {
  /// Characters of an identifier that are remembered; a longer one is refused.
  static let idLimit = 255

  package let sent: SentParameters
  /// Which version of the endpoint is asked.
  package let api: EndpointAPI
  /// Each sum that was sent, read once: the endpoint asks for some of them three times.
  private let sums: [(parameter: QueryParameter, table: Result<RevenueTable, RequestProblem>)]

  /// - Parameter document: is used for reading, so that many queries need no memory of their own.
  package init(_ sent: SentParameters, api: EndpointAPI, in document: JSONDocument = JSONDocument()) {
    self.sent = sent
    self.api = api
    var sums: [(parameter: QueryParameter, table: Result<RevenueTable, RequestProblem>)] = []
    for parameter in QueryParameter.sums(api) {
      guard let text = sent.bytes(of: parameter) else { continue }
      sums.append(
        (
          parameter,
          Result { () throws(RequestProblem) in try RevenueTable(text, of: parameter, in: document) }
        ))
    }
    self.sums = sums
  }

  /// The identity of an install: `i`, `idfv` (else `idfa`) and the first call.
  package var install: String {
    String(writing: { key in
      func add(_ part: ArraySlice<UInt8>?) {
        guard let part else { return }
        if part.count > Self.idLimit { return key.append(String(decoding: part, as: UTF8.self).cut) }
        unsafe part.withUnsafeBufferPointer { unsafe key.append($0) }
      }
      add(sent.bytes(of: .bundleID))
      key.append(UInt8(ascii: "\n"))
      add(sent.bytes(of: .idfv) ?? sent.bytes(of: .idfa))
      key.append(UInt8(ascii: "\n"))
      add(sent.bytes(of: api == .v2 ? .firstCall : .skan3FirstCall))
    })
  }

  /// The last call, or else the first, in Unix seconds as they were sent; nil for 0 and for what is not a number.
  package var statedTime: Int64? {
    let names: [QueryParameter] = api == .v2 ? [.lastCall, .firstCall] : [.skan3LastCall, .skan3FirstCall]
    return names.lazy.compactMap { number($0)?.value }.first { $0 > 0 }
  }

  /// `n`, or an empty text.
  package var eventName: String { text(.eventName) ?? "" }

  /// `idfv`, when there is one.
  package var idfv: String? { text(.idfv).flatMap { $0.isEmpty ? nil : $0.cut } }
}

extension String {
  /// As much of an identifier as is remembered.
  fileprivate var cut: String {
    utf8.count <= ConversionQuery.idLimit ? self : String(prefix(ConversionQuery.idLimit))
  }
}

extension ConversionQuery: ConversionParameters {
  var isPlain: Bool { false }
  var isRemote: Bool { true }

  func text(_ parameter: QueryParameter) -> String? {
    sent.bytes(of: parameter).map { String(decoding: $0, as: UTF8.self) }
  }

  func length(_ parameter: QueryParameter) -> Int? { sent.bytes(of: parameter)?.count }

  func number(_ parameter: QueryParameter) -> ReportedNumber? { sent.bytes(of: parameter).map(ReportedNumber.init) }

  func hasRevenue(_ parameter: QueryParameter) -> Bool { sums.contains { $0.parameter.rawValue == parameter.rawValue } }

  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable? {
    for index in sums.indices where sums[index].parameter.rawValue == parameter.rawValue {
      return try sums[index].table.get()
    }
    return nil
  }
}

extension RevenueTable {
  /// Reads a parameter's JSON text.
  init(_ text: ArraySlice<UInt8>, of parameter: QueryParameter, in document: JSONDocument) throws(RequestProblem) {
    if let table = unsafe text.withUnsafeBufferPointer({ unsafe RevenueTable(plain: $0) }) {
      self = table
      return
    }
    guard let members = Self.members(text, in: document) else {
      let text = String(decoding: text, as: UTF8.self)
      // Python's requests turns {"USD": 9.99} into its keys; the guides' own sample falls into it.
      let hint = text.isCurrencyCode ? ": a dictionary was flattened to its key; pass its JSON text (json.dumps)" : ""
      throw .badParameter(
        parameter.name, why: "must be JSON text such as {\"USD\":9.99}, it is \(JSONWriter.quoted(text))\(hint)")
    }
    var sums: [(currency: String, amount: Double)] = []
    for member in members {
      switch member.value.content {
      case .integer(let number): sums.append((member.key, Double(number)))
      case .unsigned(let number): sums.append((member.key, Double(number)))
      case .double(let number): sums.append((member.key, number))
      default: throw .badParameter(parameter.name, why: "has \(member.value.briefly) where a sum should be")
      }
    }
    self.init(sums)
  }

  private static func members(_ text: ArraySlice<UInt8>, in document: JSONDocument) -> [JSONMember]? {
    unsafe text.withUnsafeBufferPointer { text in
      guard unsafe (try? document.read(text)) != nil, case .object(let members) = document.root.content else {
        return nil
      }
      return members
    }
  }
}

/// The parameters of a request, wherever they come from: a query that a server read, or a phone in this process.
///
/// Both go through the same checks in the same order. A phone's are what a server would read of its query.
protocol ConversionParameters {
  /// The decoded text; nil when the parameter is missing.
  func text(_ parameter: QueryParameter) -> String?
  /// How many bytes of UTF-8 the text has; nil when the parameter is missing.
  func length(_ parameter: QueryParameter) -> Int?
  /// The parameter as a number, when it should be a whole one.
  func number(_ parameter: QueryParameter) -> ReportedNumber?
  /// Whether there is such a parameter of revenue.
  func hasRevenue(_ parameter: QueryParameter) -> Bool
  /// Currency → sum; nil when the parameter is missing.
  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable?
  /// Whether nothing can be wrong with optional numbers and sums, as is seen without looking at each.
  var isPlain: Bool { get }
  /// Whether they came from a phone of which nothing is known but its requests.
  var isRemote: Bool { get }
}

extension ConversionParameters {
  func length(_ parameter: QueryParameter) -> Int? { text(parameter)?.utf8.count }
}

/// The parameters of a request that a phone in this process makes: what a server would read of its query, without
/// writing and reading the query. A test holds the two against each other.
extension Device: ConversionParameters {
  var isPlain: Bool { kept.isPlain }
  var isRemote: Bool { false }

  func text(_ parameter: QueryParameter) -> String? {
    switch parameter {
    // The endpoint looks only whether there is one.
    case .sdkKey: ConversionRequest.placeholderKey
    default: profile.text(parameter)?.formDecoded ?? number(parameter)?.text
    }
  }

  @inline(__always)
  func number(_ parameter: QueryParameter) -> ReportedNumber? {
    guard let entry = parameter.entry else { return nil }
    if let value = kept.value(entry) { return ReportedNumber(value) }
    // SKAN 3 sends 0 for a call that was not made.
    return parameter == .skan3FirstCall || parameter == .skan3LastCall ? .number(0) : nil
  }

  @inline(__always)
  func hasRevenue(_ parameter: QueryParameter) -> Bool {
    guard let entry = parameter.entry else { return false }
    return kept.hasRevenue(entry)
  }

  @inline(__always)
  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable? {
    guard let entry = parameter.entry, let table = kept.revenue(entry) else { return nil }
    // Without a + in its text a server reads just what was written.
    return table.hasPlus ? try Self.formDecoded(table, of: parameter) : table
  }

  private static func formDecoded(
    _ table: RevenueTable, of parameter: QueryParameter
  ) throws(RequestProblem) -> RevenueTable {
    try RevenueTable(Array(table.requestText.formDecoded.utf8)[...], of: parameter, in: JSONDocument())
  }
}

extension ReportedNumber {
  @inline(__always)
  fileprivate init(_ value: KeptValue) {
    if case .integer(let number) = value {
      self = .number(number)
    } else {
      // An exponent is written with a sign: 1e+300.
      self = .text((value.decimalText ?? "").formDecoded)
    }
  }
}

extension String {
  /// A `+` goes out bare, and a server reads a space.
  var formDecoded: String { hasPlus ? replacing("+", with: " ") : self }
}

/// A parameter that should be a whole number.
enum ReportedNumber {
  case number(Int64)
  case text(String)

  /// The number of a text as it is written in decimal digits, or else the text.
  init(_ text: ArraySlice<UInt8>) {
    let isNumber = text.first == UInt8(ascii: "0") ? text.count == 1 : (1...18).contains(text.count)
    var number: Int64 = 0
    if isNumber {
      for digit in text {
        guard digit.isASCIIDigit else {
          self = .text(String(decoding: text, as: UTF8.self))
          return
        }
        number = number * 10 + Int64(digit - UInt8(ascii: "0"))
      }
    }
    self = isNumber ? .number(number) : .text(String(decoding: text, as: UTF8.self))
  }

  /// The number, if it is a whole one.
  @inline(__always)
  var value: Int64? {
    switch self {
    case .number(let number): number
    case .text(let text): Int64(text)
    }
  }

  var text: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  var isEmpty: Bool { if case .text(let text) = self { text.isEmpty } else { false } }
}

extension ConversionQuery {
  /// What the request says that the app kept; what is not a number or a table is left out, and so are timestamps of 0,
  /// which stand for "not set".
  package var reportedState: KeptState {
    var kept = KeptState()
    for parameter in api.parameters {
      guard let entry = parameter.entry else { continue }
      if entry.isRevenue {
        if let table = (try? revenue(parameter)) ?? nil { _ = kept.set(entry, to: .revenue(table)) }
      } else if let number = number(parameter)?.value, number != 0 || !entry.isTimestamp {
        _ = kept.set(entry, to: .value(.integer(number)))
      }
    }
    return kept
  }
}

/// The revenue of a request's window; a table is empty where there is none.
struct WindowRevenue {
  var iap = RevenueTable()
  var ads = RevenueTable()
  var basis = RevenueBasis.stated
}

extension WindowRevenue {
  /// Reads the window's own entries. They are optional: a request may have the life-long totals alone. In the first window
  /// these are the same; later it is the total less the one that was seen last in an earlier window.
  @inline(__always)
  mutating func read(
    _ parameters: borrowing some ConversionParameters, _ api: EndpointAPI, _ window: ConversionWindow,
    _ memory: borrowing InstallMemory
  ) throws(RequestProblem) {
    guard api == .v2 else {
      if let table = try parameters.revenue(.skan3Revenue) { iap = table }
      return
    }
    if let table = try revenue(fromAds: false, parameters, window, memory) { iap = table }
    if let table = try revenue(fromAds: true, parameters, window, memory) { ads = table }
  }

  @inline(__always)
  private mutating func revenue(
    fromAds: Bool, _ parameters: borrowing some ConversionParameters, _ window: ConversionWindow,
    _ memory: borrowing InstallMemory
  ) throws(RequestProblem) -> RevenueTable? {
    let own = QueryParameter.revenue(fromAds: fromAds, in: window)
    if parameters.hasRevenue(own) { return try parameters.revenue(own) }
    let total = QueryParameter.revenue(fromAds: fromAds, in: nil)
    guard parameters.hasRevenue(total) else { return nil }
    if window == .p0 { return try parameters.revenue(total) }
    // A request with the revenue of any window has this one's too, if there is any.
    if parameters.hasRevenue(.revenue(fromAds: fromAds, in: .p0)) { return nil }
    if parameters.hasRevenue(.revenue(fromAds: fromAds, in: .p1)) { return nil }
    if parameters.hasRevenue(.revenue(fromAds: fromAds, in: .p2)) { return nil }
    guard let (earlier, totals) = memory.totals(before: window) else {
      if basis == .stated { basis = .unknown }
      return nil
    }
    basis = .totalLess(earlier)
    return try parameters.revenue(total)?.less(fromAds ? totals.ads : totals.iap)
  }
}

/// How an endpoint knows a window's revenue.
enum RevenueBasis: Sendable, Equatable {
  /// The request has it.
  case stated
  /// The life-long total less the one seen in an earlier window.
  case totalLess(ConversionWindow)
  /// There is a life-long total, and none was seen in an earlier window.
  case unknown
}

extension RevenueTable {
  /// What was added since another table.
  fileprivate func less(_ other: RevenueTable?) -> RevenueTable {
    guard let other else { return self }
    return RevenueTable(sums.map { (currency: $0.currency, amount: $0.amount - (other[$0.currency] ?? 0)) })
  }
}
