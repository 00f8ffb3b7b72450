import Foundation
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun
import SKANSigning
import SKANTraffic
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("skan explain")
struct ExplainTests {
  @Test("Every code of every kind is there, and no other")
  func everyCode() {
    let codes: [[String]] = [
      Outcome.allCases.map(\.name), WarningCode.allCases.map(\.name), FrameworkSetting.allCases.map(\.name),
      ExitCode.allCases.map { "exit-\($0.rawValue)" }, TrafficRule.allCases.map(\.id),
      PostbackVerdict.Outcome.allCases.map(\.rawValue), VerifyNote.allCases.map(\.rawValue),
      ReceivedSignature.Key.allCases.map(\.rawValue), Repetition.allCases.map(\.rawValue),
      PostbackFinding.Code.allCases.map(\.rawValue), Postback.State.allCases.map(\.rawValue),
      SKANErrorCode.allCases.map { "SKANErrorDomain-\($0.rawValue)" }, PlistKey.allCases.map(\.rawValue),
      ModelWarning.allCases.map(\.rawValue),
    ]
    #expect(CodeCatalog.all.map(\.code) == codes.flatMap(\.self))
    // What a received postback's signature can be is among the verdicts.
    let verdicts = Set(PostbackVerdict.Outcome.allCases.map(\.rawValue))
    for verdict in ReceivedSignature.Verdict.allCases { #expect(verdicts.contains(verdict.rawValue)) }
    let names = CodeCatalog.all.map { "\($0.kind.rawValue).\($0.code)" }
    #expect(Set(names).count == names.count)
  }

  @Test("Each has all parts, in whole sentences", arguments: CodeCatalog.all.indices)
  func parts(index: Int) {
    let code = CodeCatalog.all[index]
    let explanation = code.explanation
    for text in [explanation.phone, explanation.cause, explanation.remedy, explanation.summary] {
      #expect(text.hasSuffix(".") && !text.contains("..") && !text.contains("  "), "\(code.code): \(text)")
    }
    #expect(explanation.phone.count > 20 && explanation.cause.count > 10 && explanation.remedy.count > 5)
    #expect(!explanation.sources.isEmpty)
    let catalog = Checkout.root.appending(path: "Sources/SKANDevice/SKANDevice.docc")
    for article in explanation.articles {
      #expect(FileManager.default.fileExists(atPath: catalog.appending(path: "\(article).md").path), "\(article)")
    }
    #expect(explanation.guide?.lines.contains { $0.isEmpty || $0 != $0.trimmingCharacters(in: .whitespaces) } != true)
    let lines = code.text().components(separatedBy: "\n")
    let prose = lines.filter { !$0.contains("[") && !$0.contains("skan ") && !$0.contains("*") }
    #expect(prose.allSatisfy { $0.count <= 80 } || explanation.guide != nil, "\(code.code)")
  }

  @Test("Only a mistake of the program cannot be brought about")
  func withoutCommand() {
    #expect(CodeCatalog.all.filter { $0.explanation.example == nil }.map(\.code) == ["exit-70"])
  }

  @Test("The behaviour reference has every outcome, finding and note")
  func reference() throws {
    let catalog = Checkout.root.appending(path: "Sources/SKANDevice/SKANDevice.docc")
    let names = try FileManager.default.contentsOfDirectory(atPath: catalog.path).filter { $0.hasSuffix(".md") }
    let text = try names.map { try String(contentsOf: catalog.appending(path: $0), encoding: .utf8) }.joined()
    for code in CodeCatalog.all where code.kind == .outcome || code.kind == .warning || code.kind == .setting {
      #expect(text.contains("`\(code.code)`"), "\(code.code)")
    }
  }

  @Test(
    "A code may be spelled otherwise",
    arguments: [
      ("lock-leaked", ["warning.lock-leaked"]), ("LOCK_LEAKED", ["warning.lock-leaked"]),
      ("[lock-leaked]", ["warning.lock-leaked"]), ("finding.lock-leaked", ["warning.lock-leaked"]),
      ("blocked", ["outcome.blocked", "warning.blocked"]), ("outcome.blocked", ["outcome.blocked"]),
      ("idfv-missing", ["warning.idfv-missing", "check.idfv-missing"]),
      ("s2s.idfv-missing", ["check.idfv-missing"]), ("check.idfv-missing", ["check.idfv-missing"]),
      ("clock-start", ["setting.clock-start"]), ("clock-start=first_launch", ["setting.clock-start"]),
      ("64", ["exit.exit-64"]), ("exit-64", ["exit.exit-64"]), ("exit.64", ["exit.exit-64"]),
      ("usage", ["exit.exit-64"]),
      ("10", ["error.SKANErrorDomain-10"]), ("skanerrordomain-10", ["error.SKANErrorDomain-10"]),
      ("SKANErrorDomain error 10", ["error.SKANErrorDomain-10"]),
      ("invalidConversionValue", ["error.SKANErrorDomain-6"]), ("not-checked", ["postback.not-checked"]),
      ("1", ["exit.exit-1", "error.SKANErrorDomain-1"]),
      ("attributioncopyendpoint", ["plist.AttributionCopyEndpoint"]),
      ("plist.AdAttributionKit", ["plist.AdAttributionKit"]),
    ])
  func spellings(text: String, codes: [String]) throws {
    #expect(try CodeCatalog.codes(named: text).map { "\($0.kind.rawValue).\($0.code)" } == codes)
    // All of them are printed, with an empty line between two.
    let printed = World().run("explain", text)
    #expect(printed == Consequences(out: printed.out))
    #expect(printed.out.components(separatedBy: "\nWhat to do\n").count - 1 == codes.count)
  }

  @Test(
    "What is no code",
    arguments: [
      ("lock-leeked", "there is no code \"lock-leeked\"; did you mean lock-leaked? 'skan explain' lists them all"),
      ("zzzzzzzzzzzz", "there is no code \"zzzzzzzzzzzz\"; 'skan explain' lists them all"),
      (
        "check.lock-leaked",
        "there is no code \"check.lock-leaked\"; did you mean warning.lock-leaked? 'skan explain' lists them all"
      ),
      (
        "exit-65535",
        "there is no code \"exit-65535\"; the exit codes are 0, 1, 64, 65, 66, 69, 70, 73, 75, 76, 77 and 130; 'skan explain' "
          + "lists them all"
      ),
      (
        "SKANErrorDomain-12",
        "there is no code \"SKANErrorDomain-12\"; the errors of Apple's framework are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11; "
          + "'skan explain' lists them all"
      ),
      (
        "exit",
        "there is no code \"exit\"; the exit codes are 0, 1, 64, 65, 66, 69, 70, 73, 75, 76, 77 and 130; 'skan explain' lists "
          + "them all"
      ),
      (
        "12",
        "there is no code \"12\"; the exit codes are 0, 1, 64, 65, 66, 69, 70, 73, 75, 76, 77 and 130, the errors of Apple's "
          + "framework are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11; 'skan explain' lists them all"
      ),
      ("exit-x", "there is no code \"exit-x\"; did you mean exit-0? 'skan explain' lists them all"),
      ("", "there is no code \"\"; 'skan explain' lists them all"),
    ])
  func unknown(text: String, message: String) {
    #expect(World().run("explain", text) == .usage(message, command: "explain"))
    // Nothing is printed of those before it.
    #expect(World().run("explain lock-leaked", text) == .usage(message, command: "explain"))
  }

  @Test("A command line names the installed examples, as a shell takes their path; without any those of a clone")
  func installedFixtures() {
    let world = World()
    #expect(
      world.run("explain exit-0 lock-leaked").out.contains(
        "\n  skan replay fixtures/hazards/illegal-fine-value.jsonl\n"))
    for (folder, word) in [("/opt/a/fixtures", "/opt/a/fixtures"), ("/opt/a b's/x", #"'/opt/a b'\''s/x'"#)] {
      world.set { $0.installedFixtures = folder }
      #expect(
        world.run("explain lock-leaked").out.contains("\n  skan replay \(word)/hazards/illegal-fine-value.jsonl\n"))
      let json = world.run("explain --json model-changed").out
      #expect(
        json.contains("cp \(word.replacing("\\", with: "\\\\"))/models/sample.json demo-model.json")
          && !json.contains(" fixtures/"))
    }
  }

  @Test("What to do about stale details is one answer, whichever code is asked")
  func staleDetails() {
    let remedies = ["metadata-stale", "details-stale"].map { name in
      CodeCatalog.all.first { $0.code == name }?.explanation.remedy
    }
    #expect(remedies[0] == remedies[1] && remedies[0]?.contains("valuesHasBeenUpdated first") == true)
  }

  @Test("A setting with a value is the setting", arguments: ["clock-start=first_launch", "setting.clock-start=x"])
  func setting(text: String) {
    let run = World().run("explain", text)
    #expect(run.code == .ok && run == World().run("explain clock-start"))
  }

  @Test("The list has every code, a line each")
  func list() {
    let list = World().run("explain")
    #expect(list == Consequences(out: list.out))
    let lines = list.out.components(separatedBy: "\n").filter { $0.hasPrefix("  ") }
    #expect(lines.map { String($0.split(separator: " ")[0]) } == CodeCatalog.all.map(\.code))
    for kind in CodeKind.allCases { #expect(list.out.contains("\(kind.heading)\n")) }
  }

  @Test("As JSON, an object a code")
  func json() throws {
    struct Line: Decodable {
      struct Guide: Decodable {
        var title: String
        var lines: [String]
      }
      var code, kind, role, summary, phone, cause, remedy: String
      var command: String?
      var guide: Guide?
      var sources: [String]
    }
    let lines = World().run("explain --json").out.split(separator: "\n")
    #expect(lines.count == CodeCatalog.all.count)
    for (line, code) in zip(lines, CodeCatalog.all) {
      let read = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      let explanation = code.explanation
      #expect(read.code == code.code && read.kind == code.kind.rawValue)
      #expect(read.command == explanation.example?.command)
      #expect(read.guide?.lines == explanation.guide?.lines && !read.sources.isEmpty)
    }
    #expect(World().run("explain --json lock-leaked").out.contains("unlock"))
  }
}
