import Foundation
import TestSupport
import Testing

extension FileSystemTests {
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
