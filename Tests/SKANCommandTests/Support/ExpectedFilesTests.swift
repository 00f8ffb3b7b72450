import Testing

@Suite("The files of expectations")
struct ExpectedFilesTests {
  @Test(
    "They are written where it is asked for, and never in CI",
    arguments: [
      ([:], .compared), (["CI": "true"], .compared), (["SKAN_UPDATE_EXPECTED": ""], .compared),
      (["SKAN_UPDATE_EXPECTED": "1"], .written), (["SKAN_UPDATE_EXPECTED": "1", "CI": ""], .written),
      (["SKAN_UPDATE_EXPECTED": "1", "CI": "true"], .refused), (["SKAN_UPDATE_EXPECTED": "0", "CI": "1"], .refused),
    ] as [([String: String], ExpectedFiles)])
  func choice(environment: [String: String], choice: ExpectedFiles) {
    #expect(ExpectedFiles(environment) == choice)
  }
}
