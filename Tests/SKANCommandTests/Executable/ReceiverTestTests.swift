import Foundation
import SKANJSON
import TestSupport
import Testing

@Suite("receiver-test against receivers", .timeLimit(.minutes(TestTime.minutes)))
struct ReceiverTestTests {
  /// Deliveries that were answered wrongly, and the rest of what it printed.
  private func wrong(_ workspace: Workspace, _ arguments: [String]) throws -> (code: Int32, ids: [String], out: String)
  {
    let run = try workspace.start(["receiver-test"] + arguments).end()
    let lines = run.out.split(separator: "\n")
    return (
      run.code,
      lines.filter { $0.hasPrefix("wrong ") }.compactMap {
        $0.split(separator: " ").dropFirst().first.map(String.init)
      },
      run.out + run.err
    )
  }

  private func keys(_ workspace: Workspace) throws {
    let run = try workspace.shell(
      "openssl ecparam -name prime256v1 -genkey -noout -out key.pem && openssl ec -in key.pem -pubout -out public.pem")
    #expect(run.code == 0)
  }

  @Test(
    "skan serve --postbacks passes, and its report shows what it must",
    .enabled(if: World.canCheckSignatures), arguments: [true, false])
  func serve(trustsKey: Bool) throws {
    let workspace = try Workspace()
    try keys(workspace)
    try workspace.write("model.json", Workspace.exampleModel("mixed"))
    let server = try Served(
      ["--postbacks", "r.jsonl", "--model", "model.json"] + (trustsKey ? ["--key", "public.pem"] : []), in: workspace)
    let test = try wrong(
      workspace,
      [
        server.address, "--sign", "key.pem", "--model", "model.json", "--expected", "expected.json", "--report-junit",
        "report.xml",
      ])
    #expect(test.code == 0 && test.ids.isEmpty, "\(test.out)")
    #expect(test.out.contains(" wrong") && !test.out.contains("not-evaluated "), "\(test.out)")
    #expect(server.end(SIGTERM).code == 0)
    let report = try workspace.start(["report", "r.jsonl", "--json"]).end().out
    func members(_ text: String) throws -> [String: JSON] {
      guard case .object(let members) = try JSONReader.read(Array(text.utf8)).value else { return [:] }
      return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
    var (shown, expected) = (try members(report), try members(try #require(workspace["expected.json"])))
    for key in ["from", "to"] { (shown[key], expected[key]) = (nil, nil) }
    #expect((shown == expected) == trustsKey, "\(report)\n\(workspace["expected.json"] ?? "")")
    #expect(workspace["report.xml"]?.contains(#"failures="0""#) == true)
  }

  @Test("Another path than Apple's: what is about the slash is not evaluated")
  func otherPath() throws {
    let workspace = try Workspace()
    let server = try Served(["--postbacks", "r.jsonl"], in: workspace)
    let test = try wrong(workspace, ["\(server.address)/postbacks"])
    #expect(test.code == 0, "\(test.out)")
    #expect(test.out.contains("not-evaluated  without-slash"))
    #expect(test.out.contains("unsigned"))
    #expect(test.out.contains("1 not evaluated"))
    _ = server.end(SIGTERM)
  }

  @Test(
    "Each planted fault of a receiver is found, by the deliveries that are about it",
    .enabled(if: Python.isThere, Python.isMissing),
    arguments: [
      ("none", []), ("slash-needed", ["without-slash"]), ("strict-fields", ["unknown-fields"]),
      ("strict-version", ["unknown-version"]), ("null-fails", ["nulls"]),
      ("version-4-only", ["v3.0", "v2.2", "v2.1", "v3.0-no-value", "v3.0-not-won"]),
      (
        "duplicate-refused",
        ["duplicate", "duplicate-signed-anew", "forged-value", "conflict", "genuine-after", "parallel-copies"]
      ),
      ("takes-anything", ["truncated", "empty", "array", "text", "broken-off"]), ("no-limit", ["huge"]),
      ("one-at-a-time", ["slow"]), ("created", nil),
    ] as [(String, [String]?)])
  func faults(name: String, expected: [String]?) throws {
    let workspace = try Workspace()
    let receiver = try PythonReceiver(fault: name, in: workspace)
    let test = try wrong(workspace, [receiver.address])
    #expect(test.code == (name == "none" ? 0 : 1), "\(test.out)")
    if let expected { #expect(test.ids == expected, "\(test.out)") } else { #expect(test.ids.count > 20) }
  }
}

/// `Tests/Receivers/receiver.py` as a process.
private final class PythonReceiver {
  let address: String
  private let process = Process()
  private let input = Pipe()

  init(fault: String, in workspace: Workspace) throws {
    let output = Pipe()
    let script = Checkout.root.appending(path: "Tests/Receivers/receiver.py").path
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Python.line("exec python3 -B '\(script)' \(fault)")]
    process.currentDirectoryURL = workspace.url
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    address = "http://127.0.0.1:\(text.dropLast())"
  }

  deinit {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }
}
