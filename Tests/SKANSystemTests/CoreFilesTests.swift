#if !canImport(Darwin)
  import Testing

  @testable import SKANSystem

  @Suite struct CoreFilesTests {
    @Test func `A process can forbid its own`() {
      guard Platform.areCoreFilesAllowed else { return }
      System.forbidCoreFiles()
      #expect(!Platform.areCoreFilesAllowed)
      #expect(Platform.control(4, 1) == 0 && Platform.areCoreFilesAllowed)
    }
  }
#endif
