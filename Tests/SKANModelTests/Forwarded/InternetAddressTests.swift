import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("The address of a device")
struct InternetAddressTests {
  @Test(
    "Each side of each range that no device on the Internet has",
    arguments: [
      ("9.255.255.255", true), ("10.0.0.0", false), ("10.255.255.255", false), ("11.0.0.0", true),
      ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false), ("100.128.0.0", true),
      ("126.255.255.255", true), ("127.0.0.1", false), ("128.0.0.0", true), ("0.0.0.0", false), ("1.0.0.0", true),
      ("169.253.255.255", true), ("169.254.0.0", false), ("169.255.0.0", true),
      ("172.15.255.255", true), ("172.16.0.0", false), ("172.30.0.1", false), ("172.31.255.255", false),
      ("172.32.0.0", true), ("192.167.255.255", true), ("192.168.0.0", false), ("192.169.0.0", true),
      ("223.255.255.255", true), ("224.0.0.0", false), ("255.255.255.255", false),
      ("::1", false), ("0:0:0:0:0:0:0:1", false), ("2001:db8::1", true), ("fbff::1", true), ("fc00::1", false),
      ("fdff::1", false),
      ("fe00::1", true), ("fe7f::1", true), ("fe80::1", false), ("febf::1", false), ("fec0::1", true), ("fc::1", true),
    ])
  func ranges(text: String, isPublic: Bool) throws {
    let address = try #require(InternetAddress(text))
    #expect(address.isPublic == isPublic && address.isIPv6 == text.contains(":"))
  }

  @Test(
    "Other texts are no addresses", arguments: ["", "1.2.3", "1.2.3.256", "1.2.3.-4", "a.b", "1:2", "::g", "12345::"])
  func others(text: String) { #expect(InternetAddress(text) == nil) }
}
