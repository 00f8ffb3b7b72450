import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("Sessions without their update")
struct SessionUpdateTests {
  /// The clean life with changes; the rules about pairs that fire.
  private func found(_ plant: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    plant(&life)
    return try Checked(life.requests).text.filter { $0.contains("-updated") }
  }

  private static let session = "conversion_value was not asked at its start, only later with"

  @Test("The session is named, and later ones are in step") func sessionNamed() throws {
    #expect(
      try found { $0.requests.remove(at: 7) }
        == ["9 session-not-updated: \(Self.session) __ADMON_USER_LEVEL_REVENUE__ (entry 10)."])
  }

  @Test("Of an app that never asks for a session the first launch alone is right") func appNever() throws {
    let found = try found { life in
      // The second session shows the state of the registration.
      for name in ["skan_current_conversion_value", "prev_fine_value", "p0_coarse"] {
        life.set(name, [3], to: life.value(name, 1))
      }
      life.set(
        "skan_last_call_to_skadnetwork_timestamp", [3], to: life.value("skan_last_call_to_skadnetwork_timestamp", 1))
      life.requests.removeSubrange(7...)
      life.requests.remove(at: 1)
    }
    #expect(found == ["3 session-not-updated: \(Self.session) tutorial (entry 4)."])
  }

  @Test("The first launch needs none") func firstLaunch() throws {
    #expect(
      try found { life in
        life.requests.removeSubrange(5...)
        life.requests.removeSubrange(1...2)
      } == [])
  }

  @Test("After the windows, and at the beginning of a capture, none is missed") func afterWindows() throws {
    #expect(
      try found { life in
        life.move(36, toHour: 865)
        life.set("n", [36], to: "purchase")
        life.requests.swapAt(35, 38)
        life.requests.removeSubrange(36...37)
      }.filter { $0.contains("session-not-updated") } == [])
    let cut = try found { $0.requests.removeFirst(8) }
    #expect(!cut.contains { $0.contains("session-not-updated") }, "\(cut)")
  }

  @Test("An update within a minute of the report is one", arguments: [(60, false), (61, true)])
  func minute(seconds: Int64, isFound: Bool) throws {
    let found = try found { life in
      let session = life.requests.remove(at: 7)
      life.requests.insert(session, at: 9)
      let start = life.requests[7].at?.wholeSeconds ?? 0
      life.requests[8].at = Instant(unixSeconds: start + 1)
      life.requests[9].at = Instant(unixSeconds: start + seconds)
      life.requests[10].at = Instant(unixSeconds: start + seconds + 1)
    }
    #expect(found.contains { $0.contains("session-not-updated") } == isFound, "\(found)")
  }
}
