import SKANBase
import Testing

@testable import SKANBacktest
@testable import SKANModel

@Suite("A fitted model")
struct ModelFitTests {
  private func fit(_ devices: [FitDevice], values: Int = 3, events: [String] = ["tutorial", "level_5"]) throws
    -> ModelFit
  {
    ModelFit(devices, values: values, events: events, currency: try #require(.init("EUR")))
  }

  private let devices = (0..<40).map { index in
    FitDevice(revenue: [0, 0, 0, 2_000_000, 8_000_000][index % 5], event: [nil, 0, 1, 1, nil][index % 5])
  }

  @Test("Events give the lowest values in their order, revenue those above; each user has one")
  func values() throws {
    let fit = try fit(devices)
    #expect(
      fit.model.fine.map { "\($0.value): \($0.mapping.displayText)" } == [
        "1: tutorial at least once", "2: level_5 at least once", "3: revenue from 1.99 to below 2.01 EUR",
        "4: revenue from 2.01 to below 7.99 EUR", "5: revenue of at least 7.99 EUR",
      ])
    #expect(fit.users == [8, 8, 8, 8, 0, 8])
  }

  @Test("It is what is decoded: each value to its estimate, and it is found sound")
  func decoded() throws {
    let fit = try fit(devices)
    let text = JSONWriter.text(fit.model.json, layout: .file)
    let model = try ConversionModel(Array(text.utf8))
    #expect(model.problems.problems == [])
    let table = DecodeTable(model, currency: fit.currency, ExchangeRates())
    #expect(
      table.fine[3...].prefix(3).map { $0 ?? 0 } == fit.best.ladder.boundaries.indices.map(fit.best.ladder.decoded))
  }

  @Test("Devices that are held out change nothing but their own error")
  func heldOut() throws {
    let more = devices + [FitDevice(revenue: 6_000_000, isHeldOut: true), FitDevice(revenue: 0, isHeldOut: true)]
    let (fit, all) = (try fit(devices), try fit(more))
    #expect(fit.best.ladder == all.best.ladder && fit.best.fittedError == all.best.fittedError)
    #expect(fit.best.heldOutError == 0 && all.best.heldOutError == 1_000_000)
    #expect(all.heldOut.devices == 2 && all.heldOut.payers == 1 && all.users.reduce(0, +) == 42)
  }

  @Test("One device of five is held out, by its identifier alone")
  func share() {
    let count = (0..<10_000).count { DeviceKey("device-\($0)").isHeldOut }
    #expect((1900...2100).contains(count))
    #expect(DeviceKey("a").isHeldOut == DeviceKey("a").isHeldOut)
  }
}
