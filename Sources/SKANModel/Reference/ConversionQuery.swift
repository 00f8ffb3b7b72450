import SKANDevice
import SKANBase

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

  /// What identifies an install: `i`, `idfv` (else `idfa`) and the first call.
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
  var isFromAfar: Bool { true }

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
