import SKANBase

/// The GET request of an update: its parameters in order; see the article "Requests".
///
/// A class, so that everything that shows it passes a reference.
package final class ConversionRequest: Sendable {
  /// The phone when the request was built, before the update.
  package let device: Device
  package let eventName: String

  init(_ device: Device, eventName: String) {
    self.device = device
    self.eventName = eventName
  }

  /// The app's state.
  package var kept: KeptState { _read { yield device.kept } }

  private var api: EndpointAPI { device.traits.api }

  /// The placeholder for the SDK key in all output.
  package static let redactedKey = "REDACTED"
  /// The key that is sent if there is none: the placeholder of the documents.
  package static let placeholderKey = "YOUR_SDK_KEY"

  /// Passes each parameter to the function for its kind of value.
  ///
  /// - Parameters:
  ///   - parameters: in the order of the calls.
  ///   - text: receives a value of the phone or the event, or the text for an entry that is not set; nil for the bare
  ///     name.
  ///   - value: receives an entry of the store.
  ///   - sums: receives a revenue entry.
  @inline(__always)
  private func forEach(
    _ parameters: [QueryParameter], sdkKey: String, text: (QueryParameter, String?) -> Void,
    value: (QueryParameter, KeptValue) -> Void, sums: (QueryParameter, RevenueTable) -> Void
  ) {
    let api = api
    // If reading the store crashes the app, it makes no request.
    let isReadable = device.kept.poison(in: api) == nil
    let slots = QueryParameter.slots
    for parameter in parameters {
      let slot = Int(slots[parameter.rawValue])
      if slot >= 0 {
        if isReadable, StoredSums.slots.contains(slot), let table = device.kept.sums[slot] {
          sums(parameter, table)
        } else if isReadable, let number = device.kept.value(inSlot: slot) {
          value(parameter, number)
        } else if api.sendsUnset {
          text(parameter, parameter.entry?.unsetText)
        }
      } else if case .sdkKey = parameter {
        text(parameter, sdkKey)
      } else if case .eventName = parameter {
        text(parameter, eventName)
      } else if let own = device.text(ofProfile: parameter) {
        text(parameter, own)
      }
    }
  }

  /// All parameters, in the order of sending.
  package func queryItems(sdkKey: String) -> [QueryItem] {
    var items: [QueryItem] = []
    forEach(
      api.parameters, sdkKey: sdkKey, text: { items.append(QueryItem($0.name, $1)) },
      value: { items.append(QueryItem($0.name, $1.decimalText)) },
      sums: { items.append(QueryItem($0.name, $1.requestText)) })
    return items
  }

  /// Writes all parameters as members of an object, with the SDK key redacted.
  package func writeParameters(to writer: inout JSONWriter) {
    let names = QueryParameter.quotedNames
    writer.beginObject()
    forEach(
      writer.layout.isLiteral ? api.parameters : api.parametersByName, sdkKey: Self.redactedKey,
      text: {
        writer.key($0.rawValue, of: names)
        if let text = $1 { writer.append(text) } else { writer.null() }
      },
      value: {
        writer.key($0.rawValue, of: names)
        writer.append(decimal: $1)
      },
      sums: {
        writer.key($0.rawValue, of: names)
        writer.append(quotedSums: $1)
      })
    writer.endObject()
  }

  /// Writes a question mark and the query as it is sent, with the SDK key redacted.
  package func writeQuery(to writer: inout JSONWriter) {
    let start = writer.text.count
    let names = QueryParameter.namesInQuery
    forEach(
      api.parameters, sdkKey: Self.redactedKey,
      text: {
        writer.text.append($0.rawValue, of: names)
        if let text = $1 { writer.text.append(queryEscaped: text) } else { writer.text.count -= 1 }
      },
      value: {
        writer.text.append($0.rawValue, of: names)
        writer.text.append(decimal: $1)
      },
      sums: {
        writer.text.append($0.rawValue, of: names)
        writer.append($1, in: .query)
      })
    if writer.text.count > start { unsafe writer.text.bytes[start] = UInt8(ascii: "?") }
  }
}

extension Device {
  /// The request of an update that begins now.
  package func request(event name: String) -> ConversionRequest { ConversionRequest(self, eventName: name) }

  /// The profile's value of a parameter; nil if it has none or the parameter carries something else.
  package func text(ofProfile parameter: QueryParameter) -> String? {
    switch parameter {
    case .iosVersion: sharedProfile.value.ios.text
    case .bundleID: sharedProfile.value.bundleID
    case .appVersion: sharedProfile.value.appVersion
    case .platform: "iOS"
    case .idfv: sharedProfile.value.idfv
    case .idfa: sharedProfile.value.idfa
    default: nil
    }
  }
}
