import SKANStorage
import Testing

@testable import SKANCommand

@Suite("Why a file could not be replaced")
struct ReasonOfReplacingTests {
  @Test("A file that is in place already says so, so that nobody repeats what was done")
  func inPlace() {
    let error = FileError(.synchronizeDirectory, "/phones", .inputOutput)
    #expect(
      error.reasonOfReplacing
        == "\(error.reason); what was done is in it, though it may not be on the disk, and would be done twice if it were "
        + "repeated")
  }

  @Test("Before that it is as it was", arguments: [FileOperation.create, .write, .synchronize, .close, .rename])
  func before(operation: FileOperation) {
    let error = FileError(operation, "/phones/phone.json", .inputOutput)
    #expect(error.reasonOfReplacing == error.reason)
  }
}
