import SKANBase
import SKANDevice
import SKANModel
import Testing

@testable import SKANReceive

@Suite("Amounts in millionths")
struct MicroAmountTests {
  @Test(
    "Text",
    arguments: [
      (0.0, "0.00"), (12.5, "12.50"), (0.015, "0.015"), (0.1234564, "0.123456"), (0.000_000_4, "0.00"),
      (1e6, "1000000.00"),
      (-3, "0.00"), (1e300, "9223372036854.775807"), (.infinity, "9223372036854.775807"), (.nan, "0.00"),
    ])
  func text(amount: Double, text: String) { #expect("\(MicroAmount(amount))" == text) }

  @Test("Ten times ten cents are one, and the end of the range is not passed")
  func sums() {
    var sum = MicroAmount.zero
    for _ in 0..<10 { sum += MicroAmount(0.1) }
    #expect(sum == MicroAmount(1) && sum.units == 1)
    sum += MicroAmount(1e300)
    sum += MicroAmount(1)
    #expect(sum == MicroAmount(1e300) && MicroAmount(1) < sum)
  }
}
