import Foundation
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun
import SKANSigning
import SKANTraffic
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Command lines of explanations", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ReproductionTests {
  @Test("Each prints its code", arguments: CodeCatalog.all.indices)
  func reproduction(index: Int) throws {
    let code = CodeCatalog.all[index]
    guard let command = code.explanation.example?.command else { return }
    if !World.areProcesses, let run = World({ $0.files = World.fixtures }).runAsProcess(line: command) {
      #expect((run.out + run.err).contains(code.trace), "\(command)\n\(run)")
      return
    }
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(at: workspace("fixtures"), withDestinationURL: Checkout.fixtures)
    let run = try workspace.shell("PATH=\"$(dirname \"$SKAN\"):$PATH\"\n\(command)")
    #expect((run.out + run.err).contains(code.trace), "\(command)\n\(run)")
  }
}
