import Foundation
import TestSupport
import Testing

/// What a contributor is told to touch is there.
@Suite("CONTRIBUTING")
struct ContributingTests {
  private static let text =
    (try? String(contentsOf: Checkout.root.appending(path: ".github/CONTRIBUTING.md"), encoding: .utf8)) ?? ""

  /// What stands between backticks.
  private static let quoted = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .filter { $0.offset % 2 == 1 }.map { String($0.element) }

  @Test("Every file and folder that it names exists")
  func paths() {
    let paths = Self.quoted.filter { path in
      ["Sources/", "Tests/", "scripts/", "fixtures", ".ci/", "Package.swift"].contains { path.hasPrefix($0) }
        && !path.contains("*")
    }.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(paths.count > 20)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: Checkout.root.appending(path: path).path), "\(path)")
    }
  }

  @Test(
    "Every type that it names is declared",
    arguments: ["CommandSpec", "ReportForm", "StepObserver", "ListRun", "Answerer", "AnsweredBy"])
  func types(name: String) throws {
    #expect(Self.quoted.contains(name))
    let sources = FileManager.default.enumerator(
      at: Checkout.root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let declarations = ["struct", "class", "enum", "protocol"].map { "\($0) \(name)" }
    let isDeclared = (sources?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.contains { file in
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return declarations.contains { text.contains($0) }
    }
    #expect(isDeclared)
  }
}
