import SKANDevice
import Testing

@testable import SKANModel

@Suite("Parameters under other names")
struct RenamedParametersTests {
  @Test("They have the values of those names, and no others stay") func theyHave() throws {
    var sent = try #require(SentParameters("i=app&n=event&a=key"))
    sent.rename([(.bundleID, "n"), (.sdkKey, "a")])
    #expect(sent["i"] == "event" && sent["a"] == "key" && sent["n"] == nil)
  }
}
