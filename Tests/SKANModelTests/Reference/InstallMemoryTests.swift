import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("What a server remembers of an install")
struct InstallMemoryTests {
  private static let total = "skan_total_revenue_by_currency"

  /// Medium from 5 dollars, high from 10, in each later window.
  private func phone() throws -> TestPhone {
    try TestPhone(
      try Models.read(
        Part.model(
          windows: (0...2).map {
            Part.window(
              $0, low: Part.event("__SESSION__"), medium: Part.revenue(5, nil), high: Part.revenue(10, nil))
          })))
  }

  private func request(_ sums: [String: String]) -> TestRequest { TestRequest(.v2, sums.mapValues { $0 }) }

  @Test("The life-long total alone: less the last of an earlier window")
  func lessEarlier() throws {
    var phone = try phone()
    _ = phone.ask(request([Self.total: #"{"USD":1}"#]), hours: 1)
    _ = phone.ask(request([Self.total: #"{"USD":7}"#]), hours: 47)
    let first = phone.ask(request([Self.total: #"{"USD":13}"#]), hours: 50)
    #expect(first?.coarse == 1)
    #expect(
      first?.explanation.hasSuffix(" The revenue of P1 is the lifetime total minus that of the last request in P0.")
        == true)
    #expect(phone.ask(request([Self.total: #"{"USD":17}"#]), hours: 60)?.coarse == 2)
    #expect(phone.ask(request([Self.total: #"{"USD":18}"#]), hours: 200)?.coarse == 0)
    let last = phone.ask(request([Self.total: #"{"USD":27}"#]), hours: 300)
    #expect(last?.coarse == 2)
    #expect(last?.explanation.contains("in P1.") == true)
  }

  @Test("Ad revenue by itself, and a currency that is new")
  func kinds() throws {
    var phone = try phone()
    _ = phone.ask(request([Self.total: #"{"USD":100}"#]), hours: 1)
    let sums = [Self.total: #"{"USD":100}"#, "skan_total_admon_revenue_by_currency": #"{"USD":6}"#]
    #expect(phone.ask(request(sums), hours: 50)?.coarse == 1)
    #expect(phone.ask(request([Self.total: #"{"USD":110}"#]), hours: 50)?.coarse == 2)
  }

  @Test("None was seen: none of it counts, and that is said")
  func noneSeen() throws {
    for hours in [50.0, 200] {
      var phone = try phone()
      let reply = phone.ask(request([Self.total: #"{"USD":100}"#]), hours: hours)
      #expect(reply?.coarse == 0)
      #expect(
        reply?.explanation.contains("The request has only the lifetime revenue, and none of it counts") == true)
    }
  }

  @Test("Who sends any window's revenue means none by leaving one out")
  func stated() throws {
    var phone = try phone()
    _ = phone.ask(request([:]), hours: 1)
    let reply = phone.ask(request([Self.total: #"{"USD":100}"#, "p0_total_iap_revenue": #"{"USD":100}"#]), hours: 50)
    #expect(reply?.coarse == 0)
    #expect(reply?.explanation.hasSuffix("coarse low.") == true)
  }

  @Test("A refused request is not remembered")
  func refused() throws {
    var phone = try phone()
    _ = phone.ask(request([Self.total: #"{"GBP":5}"#]), hours: 1)
    #expect(phone.ask(request([Self.total: #"{"USD":100}"#]), hours: 50)?.coarse == 0)
  }

  private func sessions() throws -> TestPhone { try TestPhone(try Models.example("engagement")) }

  @Test("A test's next run has the first call of the one before: counted anew")
  func nextRun() throws {
    var phone = try sessions()
    for _ in 1...2 {
      let first = phone.ask(TestRequest(), hours: 1)
      #expect(first?.fine == 1)
      let answered = TestRequest(.v2, ["skan_current_conversion_value": "1", "prev_fine_value": "0"])
      #expect(phone.ask(answered, hours: 2)?.fine == 2)
      #expect(phone.counts[.p0] == ["__SESSION__": 2])
    }
    #expect(phone.ask(TestRequest(), hours: 1)?.explanation.hasSuffix("so counting starts again.") == true)
  }

  @Test("The same request again is no new install; one that was never answered is, when its time is before")
  func again() throws {
    var phone = try sessions()
    #expect((1...3).map { _ in phone.ask(TestRequest())?.fine } == [1, 2, 3])
    #expect(phone.ask(TestRequest(), hours: 0.5)?.fine == 1)
  }

  @Test("SKAN 3: a phone forgets no value")
  func skan3() throws {
    var phone = try sessions()
    #expect(phone.ask(TestRequest(.v1))?.fine == 1)
    #expect(phone.ask(TestRequest(.v1, ["conversion_value": "1"]))?.fine == 2)
    #expect(phone.ask(TestRequest(.v1))?.fine == 1)
  }

  @Test("Memories of the same requests are equal, whenever they were checked")
  func equality() {
    func memory(_ hours: Int64 = 1, _ showsAnswers: Bool = false, _ sum: Double = 5) -> InstallMemory {
      var memory = InstallMemory.none
      memory.note(
        InstallMemory.Totals(iap: RevenueTable(["USD": sum])), showsAnswers: showsAnswers, in: .p0,
        at: Instant(microseconds: hours * 3_600_000_000))
      return memory
    }
    var checked = memory()
    checked.checkedRevision = 7
    #expect(memory() == checked && memory() != .none)
    #expect([memory(2), memory(1, true), memory(1, false, 6)].allSatisfy { $0 != memory() })
  }
}
