import SKANDevice
import Testing

@testable import SKANBacktest

@Suite struct ExportedRowTests {
  @Test func `a currency is its three letters`() {
    #expect(CurrencyCode("EUR")?.name == "EUR")
    #expect(CurrencyCode("eur") == nil)
  }
}
