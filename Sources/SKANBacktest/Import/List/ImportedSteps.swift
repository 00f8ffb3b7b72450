import SKANDevice
import SKANBase

/// Writes the steps of a device as lines of an event list.
package struct ImportedSteps {
  /// How many there are.
  package private(set) var count = 0
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Empties it; the count goes on.
  package mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

  /// Adds a device: its install, its registration, and what it did, revenue before the event that it is of.
  package mutating func add(_ device: ImportedDevice) {
    guard let first = device.records.first else { return }
    let quoted = Self.quoted(first.device)
    var text = ByteText()
    begin("device", quoted, nil, &text)
    end(&text)
    begin("register", quoted, device.start ?? first.time, &text)
    end(&text)
    for record in device.records {
      if let revenue = record.revenue {
        begin("revenue", quoted, record.time, &text)
        text.append(",\"amount\":\(revenue.amount.jsonText),\"currency\":\"\(revenue.currency.name)\"")
        if revenue.isAdMonetization { text.append(",\"ad_monetization\":true") }
        end(&text)
      }
      switch record.kind {
      case .install, .revenue: break
      case .session:
        begin("session", quoted, record.time, &text)
        end(&text)
      case .event:
        begin("event", quoted, record.time, &text)
        text.append(",\"name\":")
        text.append(Self.quoted(record.name))
        end(&text)
      }
    }
    text.append(to: &bytes)
  }

  private mutating func begin(_ name: StaticString, _ device: String, _ time: Instant?, _ text: inout ByteText) {
    count += 1
    text.append("{\"op\":\"\(name)\"")
    if let time { text.append(",\"at\":\(JSONWriter.text(time))") }
    text.append(",\"device\":")
    text.append(device)
  }

  private func end(_ text: inout ByteText) { text.append("}\n") }

  /// As a string of a list, in which `${` stands for itself.
  private static func quoted(_ text: String) -> String {
    let quoted = JSONWriter.quoted(text)
    return quoted.contains("${") ? quoted.replacing("${", with: "$${") : quoted
  }
}
