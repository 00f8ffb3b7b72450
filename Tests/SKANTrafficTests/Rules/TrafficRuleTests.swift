import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("The rules of traffic")
struct TrafficRuleTests {
  @Test("A clean life of 36 days with forwarding breaks none") func cleanLife() throws {
    let checked = try Checked(fixture: "clean-life.ndjson")
    #expect(checked.text == [])
    #expect(checked.summary.requests == 40 && checked.summary.devices == 1)
    #expect(
      checked.summary.gaps.map(\.rule) == [.keyDiffers, .sameAddress],
      "what the clean life cannot show: \(checked.summary.gaps)")
  }

  @Test("Each rule has a capture in which it fires, and no other", arguments: TrafficRule.allCases)
  func fixture(rule: TrafficRule) throws {
    let folder = Checkout.fixtures.appending(path: "traffic/rules")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("\(rule.id).") }
    #expect(names.count == 1, "\(rule.id)")
    for name in names {
      let checked = try Checked(fixture: "rules/\(name)", rule.context)
      #expect(checked.rules == [rule.id], "\(name): \(checked.text)")
      if case .all(let reason)? = checked.summary.gap(of: rule) {
        Issue.record("\(name): \(rule.id) fires and is not evaluated: \(reason)")
      }
    }
  }

  @Test("Each rule has its texts", arguments: TrafficRule.allCases)
  func texts(rule: TrafficRule) throws {
    #expect(rule.text.hasSuffix(".") && rule.remedy.hasSuffix("."))
    #expect(rule.text != rule.remedy)
    #expect(
      rule.id.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") } && rule.id == rule.id.lowercased())
    let article = Checkout.root.appending(path: "Sources/SKANDevice/SKANDevice.docc/\(rule.article).md")
    #expect(FileManager.default.fileExists(atPath: article.path), "\(rule.article)")
  }

  @Test("No text stands for two rules") func noText() {
    #expect(Set(TrafficRule.allCases.map(\.text)).count == TrafficRule.allCases.count)
  }
}
