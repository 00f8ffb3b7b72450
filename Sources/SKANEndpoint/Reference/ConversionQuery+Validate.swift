import SKANDevice
import SKANJSON

extension ConversionQuery {
  /// The parameters that a model looks at, all of them in form and range.
  struct Validated {
    var api: EndpointAPI
    var bundleID: String
    var eventName: String
    var firstCall: Int64
    var lastCall: Int64
    /// 0 when there is none yet.
    var currentFine: Int64
    fileprivate var totals: [String: [String: Double]]

    /// The window's own entry; without one the life-long total, which in the first window is the same.
    func iapRevenue(in window: ConversionWindow) -> [String: Double] {
      revenue(.windowIAPRevenue(window), .iapRevenue, window)
    }

    func adRevenue(in window: ConversionWindow) -> [String: Double] {
      revenue(.windowAdRevenue(window), .adRevenue, window)
    }

    private func revenue(_ own: KeptKey, _ total: KeptKey, _ window: ConversionWindow) -> [String: Double] {
      if api == .v1 { return total == .iapRevenue ? totals["total_revenue_by_currency"] ?? [:] : [:] }
      return totals[own.name] ?? (window == .p0 ? totals[total.name] ?? [:] : [:])
    }
  }

  /// Checks the parameters in the documented order: the platform first, then each by its name.
  ///
  /// The reference calls the coarse values and the totals required; the snippet leaves out what it has not set yet, so
  /// here they are checked only when they are there.
  func validated() throws(EndpointError) -> Validated {
    guard values["p"] == "iOS" else { throw .unknownPlatform(values["p"]) }
    _ = try text("a")
    if api == .v2 {
      guard IOSVersion.isWellFormed(try text("v")) else { throw .badParameter("v", why: "is no version of iOS") }
    }
    let bundleID = try identifier("i")
    _ = try text("app_v")
    let name = try eventName()
    _ = try identifier("idfv")
    if let idfa = values["idfa"], idfa.isEmpty || idfa == "NULL" {
      throw .badParameter("idfa", why: "must be left out when there is none, not empty or NULL")
    }
    var validated = Validated(
      api: api, bundleID: bundleID, eventName: name, firstCall: 0, lastCall: 0, currentFine: 0, totals: [:])
    let prefix = api == .v2 ? "skan_" : ""
    validated.currentFine = try fineValue()
    if api == .v2 { try checkOptionalNumbers() }
    for key in totalNames { validated.totals[key] = try revenue(key) }
    validated.firstCall = try number("\(prefix)first_call_to_skadnetwork_timestamp")
    validated.lastCall = try number("\(prefix)last_call_to_skadnetwork_timestamp")
    return validated
  }

  private func text(_ name: String) throws(EndpointError) -> String {
    guard let text = values[name] else { throw .badParameter(name, why: "is missing") }
    guard !text.isEmpty else { throw .badParameter(name, why: "is empty") }
    return text
  }

  private func identifier(_ name: String) throws(EndpointError) -> String {
    let text = try text(name)
    guard text.count <= Self.idLimit else {
      throw .badParameter(name, why: "is longer than \(Self.idLimit) characters")
    }
    return text
  }

  private func eventName() throws(EndpointError) -> String {
    let name = try text("n")
    guard name.count <= 32 else {
      throw .badParameter("n", why: "has \(name.count) characters, at most 32 are allowed")
    }
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else { throw .badParameter("n", why: "is not ASCII") }
    return name
  }

  /// Whole Unix seconds.
  private func number(_ name: String) throws(EndpointError) -> Int64 {
    let text = try text(name)
    guard let number = Int64(text), (0...Instant.secondsRange.upperBound).contains(number) else {
      throw .badParameter(name, why: "must be whole Unix seconds, it is \(JSONWriter.quoted(text))")
    }
    return number
  }

  private func fineValue() throws(EndpointError) -> Int64 {
    if api == .v1 {
      guard let text = values["conversion_value"], !text.isEmpty else { return 0 }
      return try smallNumber("conversion_value", text, upTo: 63)
    }
    return try smallNumber(KeptKey.fineValue.name, try text(KeptKey.fineValue.name), upTo: 63)
  }

  /// The optional numbers and their ranges; made once, since every request is checked for them.
  private static let optionalNumbers: [(name: String, limit: Int64)] =
    [(KeptKey.previousFineValue.name, 63)]
    + ConversionWindow.allCases.flatMap { window in
      [KeptKey.coarseValue(window), .previousCoarseValue(window)].map { ($0.name, 2) }
    }

  private static let lockNames = ConversionWindow.allCases.map { KeptKey.windowLock($0).name }

  private func checkOptionalNumbers() throws(EndpointError) {
    for (name, limit) in Self.optionalNumbers {
      if let text = values[name] { _ = try smallNumber(name, text, upTo: limit) }
    }
    for name in Self.lockNames where values[name] != nil { _ = try number(name) }
  }

  private func smallNumber(_ name: String, _ text: String, upTo limit: Int64) throws(EndpointError) -> Int64 {
    guard let number = Int64(text), (0...limit).contains(number) else {
      throw .badParameter(name, why: "must be a whole number from 0 to \(limit), it is \(JSONWriter.quoted(text))")
    }
    return number
  }

  private static let v2Totals =
    [KeptKey.iapRevenue.name, KeptKey.adRevenue.name]
    + ConversionWindow.allCases.flatMap { [KeptKey.windowIAPRevenue($0).name, KeptKey.windowAdRevenue($0).name] }

  private var totalNames: [String] { api == .v2 ? Self.v2Totals : ["total_revenue_by_currency"] }

  /// A JSON object of currencies and sums; absent is none.
  private func revenue(_ name: String) throws(EndpointError) -> [String: Double]? {
    guard let text = values[name] else { return nil }
    guard let node = try? JSONReader.read(Array(text.utf8)), case .object(let members) = node.content else {
      // Python's requests turns {"USD": 9.99} into its keys; the guides' own sample falls into it.
      let hint =
        text.isCurrencyCode ? ": a dictionary was flattened to its key; pass its JSON text (json.dumps)" : ""
      throw .badParameter(
        name, why: "must be JSON text such as {\"USD\":9.99}, it is \(JSONWriter.quoted(text))\(hint)")
    }
    var sums: [String: Double] = [:]
    for member in members {
      switch member.value.content {
      case .integer(let number): sums[member.key] = Double(number)
      case .unsigned(let number): sums[member.key] = Double(number)
      case .double(let number): sums[member.key] = number
      default: throw .badParameter(name, why: "has \(member.value.briefly) where a sum should be")
      }
    }
    return sums
  }
}
