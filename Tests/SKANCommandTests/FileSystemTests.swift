import Foundation
import SKANRun
import SKANSystem
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The executable and the file system", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct FileSystemTests {
  @Test("A reader that goes away ends a replay quietly")
  func closedOutput() throws {
    let workspace = try Workspace()
    let line = #"{"op":"session","answer":{"error":"none"}}"# + "\n"
    try workspace.write("list.jsonl", #"{"op":"register"}"# + "\n" + String(repeating: line, count: 5000))
    let run = try workspace.shell("{ \"$SKAN\" replay list.jsonl; echo \"code $?\" >&2; } | head -1")
    #expect(run.out.hasPrefix("   1  2026-01-01T00:00:00Z  register "))
    #expect(run.out.split(separator: "\n").count == 1)
    #expect(run.err == "code 0\n")
  }

  private static func unwritten(_ reason: String) -> String {
    "skan: cannot write the output: \(reason); what was done is saved in skan-state.json, and would be done twice if "
      + "it were repeated\n"
  }

  @Test(
    "A device file beyond the user's limit is not written, and no temporary file is left",
    .disabled(if: Sanitizer.isActive, "a sanitizer's own files are beyond the limit"))
  func fileSizeLimit() throws {
    let workspace = try Workspace.registered()
    let before = workspace.state
    // A profile of coverage could not be written either, which the program's runtime would say.
    let run = try workspace.shell("ulimit -f 1; export LLVM_PROFILE_FILE=/dev/null; exec \"$SKAN\" relaunch")
    #expect(run == Workspace.Run(code: 73, out: "", err: "skan: cannot write skan-state.json: File too large\n"))
    #expect(workspace.state == before)
    #expect(try workspace.names() == ["skan-state.json"])
  }

  @Test("What a killed run left is removed by the next one that saves")
  func leftovers() throws {
    let workspace = try Workspace.registered()
    // No system has processes of such numbers.
    for name in ["skan-state.json.999999999.tmp", "skan-state.json.999999999.4.tmp", "other.json.999999999.tmp"] {
      try workspace.write(name, "left over")
    }
    #expect(try workspace.run(["relaunch"]).code == 0)
    #expect(try workspace.names() == ["other.json.999999999.tmp", "skan-state.json"])
  }

  @Test("A device file of more than 64 MiB is not read")
  func hugeFile() throws {
    let workspace = try Workspace()
    try workspace.write("big.json", "{}")
    try #require(truncate(workspace("big.json").path, 64 << 20 + 1) == 0)
    let run = try workspace.run(["details", "--state", "big.json"])
    #expect(run == Workspace.Run(code: 66, out: "", err: "skan: cannot read big.json: it is larger than 64 MiB\n"))
  }

  @Test("A key that never ends", .enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")))
  func endlessKey() throws {
    let workspace = try Workspace.registered()
    let run = try workspace.shell("\"$SKAN\" session --endpoint http://127.0.0.1:9 --sdk-key-file - </dev/zero")
    #expect(
      run == Workspace.Run(code: 66, out: "", err: "skan: cannot read standard input: it is larger than 64 MiB\n"))
    try workspace.write("key", String(repeating: "k", count: 5000))
    let long = try workspace.run(["session", "--endpoint", "http://127.0.0.1:9", "--sdk-key-file", "key"])
    #expect(long == Workspace.Run(code: 65, out: "", err: "skan: key: a line of 5000 bytes is no SDK key\n"))
  }

  @Test("A closed output loses no step")
  func closedAtOnce() throws {
    let workspace = try Workspace.registered()
    let run = try workspace.shell("\"$SKAN\" relaunch >&-")
    #expect(run == Workspace.Run(code: 73, out: "", err: Self.unwritten("Bad file descriptor")))
    #expect(workspace.state?.contains("\"launches\": 2") == true)
  }

  @Test("A full disk behind the output", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullOutput() throws {
    let workspace = try Workspace.registered()
    let run = try workspace.shell("\"$SKAN\" relaunch >/dev/full")
    #expect(run == Workspace.Run(code: 73, out: "", err: Self.unwritten("No space left on device")))
    #expect(workspace.state?.contains("\"launches\": 2") == true, "the file is saved first")
    // What cannot be told is lost, and the code stays.
    #expect(try workspace.shell("\"$SKAN\" sesion 2>/dev/full").code == 64)
  }

  @Test("A directory or a pipe is no device file", arguments: ["session", "details", "relaunch"])
  func notRegular(command: String) throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(at: workspace("dir"), withIntermediateDirectories: false)
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let directory = try workspace.run([command, "--state", "dir"])
    #expect(directory == Workspace.Run(code: 66, out: "", err: "skan: cannot read dir: Is a directory\n"))
    let pipe = try workspace.run([command, "--state", "pipe"])
    #expect(
      pipe == Workspace.Run(code: 66, out: "", err: "skan: cannot read pipe: Is a named pipe, not a regular file\n"))
    #expect(try workspace.names() == ["dir", "pipe"])
  }

  @Test("Nor to be made one", arguments: ["register", "install"])
  func notReplaced(command: String) throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(at: workspace("dir"), withIntermediateDirectories: false)
    let run = try workspace.run([command, "--state", "dir"])
    #expect([66, 73].contains(run.code) && run.out == "")
    #expect(run.err.hasSuffix("dir: Is a directory\n"))
    let nowhere = try workspace.run([command, "--state", "none/phone.json"])
    #expect(nowhere.code == 73)
    #expect(nowhere.err == "skan: cannot write none/phone.json: No such file or directory\n")
    #expect(try workspace.names() == ["dir"])
  }

  @Test("A directory that cannot be written", .enabled(if: getuid() != 0, "root writes everywhere"))
  func readOnly() throws {
    let workspace = try Workspace.registered()
    let before = workspace.state
    chmod(workspace.url.path, 0o500)
    defer { chmod(workspace.url.path, 0o700) }
    let run = try workspace.run(["relaunch"])
    #expect(run.code == 73)
    #expect(run.err.hasPrefix("skan: cannot write ") && run.err.hasSuffix(": Permission denied\n"))
    #expect(workspace.state == before)
    chmod(workspace("skan-state.json").path, 0)
    #expect(try workspace.run(["details"]).code == 66)
  }

  @Test("A link stays a link, and the file keeps its mode")
  func link() throws {
    let workspace = try Workspace.registered()
    let manager = FileManager.default
    try manager.createDirectory(at: workspace("real"), withIntermediateDirectories: false)
    try manager.moveItem(at: workspace("skan-state.json"), to: workspace("real/phone.json"))
    chmod(workspace("real/phone.json").path, 0o640)
    try manager.createSymbolicLink(atPath: workspace("skan-state.json").path, withDestinationPath: "real/phone.json")
    #expect(try workspace.run(["relaunch", "-q"]).code == 0)
    #expect(try manager.destinationOfSymbolicLink(atPath: workspace("skan-state.json").path) == "real/phone.json")
    #expect(workspace["real/phone.json"]?.contains("\"launches\": 2") == true)
    #expect(try mode(workspace("real/phone.json")) == 0o640)
    #expect(
      try manager.contentsOfDirectory(atPath: workspace("real").path).sorted() == ["phone.json"])
  }

  @Test("A new file is for its owner alone")
  func newMode() throws {
    let workspace = try Workspace.registered()
    #expect(try mode(workspace("skan-state.json")) == 0o600)
  }

  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test("A list includes no pipe, and nothing that a link outside its folder leads to")
  func includes() throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(at: workspace("lists"), withIntermediateDirectories: true)
    try #require(mkfifo(workspace("lists/pipe").path, 0o600) == 0)
    try workspace.write("secret.txt", "hush\n")
    try workspace.write("other.jsonl", #"{"op":"register"}"# + "\n")
    try FileManager.default.createSymbolicLink(
      atPath: workspace("lists/link").path, withDestinationPath: workspace("secret.txt").path)
    let run = { (name: String, options: [String]) in
      try workspace.write("lists/a.jsonl", #"{"op":"include","file":"\#(name)"}"#)
      return try workspace.run(["replay", "-q", "lists/a.jsonl"] + options)
    }
    let pipe = try run("pipe", [])
    #expect(pipe.code == 65 && pipe.err.contains("lists/pipe is not a file, and only files are included"))
    for name in ["link", "../secret.txt", "/etc/passwd", "../lists/../secret.txt"] {
      let refused = try run(name, [])
      #expect(refused.code == 65 && refused.err.contains("is not below the list's own folder"), "\(name) \(refused)")
      #expect(!refused.err.contains("hush"))
    }
    #expect(try run("../lists/../other.jsonl", []).code == 65)
    #expect(try run("../lists/../other.jsonl", ["--allow-include", "."]).code == 0)
    #expect(try run("../lists/b.jsonl", []).err.contains("does not exist"))
  }

  #if os(Linux)
    // Other file systems have no such names.
    @Test("A name that is not UTF-8 is refused, and no other file is read or written in its place")
    func notUTF8() throws {
      let workspace = try Workspace()
      let prepared = try workspace.shell(
        #"mkdir d e; echo '{"op":"register"}' > "d/$(printf 'l\377.jsonl')"; echo > "d/$(printf 'l\377.txt')"; "#
          + #"cp "d/$(printf 'l\377.jsonl')" "e/$(printf 'p\377.json')""#)
      #expect(prepared.code == 0, "\(prepared)")
      let words = "its name is not UTF-8, as every name must be; rename it"
      let list = Workspace.Run(code: 66, out: "", err: "skan: cannot read d/l\\xFF.jsonl: \(words)\n")
      #expect(try workspace.run(["replay", "d"]) == list)
      #expect(try workspace.run(["replay", "d/*.jsonl"]) == list)
      #expect(
        try workspace.run(["receive", "e"])
          == Workspace.Run(code: 66, out: "", err: "skan: cannot read e/p\\xFF.json: \(words)\n"))
      let argument = try workspace.shell(#""$SKAN" register --state "$(printf 'st\377')""#)
      #expect(argument.code == 64 && argument.err.contains(#"the argument st\xFF is not UTF-8"#), "\(argument)")
      let variable = try workspace.shell(#"SKAN_STATE="$(printf 'st\377')" "$SKAN" register"#)
      #expect(variable.code == 64 && variable.err.contains("the value of SKAN_STATE is not UTF-8"), "\(variable)")
      #expect(try workspace.names() == ["d", "e"])
    }
  #endif

  @Test("Lists through pipes: standard input, a named pipe, a file behind -")
  func pipes() throws {
    let workspace = try Workspace()
    try workspace.write("list.jsonl", #"{"op":"register"}"# + "\n" + #"{"op":"relaunch"}"#)
    for line in [
      "cat list.jsonl | \"$SKAN\" replay -", "\"$SKAN\" replay - <list.jsonl",
      "mkfifo pipe; cat list.jsonl >pipe & \"$SKAN\" replay pipe",
    ] {
      let run = try workspace.shell(line)
      #expect(run.code == 0 && run.err == "", "\(run)")
      #expect(run.out.hasSuffix("\n2 steps, 0 expectations, 0 failed\n"), "\(run)")
    }
  }

  @Test("A list runs as its lines arrive")
  func arriving() throws {
    let workspace = try Workspace()
    let run = try workspace.shell(
      """
      mkfifo pipe answer
      { echo '{"op":"register"}'; cat answer >/dev/null; echo '{"op":"relaunch"}'; } >pipe &
      "$SKAN" replay pipe | { read first; echo "$first"; echo go >answer; cat; }
      """)
    #expect(run.out.split(separator: "\n").count == 3, "\(run)")
  }
}
