import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("init as an executable", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct InitExecutableTests {
  @Test("The shell file of --ci shell runs: without an endpoint, against one that is well, and against one that is not")
  func shell() throws {
    let workspace = try Workspace()
    let made = try workspace.shell("cd . && $SKAN init 'my app' --ci shell --vertical subscription")
    #expect(made.code == 0 && made.err == "", "\(made)")
    let path = "unset SKAN_PROJECT; PATH=\"$(dirname \"$SKAN\"):$PATH\"; cd 'my app'; "
    let alone = try workspace.shell("\(path)sh ci/skan.sh")
    #expect(workspace["my app/skan-report.xml"]?.contains("<testsuite ") ?? false)
    #expect(alone.code == 0 && alone.err.hasSuffix("SKAN_ENDPOINT is not set: no endpoint was tested\n"), "\(alone)")
    let well = try workspace.shell("\(path)skan serve -q -- sh ci/skan.sh")
    #expect(well.code == 0 && well.out.contains("registered"), "\(well)")
    try workspace.write("answers.jsonl", "{\"json\":{\"conversion_value\":64,\"status\":\"ok\"}}\n")
    let broken = try workspace.shell("\(path)skan serve -q --answers ../answers.jsonl -- sh ci/skan.sh")
    #expect(broken.code == 1 && broken.out.contains("illegal-values"), "\(broken)")
  }

  @Test("Nothing is overwritten, and a directory that is a file is an error")
  func exists() throws {
    let workspace = try Workspace()
    try workspace.write("file", "mine")
    #expect(try workspace.run(["init", "file"]).code == 73)
    #expect(try workspace.run(["init"]).code == 0)
    let again = try workspace.run(["init", "--ci", "gitlab"])
    #expect(
      again
        == Workspace.Run(
          code: 73, out: "",
          err: "skan: nothing is written, since there are already skan.json, skan/model.json, skan/rates.json, "
            + "skan/lists/first-days.jsonl\n"))
    #expect(workspace[".gitlab-ci.yml"] == nil)
  }
}
