import Foundation
import SKANRun
import SKANSystem
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Why a file could not be replaced")
struct ReasonOfReplacingTests {
  @Test("One that is in place already says so, and a device file also that nobody should repeat what was done")
  func inPlace() {
    let failure = FileError(.synchronizeDirectory, "/phones", .inputOutput)
    let error = CommandError(replacing: "phone.json", failure)
    #expect(error == .notFlushed(file: "phone.json", reason: failure.reason) && error.code == .cannotWrite)
    #expect(
      error.message
        == "skan: cannot write phone.json: \(failure.reason); its new content is in place, though it may not be on the "
        + "disk")
    let world = World.registered()
    world.set { $0.failures["replace skan-state.json"] = error }
    let run = world.run("session")
    #expect(run.code == .cannotWrite && run.out.isEmpty)
    #expect(
      run.err
        == "skan: cannot write phone.json: \(failure.reason); what was done is in it, though it may not be on the disk, "
        + "and would be done twice if it were repeated\n")
  }

  @Test("Before that it is as it was", arguments: [FileOperation.create, .write, .synchronize, .close, .rename])
  func before(operation: FileOperation) {
    let failure = FileError(operation, "/phones/phone.json", .inputOutput)
    #expect(CommandError(replacing: "a", failure) == .cannotWrite(file: "a", reason: failure.reason))
  }
}
