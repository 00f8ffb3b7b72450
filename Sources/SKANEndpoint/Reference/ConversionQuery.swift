import SKANDevice
import SKANJSON

/// The parameters of a request as a server reads them.
package struct ConversionQuery: Sendable {
  package var api: EndpointAPI
  /// Decoded; of a name that is given twice the last counts.
  package var values: [String: String]

  /// Reads a query string: percent escapes, and `+` for a space.
  ///
  /// - Returns: nil when an escape is broken or the bytes are not UTF-8.
  package init?(_ text: String, api: EndpointAPI) {
    self.api = api
    values = [:]
    values.reserveCapacity(24)
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
        guard let name = Self.decoded(bytes[start..<equals]), let value = Self.decoded(bytes[equals + 1..<end]) else {
          return nil
        }
        values[name] = value
      } else if Self.decoded(bytes[start..<end]) == nil {
        return nil
      }
      start = end + 1
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(validating: bytes, as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard position + 2 < bytes.endIndex, let high = hexValue(bytes[position + 1]),
          let low = hexValue(bytes[position + 2])
        else { return nil }
        decoded.append(high << 4 | low)
        position += 2
      case let byte: decoded.append(byte)
      }
      position += 1
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Adds the parameters as an object, keys sorted, the SDK key taken out.
  package func writeRedacted(to text: inout String) {
    text += "{"
    var isFirst = true
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if !isFirst { text += "," }
      isFirst = false
      JSONWriter.writeQuoted(name, into: &text)
      text += ":"
      JSONWriter.writeQuoted(name == "a" ? ConversionRequest.redactedKey : value, into: &text)
    }
    text += "}"
  }

  /// Characters that are remembered of an identifier; the longest that is accepted.
  static let idLimit = 255

  /// `i` and `idfv`, by which a phone is known.
  package var phone: String {
    "\((values["i"] ?? "").prefix(Self.idLimit))\n\((values["idfv"] ?? "").prefix(Self.idLimit))"
  }
}
