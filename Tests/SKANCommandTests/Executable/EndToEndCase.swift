import Foundation
import Testing

/// A folder of `Tests/EndToEnd`: command lines, the files they find, and what they bring about.
///
/// `arguments` has one argument a line; a line `---` begins the next command. `environment` may have lines
/// `NAME=VALUE`, `files` what lies in the working directory. `expected.out` and `expected.err` have the output of all
/// commands, each under a line `$ skan …` when there are several; `expected.code` has the exit codes, and
/// `expected.files` what is new or changed in the working directory, lock files aside; the
/// times of a JUnit report, which are the real world's, as 0.
struct EndToEndCase: Sendable, CustomTestStringConvertible {
  let directory: URL

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("EndToEnd")

  static let all: [EndToEndCase] =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()
    .map { EndToEndCase(directory: root.appendingPathComponent($0)) }

  var testDescription: String { directory.lastPathComponent }

  /// What the command lines left.
  struct Result: Equatable, CustomTestStringConvertible {
    var out = ""
    var err = ""
    var code = ""
    var files: [String: String] = [:]

    var testDescription: String {
      "\n--- code\n\(code)--- out\n\(out)--- err\n\(err)"
        + files.sorted { $0.key < $1.key }.map { "--- \($0.key)\n\($0.value)" }.joined()
    }
  }

  private func text(_ name: String) -> String? {
    (try? Data(contentsOf: directory.appendingPathComponent(name))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Runs the command lines in a directory of their own.
  func run() throws -> Result {
    let arguments = try #require(text("arguments"))
    let commands = arguments.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
      .split(separator: "---", omittingEmptySubsequences: false).map(Array.init)
    let pairs = (text("environment") ?? "").split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
    let environment = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    let workspace = try Workspace()
    let found = Self.files(in: directory.appendingPathComponent("files"))
    for (name, text) in found { try workspace.write(name, text) }
    var result = Result()
    for command in commands {
      let run = try workspace.run(command, environment: environment)
      let head = commands.count > 1 ? "$ skan \(command.joined(separator: " "))\n" : ""
      result.out += head + run.out
      result.err += head + run.err
      result.code += "\(run.code)\n"
    }
    result.files = Self.files(in: workspace.url).filter { !$0.key.hasSuffix(".lock") && found[$0.key] != $0.value }
    for (name, text) in result.files where name.hasSuffix(".xml") { result.files[name] = Self.withoutTimes(text) }
    return result
  }

  /// A JUnit report with 0 for every time of the real world.
  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/\ time="[0-9.]+"/, with: " time=\"0\"")
      .replacing(/\ timestamp="[0-9T:-]+"/, with: " timestamp=\"0\"")
  }

  private static func files(in directory: URL) -> [String: String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.reduce(into: [:]) { files, name in
      files[name] = (try? Data(contentsOf: directory.appendingPathComponent(name))).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  var expected: Result {
    Result(
      out: text("expected.out") ?? "", err: text("expected.err") ?? "", code: text("expected.code") ?? "",
      files: Self.files(in: directory.appendingPathComponent("expected.files")))
  }

  /// Makes a result the expected one.
  func expect(_ result: Result) throws {
    for (name, text) in [("out", result.out), ("err", result.err), ("code", result.code)] {
      try Data(text.utf8).write(to: directory.appendingPathComponent("expected.\(name)"))
    }
    let folder = directory.appendingPathComponent("expected.files")
    try? FileManager.default.removeItem(at: folder)
    if result.files.isEmpty { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in result.files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
  }
}
