@testable import SKANDevice

/// Where every phone of these tests begins: 2026-01-01T00:00:00Z.
let start: Int64 = 1_767_225_600
let day: Int64 = 86_400

/// The moment this many seconds after the beginning.
func moment(_ seconds: Double) -> Instant {
  Instant(microseconds: start * 1_000_000 + Int64((seconds * 1e6).rounded()))
}

func moment(_ seconds: some BinaryInteger) -> Instant { moment(Double(seconds)) }

extension Device {
  /// A phone of an organic install, whose framework takes every call.
  static func phone(
    _ snippet: SnippetVersion = .skan4, ios: IOSVersion = IOSVersion(17, 4), ad: AdAttribution? = nil,
    registered: Bool = true
  ) -> Device {
    var profile = DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    profile.snippet = snippet
    profile.ios = ios
    profile.ad = ad
    var device = Device(profile)
    if registered { _ = device.register(at: moment(0)) }
    return device
  }

  /// One update from its call to the end: `answer` is a body.
  mutating func update(
    _ answer: String, at seconds: Int64 = 60, arriving arrival: Int64? = nil,
    options: UpdateOptions = UpdateOptions()
  ) -> StepReport {
    update(
      .response(status: 200, body: Array(answer.utf8)), at: seconds, arriving: arrival, options: options)
  }

  mutating func update(
    _ answer: EndpointAnswer, at seconds: Int64 = 60, arriving arrival: Int64? = nil,
    options: UpdateOptions = UpdateOptions()
  ) -> StepReport {
    switch beginUpdate(at: moment(seconds)) {
    case .ended(let report): report
    case .request: finishUpdate(SnippetAnswer(answer), at: moment(arrival ?? seconds), options: options)
    }
  }

  /// The details as results show them, or nil when reading them crashes the app.
  var detailTexts: [String: String]? {
    guard let details = try? details() else { return nil }
    return Dictionary(
      uniqueKeysWithValues: details.entries.map { key, value in
        switch value {
        case .text(let text): (key.name, text)
        case .revenue(let table): (key.name, table.requestText)
        }
      })
  }
}

extension StepReport {
  /// The phones of these tests are organic installs unless a test says otherwise, of which each call is reported.
  var codes: [String] { warnings.filter { $0 != .organicInstall }.map(\.code) }
}

/// A good answer; nil leaves a field out.
func good(_ fine: String, coarse: String? = nil, lock: String? = nil, index: String? = nil) -> String {
  let fields = [
    "\"conversion_value\":\(fine)", coarse.map { "\"skan_updated_coarse_value\":\($0)" },
    lock.map { "\"skan_updated_lock_window_value\":\($0)" }, index.map { "\"postback_sequence_index\":\($0)" },
    "\"status\":\"ok\"",
  ]
  return "{\(fields.compactMap(\.self).joined(separator: ","))}"
}
