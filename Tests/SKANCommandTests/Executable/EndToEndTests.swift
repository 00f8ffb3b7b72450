import Foundation
import TestSupport
import Testing

@Suite("End to end", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct EndToEndTests {
  @Test(arguments: EndToEndCase.all)
  func endToEnd(_ folder: EndToEndCase) throws {
    let result = try folder.run()
    // SKAN_UPDATE_EXPECTED=1 swift test --filter EndToEnd, and then read the difference.
    try ExpectedFiles.update { try folder.expect(result) }
    #expect(result == folder.expected)
  }

  @Test func areThere() {
    #expect(EndToEndCase.all.count >= 20)
  }
}
