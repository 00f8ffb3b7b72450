import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import Testing

@testable import SKANTraffic

@Suite("The samples of the guides")
struct GuideSampleTests {
  /// A value for each placeholder, by the parameter that has it.
  private static let values = [
    "a": "k", "i": "com.example.app", "app_v": "1.0", "idfv": "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
    "idfa": "DFC5A647-9043-4699-B2A5-76F03A97064B",
  ]

  /// Objective-C for SKAN 4 and for SKAN 3, curl, Python (with the text of its dictionaries), and Java.
  private func samples() throws -> [CapturedRequest] { try Captured(fixture: "guide-samples.txt").requests }

  private func placeholders(_ request: CapturedRequest) throws -> [String] {
    let sent = try #require(SentParameters(request.request.query ?? ""))
    return sent.items.filter { String.guidePlaceholders.contains($0.value ?? "") }.map(\.name)
  }

  @Test("Every placeholder is named, and no other parameter") func everyPlaceholder() throws {
    let samples = try samples()
    var names: Set<String> = []
    for sample in samples {
      let found = try Checked([sample]).findings
      #expect(found.allSatisfy { $0.rule == .guidePlaceholder }, "\(found)")
      #expect(Set(found.flatMap(\.parameters)) == Set(try placeholders(sample)), "\(found)")
      names.formUnion(found.flatMap(\.parameters))
    }
    #expect(samples.count == 5 && names == ["a", "i", "app_v", "idfv", "idfa"])
  }

  @Test("Without its placeholders each passes", arguments: [nil, ConversionClient.server, .snippet])
  func replaced(client: ConversionClient?) throws {
    for (index, sample) in try samples().enumerated() {
      var sample = sample
      for name in try placeholders(sample) {
        let value = try #require(Self.values[name])
        let items = (sample.request.query ?? "").split(separator: "&").map { item in
          item.hasPrefix("\(name)=") ? "\(name)=\(value)" : String(item)
        }
        sample.request.target.query = items.joined(separator: "&")
      }
      let rules = try Checked([sample], TrafficContext(client: client)).rules
      // The snippet has no coarse value of a later window on the first day, and a server always has one.
      switch (client, index) {
      case (.snippet, 2...): #expect(rules == ["window-too-early"])
      case (.server, 0): #expect(rules == ["server-parameter-missing"])
      default: #expect(rules == [], "\(index)")
      }
    }
  }
}
