import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("The project file of the executable", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ProjectExecutableTests {
  @Test("It is found upwards from the working directory, the nearest first")
  func upwards() throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(at: workspace("a/b/c"), withIntermediateDirectories: true)
    try workspace.write("a/skan.json", #"{"model":"m.json","options":{"state":"phone.json"}}"#)
    try workspace.write("skan.json", "broken")
    let model = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":17}]}"#
    try workspace.write("a/m.json", model)
    let run = try workspace.shell(
      "unset SKAN_PROJECT; cd a/b/c && $SKAN register --at 2026-01-01T00:00:00Z && $SKAN session --after 1h && $SKAN config"
    )
    #expect(run.code == 0 && run.out.contains("0 → 17"), "\(run)")
    #expect(run.out.contains("project file: ../../../skan.json") == false)
    #expect(run.out.contains("project file: ../../skan.json"), "\(run)")
    #expect(workspace["a/phone.json"] != nil && workspace["a/b/c/skan-state.json"] == nil)
    let above = try workspace.shell("unset SKAN_PROJECT; $SKAN details")
    #expect(above.code == 65 && above.err.hasPrefix("skan.json:1:1: "), "\(above)")
  }

  @Test("A command of serve takes the server before the project's model")
  func serve() throws {
    let workspace = try Workspace()
    try workspace.write("skan.json", #"{"model":"m.json"}"#)
    let model = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":17}]}"#
    try workspace.write("m.json", model)
    let run = try workspace.shell(
      "unset SKAN_PROJECT; $SKAN register --at 2026-01-01T00:00:00Z; $SKAN serve -q -- $SKAN session --after 1h --json")
    #expect(run.code == 0 && run.out.contains(#""answered_by":"http://127.0.0.1"#), "\(run)")
  }
}
