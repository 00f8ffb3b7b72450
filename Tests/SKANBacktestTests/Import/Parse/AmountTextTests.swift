import Testing

@testable import SKANBacktest

@Suite struct AmountTextTests {
  private func read(_ text: String, scale: Int = 0) -> AmountText {
    var text = text
    return text.withUTF8 { AmountText($0, scale: scale) }
  }

  @Test(arguments: [
    "0", "0.0", "-0.5", "9.99", "0.1", "1234567.891", "123456789012345", "1234567890123456789",
    "0.000000000000000000000001",
    "0.30000000000000004", "68555560979280.19334", "0.19227903782410814", "6396356.178965625561",
    "41061089663.92415344",
    "3.4028234e38", "-3e38", ".5", "5.", "1e3", "-2.5E-3", "0000000000000000000001.5", "+1.5",
  ])
  func numbers(text: String) throws {
    #expect(read(text) == .amount(try #require(Double(text.hasSuffix(".") ? text + "0" : text))))
  }

  @Test(arguments: [
    "-", ".", "-.", "x", "1x", "1..2", "0x10", "nan", "inf", "1e", "$1", "1 2", "1e999", "1e39", "-3.5e38",
  ])
  func others(text: String) { #expect(read(text) == .invalid) }

  @Test func special() {
    #expect(read("") == .empty)
    #expect(read("  ") == .empty)
    #expect(read(" 1.5 ") == .amount(1.5))
    #expect(read("1,5") == .comma)
    #expect(read("1,000.00") == .comma)
    #expect(read("4990000", scale: 6) == .amount(4.99))
    #expect(read("1e6", scale: 6) == .amount(1))
  }
}
