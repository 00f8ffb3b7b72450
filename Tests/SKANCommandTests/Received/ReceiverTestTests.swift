import Foundation
import SKANBase
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("receiver-test against receivers", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ReceiverTestTests {
  /// Deliveries that were answered wrongly, of whatever level, and the rest of what it printed.
  private func wrong(
    _ workspace: Workspace, _ arguments: [String], protocol name: String? = "skan"
  ) throws -> (code: Int32, ids: [String], out: String) {
    let run = try workspace.start(["receiver-test"] + arguments + (name.map { ["--protocol", $0] } ?? [])).end()
    let lines = run.out.split(separator: "\n")
    return (
      run.code,
      lines.filter { $0.hasPrefix("wrong ") || $0.hasPrefix("advice ") }.compactMap {
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
      ], protocol: nil)
    #expect(test.code == 0 && test.ids.isEmpty, "\(test.out)")
    #expect(test.out.contains("now compare: ") && !test.out.contains("not-evaluated "), "\(test.out)")
    let report = try workspace.start(["report", "r.jsonl", "--json"]).end().out
    // Another run counts as much, so the counts of the first are compared.
    try workspace.write("actual.json", report)
    let compared = try wrong(
      workspace,
      [
        server.address, "--sign", "key.pem", "--model", "model.json", "--actual", "actual.json", "--report-junit",
        "c.xml",
      ], protocol: nil)
    #expect(compared.code == (trustsKey ? 0 : 1), "\(compared.out)")
    #expect(compared.out.contains(" agree, 0 differ; sent: ") == trustsKey, "\(compared.out)")
    #expect(workspace["c.xml"]?.contains(#"name="counts""#) == trustsKey)
    #expect(workspace["c.xml"]?.contains(#"name="counts simulated.total.installs""#) == !trustsKey)
    #expect(server.end(SIGTERM).code == 0)
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
      ("strict-version", ["unknown-version"]), ("null-fails", ["nulls"]), ("no-chunks", ["chunked"]),
      ("surrogate-fails", ["half-surrogate"]), ("object-fails", ["empty-object"]), ("limited", []),
      (
        "version-4-only",
        [
          "v3.0", "v2.2", "v2.1", "v2.0", "v1.0", "v3.0-no-value", "v3.0-not-won", "v3.0-original", "v3.0-duplicate",
        ]
      ),
      (
        "duplicate-refused",
        [
          "duplicate", "duplicate-signed-anew", "v3.0-duplicate", "forged-value", "conflict", "genuine-after",
          "genuine-value-after", "parallel-copies",
        ]
      ),
      (
        "needs-source",
        [
          "v4-tier-2", "v4-tier-1", "v4-tier-0", "v4-no-source", "v4-no-source-no-value", "v3.0-no-value", "web-ad",
          "v4.0-not-won", "v3.0-not-won",
          "in-order-1", "in-order-2", "late-2", "late-1", "one-id-1", "one-id-2",
        ]
      ),
      ("takes-anything", ["truncated", "empty", "array", "text", "broken-off"]), ("no-limit", ["huge"]),
      ("one-at-a-time", ["slow"]), ("created", nil),
    ] as [(String, [String]?)])
  func faults(name: String, expected: [String]?) throws {
    let workspace = try Workspace()
    let receiver = try PythonReceiver(fault: name, in: workspace)
    // On a machine with much else to do an answer can take longer than the default.
    let test = try wrong(workspace, [receiver.address, "--strict", "--max-time", "60s"])
    #expect(test.code == (expected?.isEmpty ?? false ? 0 : 1), "\(test.out)")
    if let expected { #expect(test.ids == expected, "\(test.out)") } else { #expect(test.ids.count > 20) }
    #expect(test.out.contains("skan: the receiver answers 429") == (name == "limited"), "\(test.out)")
    #expect(test.out.contains(" 0 not evaluated\n"), "\(test.out)")
  }

  @Test(
    "What no answer shows is shown by the receiver's own counts",
    .enabled(if: Python.isThere && World.canCheckSignatures, Python.isMissing),
    arguments: [
      ("none", []), ("null-index", ["installs", "duplicates", "windows.p0"]),
      // One install less is also what a receiver has that does not count version 2.0.
      ("forgery-takes-place", ["duplicates"]),
      ("forgeries-count", ["installs", "duplicates", "windows.p0"]),
    ] as [(String, [String])])
  func counts(fault: String, expected: [String]) throws {
    let workspace = try Workspace()
    try keys(workspace)
    let receiver = try PythonReceiver(fault: "\(fault) public.pem", in: workspace)
    let arguments = [
      "receiver-test", "--protocol", "skan", receiver.address, "--sign", "key.pem", "--actual",
      "\(receiver.address)/counts.json",
    ]
    // The second run counts what is new.
    for _ in 0..<2 {
      let run = try workspace.start(arguments).end()
      #expect(run.code == (expected.isEmpty ? 0 : 1), "\(run.out)\(run.err)")
      let paths = run.out.split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /wrong: simulated\.total\.(\S+) is .*/).map { String($0.output.1) }
      }
      #expect(Set(paths) == Set(expected), "\(run.out)")
    }
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

/// The members of a JSON object.
private func members(_ text: String) throws -> [String: JSON] {
  guard case .object(let members) = try JSONReader.read(Array(text.utf8)).value else { return [:] }
  return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
}
