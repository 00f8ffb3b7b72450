import Foundation
import SKANRun
import SKANSystem
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// What is set aside on the disk, where `TMPDIR` is no folder.
@Suite("A temporary folder that cannot be written", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct TemporaryFolderTests {
  /// Beyond what is held in memory: `LONG` stands for 200,000 letters, `#` for the number of the line.
  private func lines(_ line: String, count: Int) -> String {
    let line = line.replacing("LONG", with: String(repeating: "n", count: 200_000))
    return (0..<count).map { line.replacing("#", with: "\($0)") + "\n" }.joined()
  }

  @Test(
    "is named, with what is set aside there",
    arguments: [
      (
        ["replay", "-q", "--report-junit", "x.xml", "in"], #"{"op":"session","skip":"LONG#"}"#, 60,
        "/dev/null/x/skan-…: Not a directory (what reports tell of the steps is set aside there)"
      ),
      (
        ["replay", "-q", "--jobs", "2", "--report-junit", "x.xml", "in"],
        #"{"op":"session","label":"LONG#","expect":{"window":2}}"#, 60,
        "/dev/null/x/skan-…: Not a directory (what reports tell of the steps is set aside there)"
      ),
      (
        ["check", "-q", "in"],
        "https://sdk-api-v1.singular.net/api/v2/conversion_value?a=k&i=com.example.app&x=LONG#", 60,
        "/dev/null/x/skan-…: Not a directory (requests to Singular are set aside there)"
      ),
      (
        ["import", "-q", "-o", "out.jsonl", "in"], "d#,1767225600,LONG#", 180,
        "the temporary file in /dev/null/x: Not a directory"
      ),
    ])
  func named(arguments: [String], line: String, count: Int, message: String) throws {
    let workspace = try Workspace()
    let header = arguments[0] == "import" ? "device,time,name\n" : ""
    try workspace.write("in", header + lines(line, count: count))
    let run = try workspace.run(arguments, environment: ["TMPDIR": "/dev/null/x"])
    #expect(run.code == 73 && run.out.isEmpty)
    #expect(run.err.hasSuffix("skan: cannot write \(message)\n"), "\(run.err.suffix(300))")
    #expect(workspace["out.jsonl"] == nil)
  }
}
