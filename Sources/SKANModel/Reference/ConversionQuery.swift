import SKANDevice
import SKANBase

/// The parameters of a request as a server reads them out of its query.
package struct ConversionQuery {
  /// Characters of an identifier that are remembered; a longer one is refused.
  static let idLimit = 255

  /// Which version of the endpoint is asked.
  package let api: EndpointAPI
  /// The values of the known parameters, decoded, one after the other.
  private var bytes: [UInt8] = []
  /// For each known name where its value is; of a name that is given twice the last counts.
  private var values: [Range<Int>?]
  /// Parameters that the API reference does not name, for the journal.
  private(set) var others: [(name: String, value: String)] = []
  /// Where each name is in ``others``, by its bytes: texts that are canonically equivalent are different names.
  private var otherIndexes: [[UInt8]: Int] = [:]
  /// For reading the sums.
  private let document: JSONDocument

  /// Reads a query string: percent escapes, and `+` for a space. A bare name, without `=`, has no value.
  ///
  /// - Parameter document: is used for reading, so that many queries need no memory of their own.
  /// - Returns: nil when an escape is broken or the bytes are not UTF-8.
  package init?(_ text: String, api: EndpointAPI, in document: JSONDocument = JSONDocument()) {
    self.api = api
    self.document = document
    values = Array(repeating: nil, count: QueryParameter.allCases.count)
    bytes.reserveCapacity(text.utf8.count)
    var text = text
    let isRead = text.withUTF8 { unsafe parse($0) }
    if !isRead { return nil }
  }

  private mutating func parse(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    while start < text.count {
      let end = unsafe text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.count
      let equals = unsafe text[start..<end].firstIndex(of: UInt8(ascii: "="))
      let mark = bytes.count
      guard unsafe QueryBytes.decode(text[start..<(equals ?? end)], into: &bytes) else { return false }
      let name = index(ofNameAt: mark)
      let unknown = name == nil ? String(decoding: bytes[mark...], as: UTF8.self) : ""
      bytes.removeSubrange(mark...)
      if let equals {
        guard unsafe QueryBytes.decode(text[(equals + 1)..<end], into: &bytes) else { return false }
        if let name {
          values[name] = mark..<bytes.count
        } else {
          set(unknown, to: String(decoding: bytes[mark...], as: UTF8.self))
          bytes.removeSubrange(mark...)
        }
      }
      start = end + 1
    }
    return true
  }

  private mutating func index(ofNameAt mark: Int) -> Int? {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe QueryParameter.keys.index(of: UnsafeBufferPointer(rebasing: $0[mark...]))
    }
  }

  private mutating func set(_ name: String, to value: String) {
    let bytes = Array(name.utf8)
    if let index = otherIndexes[bytes] {
      others[index].value = value
    } else {
      otherIndexes[bytes] = others.count
      others.append((name, value))
    }
  }

  /// What identifies an install: `i`, `idfv` (else `idfa`) and the first call.
  package var install: String {
    let firstCall = text(api == .v2 ? .firstCall : .skan3FirstCall)
    return "\(text(.bundleID)?.cut ?? "")\n\((text(.idfv) ?? text(.idfa))?.cut ?? "")\n\(firstCall?.cut ?? "")"
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

  /// Adds the parameters as an object, keys sorted, the SDK key taken out.
  package func writeRedacted(to line: inout ByteText) {
    var rest = others.sorted { $0.name.literallyPrecedes($1.name) }[...]
    var isFirst = true
    func separate(_ line: inout ByteText) {
      line.append(UInt8(ascii: isFirst ? "{" : ","))
      isFirst = false
    }
    func write(_ other: (name: String, value: String), to line: inout ByteText) {
      separate(&line)
      line.appendQuoted(SecretParameter.redacted(text: other.name))
      line.append(UInt8(ascii: ":"))
      line.appendQuoted(
        SecretParameter.isSecret(other.name) ? SecretParameter.mark : SecretParameter.redacted(text: other.value))
    }
    for (index, range) in values.enumerated() {
      guard let range else { continue }
      while let other = rest.first, other.name.literallyPrecedes(QueryParameter.keys.names[index]) {
        write(other, to: &line)
        rest.removeFirst()
      }
      separate(&line)
      line.append(QueryParameter.members[index])
      if index == QueryParameter.sdkKey.rawValue {
        line.appendQuoted(SecretParameter.mark)
      } else if bytes[range].contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
        line.appendQuoted(SecretParameter.redacted(text: String(decoding: bytes[range], as: UTF8.self)))
      } else {
        unsafe bytes.withUnsafeBufferPointer { unsafe line.appendQuoted(UnsafeBufferPointer(rebasing: $0[range])) }
      }
    }
    for other in rest { write(other, to: &line) }
    line.append(isFirst ? "{}" : "}")
  }
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
    values[parameter.rawValue].map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  func number(_ parameter: QueryParameter) -> ReportedNumber? { text(parameter).map(ReportedNumber.text) }

  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable? {
    guard let range = values[parameter.rawValue] else { return nil }
    return try RevenueTable(bytes[range], of: parameter, in: document)
  }
}

extension RevenueTable {
  /// Reads a parameter's JSON text.
  init(_ text: ArraySlice<UInt8>, of parameter: QueryParameter, in document: JSONDocument) throws(RequestProblem) {
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
