import SKANBase

/// The GET that an update sends: its parameters in order; see the article "Requests".
package struct ConversionRequest: Sendable {
  /// The phone as it was when the request was built: before the update.
  private let device: Device
  package let eventName: String

  init(_ device: Device, eventName: String) {
    self.device = device
    self.eventName = eventName
  }

  /// What the app kept.
  package var kept: KeptState { device.kept }

  /// What stands for the SDK key in everything that we print.
  package static let redactedKey = "REDACTED"
  /// What goes out as the key when there is none: the placeholder of the documents.
  package static let placeholderKey = "YOUR_SDK_KEY"

  /// The value of a parameter.
  private enum Value {
    /// The bare name.
    case none
    case text(String)
    case kept(KeptValue)
    case revenue(RevenueTable)
  }

  /// The value of a parameter; nil where it is not sent.
  ///
  /// - Parameter isReadable: whether reading the store gives anything; else it crashes the app, which then makes no request.
  private func value(of parameter: QueryParameter, sdkKey: String, isReadable: Bool) -> Value? {
    guard let entry = parameter.entry else {
      switch parameter {
      case .sdkKey: return .text(sdkKey)
      case .eventName: return .text(eventName)
      default: return device.profile.text(parameter).map(Value.text)
      }
    }
    if isReadable {
      if let table = device.kept.revenue(entry) { return .revenue(table) }
      if let value = device.kept.value(entry) { return .kept(value) }
    }
    return api.sendsUnset ? entry.unsetText.map(Value.text) ?? Value.none : nil
  }

  private var api: EndpointAPI { device.snippet.rules.api }

  private var isReadable: Bool { device.kept.poison(in: api) == nil }

  /// Every parameter, in the order in which it goes out.
  package func queryItems(sdkKey: String) -> [QueryItem] {
    let isReadable = isReadable
    return api.parameters.compactMap { parameter in
      value(of: parameter, sdkKey: sdkKey, isReadable: isReadable).map { value in
        switch value {
        case .none: QueryItem(parameter.name, nil)
        case .text(let text): QueryItem(parameter.name, text)
        case .kept(let value): QueryItem(parameter.name, value.decimalText)
        case .revenue(let table): QueryItem(parameter.name, table.requestText)
        }
      }
    }
  }

  /// Writes every parameter as a member of an object, the SDK key redacted.
  package func writeParameters(to writer: inout JSONWriter) {
    let isReadable = isReadable
    writer.beginObject()
    for parameter in writer.layout.isLiteral ? api.parameters : api.parametersByName {
      guard let value = value(of: parameter, sdkKey: Self.redactedKey, isReadable: isReadable) else { continue }
      writer.key(parameter.rawValue, of: QueryParameter.quotedNames)
      switch value {
      case .none: writer.null()
      case .text(let text): writer.append(text)
      case .kept(let value): writer.append(decimal: value)
      case .revenue(let table): writer.append(quoting: { $0.append(table) })
      }
    }
    writer.endObject()
  }

  /// Adds the query as it goes out, the SDK key redacted.
  package func appendQuery(to text: inout ByteText) {
    let isReadable = isReadable
    var isFirst = true
    for parameter in api.parameters {
      guard let value = value(of: parameter, sdkKey: Self.redactedKey, isReadable: isReadable) else { continue }
      if !isFirst { text.append(UInt8(ascii: "&")) }
      isFirst = false
      text.append(parameter.name)
      if case .none = value { continue }
      text.append(UInt8(ascii: "="))
      switch value {
      case .none: break
      case .text(let value): text.append(queryEscaped: value)
      case .kept(let value): text.append(decimal: value)
      case .revenue(let table):
        let start = text.count
        text.append(table)
        unsafe text.rewrite(from: start, growth: 3) { text, end in unsafe text.append(queryEscaped: end) }
      }
    }
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
