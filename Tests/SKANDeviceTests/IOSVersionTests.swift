import Testing

@testable import SKANDevice

@Suite("iOS versions")
struct IOSVersionTests {
  @Test(
    "Order by numbers",
    arguments: [
      ("15.3", "15.4"), ("15.3.1", "15.4"), ("15.4", "15.10"), ("15.4", "15.4.1"), ("9.3.5", "10.0"), ("16", "16.1"),
      ("16.0.9", "16.1"), ("16.1.2", "16.10"), ("17.4", "18"), ("11.2.6", "11.3"), ("2", "10"), ("14.0", "14.0.1"),
    ])
  func order(lower: String, higher: String) throws {
    let low = try #require(IOSVersion(lower))
    let high = try #require(IOSVersion(higher))
    #expect(low < high)
    #expect(!(high < low))
    #expect(low != high)
  }

  @Test(
    "Equal", arguments: [("16", "16.0"), ("16.1", "16.1.0"), ("16", "16.0.0"), ("16.01", "16.1"), ("016.1", "16.1")])
  func equal(left: String, right: String) throws {
    let one = try #require(IOSVersion(left))
    let other = try #require(IOSVersion(right))
    #expect(one == other)
    #expect(!(one < other) && !(other < one))
    #expect(one.hashValue == other.hashValue)
    #expect(one.text == left)
  }

  @Test(
    "No version",
    arguments: [
      "", ".", "17.", ".4", "17..4", "17.4.1.1", "a", "17.x", "17.4 ", " 17.4", "-1", "+17.4", "17,4", "0", "0.9",
      "17.-4", "12345", "17.12345", "iOS 17", "17.4b", "١٧", "1\u{301}7", "17.4\n",
    ])
  func rejected(text: String) {
    #expect(IOSVersion(text) == nil)
  }

  @Test("From numbers", arguments: [(17, 4, "17.4"), (16, 0, "16.0"), (11, 3, "11.3")])
  func numbers(major: Int, minor: Int, text: String) {
    #expect(IOSVersion(major, minor).text == text)
    #expect(IOSVersion(major, minor) == IOSVersion(text))
  }

  @Test(
    "The borders that the rules know",
    arguments: [
      (IOSVersion.singleValueUpdate, "15.4"), (.coarseValueUpdate, "16.1"), (.conversionValueUpdate, "14.0"),
      (SnippetVersion.skan4.rules.registrationMinimum, "15.4"),
      (SnippetVersion.skan4Beta.rules.registrationMinimum, "16.1"),
      (SnippetVersion.skan3.rules.registrationMinimum, "11.3"),
    ])
  func borders(version: IOSVersion, text: String) {
    #expect(version.text == text)
  }

  @Test(
    "The snippets",
    arguments: [
      (SnippetVersion.skan4, "skan4", "v2"), (.skan4Beta, "skan4-beta", "v2"), (.skan3, "skan3", "v1"),
    ])
  func snippets(snippet: SnippetVersion, name: String, api: String) {
    #expect(snippet.rawValue == name)
    #expect(snippet.rules.api.rawValue == api)
  }
}
