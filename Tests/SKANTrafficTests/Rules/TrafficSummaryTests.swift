import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("What was checked and what was not")
struct TrafficSummaryTests {
  private static let launch =
    "https://s2s.singular.net/api/v1/launch?a=KEY&p=iOS&i=com.example.app&ip=172.58.29.235&ve=17.4"
    + "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&att_authorization_status=0&ma=Apple&mo=iPhone14,5&lc=en_US&bd=21E236"
    + "&app_v=1&install=true&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1767225600"
    + "&skan_last_call_to_skadnetwork_timestamp=1767225600"

  private func captured(
    _ url: String, at seconds: Int64? = nil, _ answer: CapturedAnswer = .notCaptured, entry: Int = 1
  )
    -> CapturedRequest
  {
    CapturedRequest(
      .get(url), at: seconds.flatMap(Instant.init(unixSeconds:)), answer: answer,
      location: CaptureLocation(file: "-", entry: entry, line: entry))
  }

  @Test("Without requests no rule was evaluated") func withoutRequests() {
    #expect(TrafficChecker().summary.gaps.count == TrafficRule.allCases.count)
  }

  @Test("What an input lacks is said") func whatInput() {
    var checker = TrafficChecker()
    #expect(checker.check(captured(Self.launch), kind: .launch) == [])
    #expect(checker.finish() == [])
    #expect(checker.summary.gap(of: .plusInName) == .all("no conversion_value requests"))
    #expect(checker.summary.gap(of: .amountForm) == .all("no evt requests"))
    #expect(checker.summary.gap(of: .sameAddress) == .all("fewer than three devices with an address"))
    #expect(checker.summary.gap(of: .localeForm) == nil)
    #expect(checker.summary.gap(of: .keyDiffers) == nil)
    let redacted = Self.launch.replacing("KEY", with: "REDACTED")
    _ = checker.check(captured(redacted, entry: 2), kind: .launch)
    #expect(checker.summary.gap(of: .keyDiffers) == .part("1 of 2 requests have no SDK key"))
    #expect(checker.summary.requests == 2 && checker.summary.devices == 1)
  }

  @Test("A POST whose form was not captured is counted and not checked") func postWhose() {
    var checker = TrafficChecker()
    let request = HTTPRequest.post("https://s2s.singular.net/api/v1/evt", body: [])
    let location = CaptureLocation(file: "-", entry: 1, line: 1)
    #expect(checker.check(CapturedRequest(request, location: location), kind: .event(.v1)) == [])
    #expect(checker.summary.withoutForm == 1 && checker.summary.events == 1 && checker.summary.devices == 0)
  }

  @Test("A finding has its location and device") func findingHas() throws {
    var checker = TrafficChecker()
    let findings = checker.check(
      captured(Self.launch.replacing("en_US", with: "en-US"), at: 5, entry: 7), kind: .launch)
    let finding = try #require(findings.first)
    #expect(findings.count == 1 && finding.rule == .localeForm && finding.location.entry == 7)
    #expect(finding.device?.description == "com.example.app, idfv 21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    #expect(finding.at?.wholeSeconds == 5)
    #expect(checker.summary.findings == [.localeForm: 1] && checker.summary.count(.warning) == 1)
  }
}
