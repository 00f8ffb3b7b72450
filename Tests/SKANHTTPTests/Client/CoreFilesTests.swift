#if os(Linux)
  import Testing

  @testable import SKANHTTP

  @Suite struct CoreFilesTests {
    @Test func `A process can forbid its own`() {
      guard CoreFiles.areAllowed else { return }
      CoreFiles.forbid()
      #expect(!CoreFiles.areAllowed)
      #expect(CoreFiles.control(4, 1) == 0 && CoreFiles.areAllowed)
    }
  }
#endif
