import SKANDevice
import SKANBase
import SKANSystem
import SKANRun
import Testing

@Suite("The device file: what Apple holds, and what happened")
struct DeviceFileFrameworkTests {
  private static let beginning = Instant(microseconds: 1_767_225_600_250_000)

  private static func after(_ hours: Int64) -> Instant {
    Instant(microseconds: beginning.microseconds + hours * 3_600_000_000)
  }

  private func read(_ text: String) throws -> DeviceFile { try DeviceFile(Array(text.utf8)) }

  private static func good(_ answer: String) -> SnippetAnswer {
    SnippetAnswer(.response(status: 200, body: Array(answer.utf8)))
  }

  /// A phone with everything that Apple can hold for an ad of this version.
  private static func file(_ version: String?) -> DeviceFile {
    var profile = DeviceProfile(idfv: "V")
    profile.ad?.version = version ?? "4.0"
    if version == nil { profile.ad = nil } else if version != "4.0" { profile.ad?.campaign = .campaignID(42) }
    var device = Device(profile)
    device.framework.launched(at: beginning)
    _ = device.register(at: after(1))
    let coarse = #"{"conversion_value":5,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}"#
    for hours: Int64 in [2, 50, 60, 200] {
      _ = device.beginUpdate(at: after(hours))
      _ = device.finishUpdate(good(hours == 60 ? #"{"conversion_value":6}"# : coarse), at: after(hours))
    }
    return DeviceFile(device: device)
  }

  @Test("What Apple holds comes back as it was", arguments: ["4.0", "3.0", "2.0", nil])
  func framework(version: String?) throws {
    let file = Self.file(version)
    #expect((file.phone.device.framework == AppleFramework()) == false)
    let again = try read(file.text)
    #expect(again == file && again.phone.device.framework == file.phone.device.framework)
    #expect(again.text == file.text)
  }

  @Test("The text of it")
  func text() {
    let text = Self.file("4.0").text
    #expect(
      text.contains(
        """
          "framework": {
            "first_launch": 1767225600.25,
            "first_update": 1767229200.25,
            "latest_call": 1767945600.25,
            "version": "4.0",
            "p0": {
              "updated": true,
              "fine": 5,
              "coarse": "high",
              "locked_at": 1767232800.25
            },
            "p1": {
              "updated": true,
              "coarse": "high",
              "locked_at": 1767405600.25
            },

        """))
    #expect(Self.file("3.0").text.contains("    \"timer_start\": 1767232800.25,\n"))
  }

  static let history: [LifeEvent] = {
    let fates = CallFate.Kind.allCases
    let outcomes = Outcome.allCases
    let calls: [FrameworkCall?] = [
      .register, .updateConversionValue(64), .updatePostback(fine: 0),
      .updatePostbackCoarse(fine: 1, coarse: nil, lock: false),
      .updatePostbackCoarse(fine: 2, coarse: .high, lock: true),
      nil,
    ]
    let kinds: [LifeEvent.Kind] = [
      .register, .session, .event(""), .event("e\u{301}\n\"😀"), .update, .relaunch,
      .revenue(amount: -9.99, currency: "USD", isAdMonetization: true),
      .revenue(amount: 1e-300, currency: "", isAdMonetization: false),
    ]
    let accounts: [LifeEvent.Account?] = [
      nil, .init(answeredBy: nil, warnings: []), .init(answeredBy: "model a\n\"b\".json", warnings: [.detailsStale]),
      .init(answeredBy: "", warnings: WarningCode.allCases), .init(answeredBy: nil, warnings: [.oddType, .oddType]),
    ]
    return (0..<max(fates.count, outcomes.count, calls.count, kinds.count)).map { index in
      let call = calls[index % calls.count]
      return LifeEvent(
        at: after(Int64(index)), kinds[index % kinds.count], outcomes[index % outcomes.count], call: call,
        fate: call.map { _ in fates[index % fates.count] }, error: call != nil && index % 3 == 0 ? 10 : nil,
        account: accounts[index % accounts.count])
    }
  }()

  static let deliveries: [Delivery] = [
    Delivery(
      at: after(1), transactionID: "52edafaf", window: .p0, recipient: .network, url: "http://localhost/",
      result: .answered(status: 100)),
    Delivery(
      at: after(2), transactionID: "52edafaf", window: .p1, recipient: .developer, url: "https://example.com/a?",
      result: .answered(status: 999)),
    Delivery(
      at: after(3), transactionID: "", window: .p2, recipient: .network, url: "", result: .failed("nobody\nanswered")),
  ]

  @Test("Every kind of event and delivery comes back")
  func records() throws {
    var file = Self.file("4.0")
    file.history = Self.history
    file.deliveries = Self.deliveries
    let again = try read(file.text)
    #expect(again == file && again.history == Self.history && again.deliveries == Self.deliveries)
    #expect(again.text == file.text, "written again it is the same text")
  }

  @Test("A format 1 file: what Apple holds is told by its calls, and it is written as format 3")
  func format1() throws {
    var file = Self.file("4.0")
    file.callsBeforeHistory = [
      RecordedCall(at: Self.after(1), call: .updatePostback(fine: 0), error: nil),
      RecordedCall(at: Self.after(2), call: .updatePostbackCoarse(fine: 5, coarse: .high, lock: true), error: nil),
      RecordedCall(at: Self.after(3), call: .updatePostbackCoarse(fine: 9, coarse: .low, lock: true), error: 10),
      RecordedCall(at: Self.after(50), call: .updatePostbackCoarse(fine: 5, coarse: .high, lock: true), error: nil),
      RecordedCall(at: Self.after(60), call: .updatePostbackCoarse(fine: 6, coarse: nil, lock: false), error: nil),
      RecordedCall(at: Self.after(200), call: .updatePostbackCoarse(fine: 5, coarse: .high, lock: true), error: nil),
    ]
    let old = try read(Self.asFormat1(file))
    #expect(old.phone.device.framework.held == file.phone.device.framework.held)
    #expect(old.phone.device.framework.firstUpdate == file.phone.device.framework.firstUpdate)
    #expect(old.phone.device.framework.firstLaunch == nil, "it is not known any more")
    #expect(old.history == [] && old.deliveries == [] && old.phone.device.kept == file.phone.device.kept)
    #expect(old.text.hasPrefix("{\n  \"format\": 3,\n"))
    #expect(try read(old.text) == old)
  }

  @Test("A format 1 file without its calls: what Apple holds is assumed from what the app keeps")
  func assumed() throws {
    let file = Self.file("4.0")
    let old = try read(Self.asFormat1(file))
    let held = old.phone.device.framework.held
    #expect(held[.p0].fine == 5 && held[.p0].coarse == .high && held[.p0].lockedAt?.wholeSeconds == 1_767_232_800)
    #expect(held[.p1].coarse == nil && held[.p1].lockedAt?.wholeSeconds == 1_767_405_600)
    #expect(held[.p2].coarse == .high && old.phone.device.framework.version == .v4)
    let organic = try read(Self.asFormat1(Self.file(nil)))
    #expect(organic.phone.device.framework == AppleFramework())
  }

  @Test("A format 2 file: its calls are those of its history, but for the ones before it")
  func format2() throws {
    var file = Self.file("4.0")
    file.callsBeforeHistory = [
      RecordedCall(at: Self.after(1), call: .updatePostback(fine: 0), error: 7),
      RecordedCall(at: Self.after(2), call: .updatePostback(fine: 1), error: nil),
    ]
    let call = FrameworkCall.updatePostbackCoarse(fine: 5, coarse: .high, lock: true)
    file.history = [
      LifeEvent(at: Self.after(3), .register, .registered),
      LifeEvent(at: Self.after(4), .session, .updated, call: call, fate: .refused, error: 10),
      LifeEvent(at: Self.after(5), .session, .updated, call: call, fate: .taken),
    ]
    let calls =
      file.callsBeforeHistory + [
        RecordedCall(at: Self.after(4), call: call, error: 10), RecordedCall(at: Self.after(5), call: call, error: nil),
      ]
    #expect(try read(Self.asFormat2(file, calls)) == file)
    // One that a person has changed keeps all of its calls.
    for changed in [Array(calls.dropLast()), calls.reversed(), Array(calls.suffix(1))] {
      let kept = try read(Self.asFormat2(file, changed))
      #expect(kept.callsBeforeHistory == changed && kept.history.map(\.error) == [nil, nil, nil])
      #expect(try read(kept.text) == kept)
    }
  }

  /// The same file as format 2 had it: with a list of all calls, and no error in the history.
  private static func asFormat2(_ file: DeviceFile, _ calls: [RecordedCall]) throws -> String {
    guard case .object(let members) = try JSONReader.read(Array(file.text.utf8)).value else { return "" }
    let old = members.filter { $0.key != "framework_calls" }.map { key, value -> (key: String, value: JSON) in
      switch (key, value) {
      case ("format", _): return (key, .integer(2))
      case ("history", .array(let events)): return (key, .array(events.map(withoutError)))
      default: return (key, value)
      }
    }
    return JSONWriter.text(.object(old + [("framework_calls", .array(calls.map(\.json)))]))
  }

  private static func withoutError(_ event: JSON) -> JSON {
    guard case .object(let members) = event else { return event }
    return .object(members.filter { $0.key != "error" })
  }

  /// The same file as it was written before there was a framework in it.
  private static func asFormat1(_ file: DeviceFile) throws -> String {
    guard case .object(let members) = try JSONReader.read(Array(file.text.utf8)).value else { return "" }
    let old = members.filter { !["framework", "history", "deliveries"].contains($0.key) }
      .map { ($0.key, $0.key == "format" ? .integer(1) : $0.value) }
    return JSONWriter.text(.object(old))
  }
}
