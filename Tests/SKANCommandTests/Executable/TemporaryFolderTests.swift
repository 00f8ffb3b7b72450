import Foundation
import Testing

/// What is set aside on the disk, where `TMPDIR` is no folder.
@Suite("A temporary folder that cannot be written")
struct TemporaryFolderTests {
  private static let long = String(repeating: "n", count: 200_000)

  private static func lines(_ count: Int = 60, _ line: (Int) -> String) -> String {
    (0..<count).map { line($0) + "\n" }.joined()
  }

  @Test(
    "is named, with what is set aside there",
    arguments: [
      (
        ["replay", "-q", "--report-junit", "x.xml", "in"],
        lines { "{\"op\":\"session\",\"skip\":\"\(long)\($0)\"}" },
        "/dev/null/x/skan-…: Not a directory (what reports tell of the steps is set aside there)"
      ),
      (
        ["replay", "-q", "--jobs", "2", "--report-junit", "x.xml", "in"],
        lines { "{\"op\":\"session\",\"label\":\"\(long)\($0)\",\"expect\":{\"window\":2}}" },
        "/dev/null/x/skan-…: Not a directory (what reports tell of the steps is set aside there)"
      ),
      (
        ["check", "-q", "in"],
        lines { "https://sdk-api-v1.singular.net/api/v2/conversion_value?a=k&i=com.example.app&x=\(long)\($0)" },
        "/dev/null/x/skan-…: Not a directory (requests to Singular are set aside there)"
      ),
      (
        ["import", "-q", "-o", "out.jsonl", "in"],
        "device,time,name\n" + lines(180) { "d\($0),1767225600,\(long)\($0)" },
        "the temporary file in /dev/null/x: Not a directory"
      ),
    ])
  func named(arguments: [String], input: String, message: String) throws {
    let workspace = try Workspace()
    try workspace.write("in", input)
    let run = try workspace.run(arguments, environment: ["TMPDIR": "/dev/null/x"])
    #expect(run.code == 73 && run.out.isEmpty)
    #expect(run.err.hasSuffix("skan: cannot write \(message)\n"), "\(run.err.suffix(300))")
    #expect(workspace["out.jsonl"] == nil)
  }
}
