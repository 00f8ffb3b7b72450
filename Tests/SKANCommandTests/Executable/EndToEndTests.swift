import Foundation
import Testing

@Suite("End to end")
struct EndToEndTests {
  @Test(arguments: EndToEndCase.all)
  func endToEnd(_ folder: EndToEndCase) throws {
    let result = try folder.run()
    // SKAN_UPDATE_EXPECTED=1 swift test --filter EndToEnd, and then read the difference.
    if ProcessInfo.processInfo.environment["SKAN_UPDATE_EXPECTED"] == "1" { try folder.expect(result) }
    #expect(result == folder.expected)
  }

  @Test func areThere() {
    #expect(EndToEndCase.all.count >= 20)
  }
}
