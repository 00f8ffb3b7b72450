import SKANDevice
import SKANJSON

/// The checks of single parameters.
struct ParameterChecks {
  let api: EndpointAPI

  /// What does not change from event to event, up to the event's name.
  func app(_ parameters: borrowing some ConversionParameters) throws(EndpointError) {
    let platform = parameters.text(.platform)
    guard platform == "iOS" else { throw .unknownPlatform(platform) }
    try requireText(parameters, .sdkKey)
    if api == .v2 {
      let version = try text(parameters, .iosVersion)
      guard IOSVersion.isWellFormed(version) else { throw .badParameter("v", why: "is no version of iOS") }
    }
    _ = try identifier(parameters, .bundleID)
    try requireText(parameters, .appVersion)
  }

  /// The same behind it.
  func identifiers(_ parameters: borrowing some ConversionParameters) throws(EndpointError) {
    let idfv = try identifier(parameters, .idfv)
    if idfv.standsForNothing {
      throw .badParameter("idfv", why: "is always required, and \(JSONWriter.quoted(idfv)) is none")
    }
    if let idfa = parameters.text(.idfa), idfa.isEmpty || idfa.standsForNothing {
      throw .badParameter(
        "idfa", why: "must be left out when there is none, it is \(idfa.isEmpty ? "empty" : JSONWriter.quoted(idfa))")
    }
  }

  func text(_ parameters: borrowing some ConversionParameters, _ name: QueryParameter) throws(EndpointError) -> String {
    guard let text = parameters.text(name) else { throw .badParameter(name.name, why: "is missing") }
    guard !text.isEmpty else { throw .badParameter(name.name, why: "is empty") }
    return text
  }

  func requireText(_ parameters: borrowing some ConversionParameters, _ name: QueryParameter) throws(EndpointError) {
    _ = try text(parameters, name)
  }

  func identifier(
    _ parameters: borrowing some ConversionParameters, _ name: QueryParameter
  ) throws(EndpointError) -> String {
    let text = try text(parameters, name)
    guard text.hasAtMost(ValidatedRequest.idLimit) else {
      throw .badParameter(name.name, why: "is longer than \(ValidatedRequest.idLimit) characters")
    }
    return text
  }

  func eventName(_ name: String?) throws(EndpointError) {
    guard let name else { throw .badParameter("n", why: "is missing") }
    guard !name.isEmpty else { throw .badParameter("n", why: "is empty") }
    guard name.hasAtMost(32) else {
      throw .badParameter("n", why: "has \(name.count) characters, at most 32 are allowed")
    }
    guard name.isASCII else { throw .badParameter("n", why: "is not ASCII") }
  }

  @inline(__always)
  func fineValue(_ parameters: borrowing some ConversionParameters) throws(EndpointError) -> Int64 {
    if api == .v1 {
      guard let value = parameters.number(.skan3Value), !value.isEmpty else { return 0 }
      return try small(value, .skan3Value, upTo: 63)
    }
    return try small(required(parameters, .fine), .fine, upTo: 63)
  }

  private static let optional: [(parameter: QueryParameter, limit: Int64)] =
    [(.previousFine, 63)]
    + [QueryParameter.p0Coarse, .p0PreviousCoarse, .p1Coarse, .p1PreviousCoarse, .p2Coarse, .p2PreviousCoarse].map {
      ($0, 2)
    }

  func optionalNumbers(_ parameters: borrowing some ConversionParameters) throws(EndpointError) {
    for (parameter, limit) in Self.optional {
      if let number = parameters.number(parameter) { _ = try small(number, parameter, upTo: limit) }
    }
    for parameter in [QueryParameter.p0Lock, .p1Lock, .p2Lock] where parameters.number(parameter) != nil {
      _ = try seconds(parameters, parameter)
    }
  }

  private static let v2Revenue: [QueryParameter] = [
    .iapRevenue, .adRevenue, .p0IAPRevenue, .p0AdRevenue, .p1IAPRevenue, .p1AdRevenue, .p2IAPRevenue, .p2AdRevenue,
  ]

  var revenue: [QueryParameter] { api == .v2 ? Self.v2Revenue : [.skan3Revenue] }

  @inline(__always)
  private func required(
    _ parameters: borrowing some ConversionParameters, _ name: QueryParameter
  ) throws(EndpointError) -> ReportedNumber {
    guard let number = parameters.number(name) else {
      throw name == .fine ? .noCurrentValue : .badParameter(name.name, why: "is missing")
    }
    guard !number.isEmpty else { throw .badParameter(name.name, why: "is empty") }
    return number
  }

  @inline(__always)
  private func small(_ number: ReportedNumber, _ name: QueryParameter, upTo limit: Int64) throws(EndpointError) -> Int64
  {
    guard let value = number.value, (0...limit).contains(value) else {
      let text = JSONWriter.quoted(number.text)
      throw .badParameter(name.name, why: "must be a whole number from 0 to \(limit), it is \(text)")
    }
    return value
  }

  /// When the framework was called; 0 stands for never.
  @inline(__always)
  func call(_ parameters: borrowing some ConversionParameters, _ name: QueryParameter) throws(EndpointError) -> Int64 {
    let value = try seconds(parameters, name)
    guard value != 0 else { throw .badParameter(name.name, why: "is missing: 0 stands for \"not set\"") }
    return value
  }

  /// Whole Unix seconds.
  @inline(__always)
  func seconds(_ parameters: borrowing some ConversionParameters, _ name: QueryParameter) throws(EndpointError) -> Int64
  {
    let number = try required(parameters, name)
    guard let value = number.value, (0...Instant.secondsRange.upperBound).contains(value) else {
      throw .badParameter(name.name, why: "must be whole Unix seconds, it is \(JSONWriter.quoted(number.text))")
    }
    return value
  }
}

extension ReportedNumber {
  fileprivate var isEmpty: Bool { if case .text(let text) = self { text.isEmpty } else { false } }
}

extension String {
  /// The words with which programs write that there is nothing, where they should have left it out.
  fileprivate var standsForNothing: Bool {
    guard utf8.count <= 9 else { return false }
    return ["null", "(null)", "nil", "none", "undefined"].contains(lowercased())
  }

  /// Whether it has at most `limit` characters; the count of bytes is never lower, and is known at once.
  fileprivate func hasAtMost(_ limit: Int) -> Bool { utf8.count <= limit || count <= limit }
}
