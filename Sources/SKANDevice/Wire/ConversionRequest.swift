import SKANBase

/// The GET that an update sends: its parameters in order; see the article "Requests".
///
/// A class, so that all that shows it hands on a reference.
package final class ConversionRequest: Sendable {
  /// The phone as it was when the request was built: before the update.
  private let device: Device
  package let eventName: String

  init(_ device: Device, eventName: String) {
    self.device = device
    self.eventName = eventName
  }

  /// The app's state.
  package var kept: KeptState { _read { yield device.kept } }

  private var api: EndpointAPI { device.traits.api }

  /// The placeholder for the SDK key in everything that we print.
  package static let redactedKey = "REDACTED"
  /// What goes out as the key when there is none: the placeholder of the documents.
  package static let placeholderKey = "YOUR_SDK_KEY"

  /// Passes each parameter that is sent to the function for its kind of value.
  ///
  /// - Parameters:
  ///   - parameters: in the order in which they are passed.
  ///   - text: takes something of the phone or of the event, or what stands for an entry that is not set; nil for the bare name.
  ///   - value: takes an entry of the store.
  ///   - sums: takes one of revenue.
  @inline(__always)
  private func forEach(
    _ parameters: [QueryParameter], sdkKey: String, text: (QueryParameter, String?) -> Void,
    value: (QueryParameter, KeptValue) -> Void, sums: (QueryParameter, RevenueTable) -> Void
  ) {
    let (api, profile) = (api, device.profile)
    // Where reading the store crashes the app, it makes no request.
    let isReadable = device.kept.poison(in: api) == nil
    for parameter in parameters {
      if let entry = parameter.entry {
        if isReadable, let table = device.kept.revenue(entry) {
          sums(parameter, table)
        } else if isReadable, let number = device.kept.value(entry) {
          value(parameter, number)
        } else if api.sendsUnset {
          text(parameter, entry.unsetText)
        }
      } else if case .sdkKey = parameter {
        text(parameter, sdkKey)
      } else if case .eventName = parameter {
        text(parameter, eventName)
      } else if let own = profile.text(parameter) {
        text(parameter, own)
      }
    }
  }

  /// Every parameter, in the order in which it goes out.
  package func queryItems(sdkKey: String) -> [QueryItem] {
    var items: [QueryItem] = []
    forEach(
      api.parameters, sdkKey: sdkKey, text: { items.append(QueryItem($0.name, $1)) },
      value: { items.append(QueryItem($0.name, $1.decimalText)) },
      sums: { items.append(QueryItem($0.name, $1.requestText)) })
    return items
  }

  /// Writes every parameter as a member of an object, the SDK key redacted.
  package func writeParameters(to writer: inout JSONWriter) {
    writer.beginObject()
    forEach(
      writer.layout.isLiteral ? api.parameters : api.parametersByName, sdkKey: Self.redactedKey,
      text: {
        writer.key($0.rawValue, of: QueryParameter.quotedNames)
        if let text = $1 { writer.append(text) } else { writer.null() }
      },
      value: {
        writer.key($0.rawValue, of: QueryParameter.quotedNames)
        writer.append(decimal: $1)
      },
      sums: {
        writer.key($0.rawValue, of: QueryParameter.quotedNames)
        writer.text.append(UInt8(ascii: "\""))
        writer.append($1, in: .string)
        writer.text.append(UInt8(ascii: "\""))
      })
    writer.endObject()
  }

  /// Writes a question mark and the query as it goes out, the SDK key redacted.
  package func writeQuery(to writer: inout JSONWriter) {
    let start = writer.text.count
    forEach(
      api.parameters, sdkKey: Self.redactedKey,
      text: {
        writer.text.append($0.rawValue, of: QueryParameter.namesInQuery)
        if let text = $1 { writer.text.append(queryEscaped: text) } else { writer.text.count -= 1 }
      },
      value: {
        writer.text.append($0.rawValue, of: QueryParameter.namesInQuery)
        writer.text.append(decimal: $1)
      },
      sums: {
        writer.text.append($0.rawValue, of: QueryParameter.namesInQuery)
        writer.append($1, in: .query)
      })
    if writer.text.count > start { unsafe writer.text.bytes[start] = UInt8(ascii: "?") }
  }
}

extension DeviceProfile {
  /// What a parameter carries of the phone; nil when there is none, and for every other parameter.
  package func text(_ parameter: QueryParameter) -> String? {
    switch parameter {
    case .iosVersion: ios.text
    case .bundleID: bundleID
    case .appVersion: appVersion
    case .platform: "iOS"
    case .idfv: idfv
    case .idfa: idfa
    default: nil
    }
  }
}
