import SKANBase
import SKANDevice

/// The parameters of a phone's request as a server reads them.
package struct ConversionQuery {
  /// The longest identifier in characters; longer ones are refused.
  static let idLimit = 255

  package let sent: SentParameters
  /// The version of the endpoint.
  package let api: EndpointAPI
  /// All sums in the request, parsed once because the endpoint uses some of them three times.
  private let sums: [(parameter: QueryParameter, table: Result<RevenueTable, RequestProblem>)]

  /// - Parameter document: reused for parsing, so that many queries allocate no memory.
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

  /// The last call, else the first, in Unix seconds as sent; nil where neither is a valid time.
  package var statedTime: Int64? {
    let names: [QueryParameter] = api == .v2 ? [.lastCall, .firstCall] : [.skan3LastCall, .skan3FirstCall]
    return names.lazy.compactMap { name in number(name)?.value.flatMap { name.entry?.reported($0)?.int64 } }.first
  }

  /// The parameter `n`; empty if it is absent.
  package var eventName: String { text(.eventName) ?? "" }

  /// The parameter `idfv`; nil if it is absent or empty.
  package var idfv: String? { text(.idfv).flatMap { $0.isEmpty ? nil : $0.cut } }
}

extension String {
  /// An identifier limited to ``ConversionQuery/idLimit`` characters.
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
  /// Reads the JSON text of a parameter.
  init(_ text: ArraySlice<UInt8>, of parameter: QueryParameter, in document: JSONDocument) throws(RequestProblem) {
    if let table = unsafe text.withUnsafeBufferPointer({ unsafe RevenueTable(plain: $0) }) {
      self = table
      return
    }
    guard let members = Self.members(text, in: document) else {
      let text = String(decoding: text, as: UTF8.self)
      // Python's `requests` turns {"USD": 9.99} into its keys; the guides' own sample makes this mistake.
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

/// The parameters of a request from any source: a query that a server reads, or a phone in this process.
///
/// Both go through the same checks in the same order. A phone gives the values that a server would read in its query.
protocol ConversionParameters {
  /// The decoded text; nil if the parameter is missing.
  func text(_ parameter: QueryParameter) -> String?
  /// The number of UTF-8 bytes in the text; nil if the parameter is missing.
  func length(_ parameter: QueryParameter) -> Int?
  /// The parameter as a number, for one that should be an integer.
  func number(_ parameter: QueryParameter) -> ReportedNumber?
  /// Whether there is such a parameter of revenue.
  func hasRevenue(_ parameter: QueryParameter) -> Bool
  /// The sums by currency; nil if the parameter is missing.
  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable?
  /// Whether optional numbers and sums are known to be valid, without looking at each.
  var isPlain: Bool { get }
  /// Whether they came from a phone of which only the requests are known.
  var isRemote: Bool { get }
}

extension ConversionParameters {
  func length(_ parameter: QueryParameter) -> Int? { text(parameter)?.utf8.count }
}

/// The parameters that a server would read in the query of a phone in this process, without writing and parsing the
/// query. A test compares the two.
extension Device: ConversionParameters {
  var isPlain: Bool { kept.isPlain }
  var isRemote: Bool { false }

  func text(_ parameter: QueryParameter) -> String? {
    switch parameter {
    // The endpoint only checks whether there is a key.
    case .sdkKey: ConversionRequest.placeholderKey
    default: self.text(ofProfile: parameter)?.formDecoded ?? number(parameter)?.text
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
    // Without a `+`, a server reads the text unchanged.
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
  /// The text as a server reads it: a `+` is sent bare and decoded as a space.
  var formDecoded: String { hasPlus ? replacing("+", with: " ") : self }
}

/// A parameter that should be an integer.
enum ReportedNumber {
  case number(Int64)
  case text(String)

  /// The number of a text in plain decimal digits, else the text.
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

  /// The number, if it is an integer.
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
  /// The app's store as the request reports it. Values that are not valid are left out (``StoreEntry/reported(_:)``).
  package var reportedState: KeptState {
    var kept = KeptState()
    for parameter in api.parameters {
      guard let entry = parameter.entry else { continue }
      if entry.isRevenue {
        if let table = (try? revenue(parameter)) ?? nil { _ = kept.set(entry, to: .revenue(table)) }
      } else if let value = number(parameter)?.value.flatMap(entry.reported) {
        _ = kept.set(entry, to: .value(value))
      }
    }
    return kept
  }
}

/// The revenue of a request's window; a table is empty if there is none.
struct WindowRevenue {
  var iap = RevenueTable()
  var ads = RevenueTable()
  var basis = RevenueBasis.stated
}

extension WindowRevenue {
  /// Reads the entries of the window. They are optional, because a request may contain only the life-long totals. In
  /// the first window the two are equal; in a later one the revenue is the total minus the last one seen in an earlier
  /// window.
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
    // A request with the revenue of any window also has this window's, if there is any.
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

/// The source of a window's revenue.
enum RevenueBasis: Sendable, Equatable {
  /// The request contains it.
  case stated
  /// The life-long total minus the one seen in an earlier window.
  case totalLess(ConversionWindow)
  /// There is a life-long total, but none was seen in an earlier window.
  case unknown
}

extension RevenueTable {
  /// The amounts added since another table.
  fileprivate func less(_ other: RevenueTable?) -> RevenueTable {
    guard let other else { return self }
    return RevenueTable(sums.map { (currency: $0.currency, amount: $0.amount - (other[$0.currency] ?? 0)) })
  }
}
