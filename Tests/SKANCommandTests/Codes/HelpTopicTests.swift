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

@Suite("Topics of skan help")
struct HelpTopicTests {
  @Test("Each fits 80 columns and has all that its tables have", arguments: HelpTopic.allCases)
  func text(topic: HelpTopic) {
    let text = topic.text
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(text.hasPrefix("\(topic.rawValue): \(topic.summary)\n\n") && text.hasSuffix("\n"))
    #expect(!text.contains("  \n"))
    // Rows may be broken between words.
    let words = Set(text.split { " \n,".contains($0) }.map { $0.hasSuffix(".") ? $0.dropLast() : $0[...] })
    for name in Self.names(of: topic) { #expect(words.contains(name[...]), "\(name)") }
  }

  /// What a reader must find there.
  private static func names(of topic: HelpTopic) -> [String] {
    switch topic {
    case .lists: ListFormat.operations.flatMap { [$0.name] + $0.keys } + ListFormat.commonKeys
    case .results: StepResult.keys + Outcome.allCases.map(\.name) + WarningCode.allCases.map(\.name)
    case .time: ["ms", "s", "m", "h", "d", "now"]
    case .models: ["mapped_events", "lock_window_event", "max_event_count", "__ADMON_REVENUE__", "$schema"]
    case .windows: ["P0", "P1", "P2", "2d", "7d", "35d", "1d", "15.4", "16.1", "11.3"]
    case .postbacks:
      Postback.State.allCases.map(\.rawValue) + PostbackField.allCases.map(\.rawValue)
        + PostbackFinding.Code.allCases.map(\.rawValue)
    case .checking: TrafficRule.allCases.map(\.id)
    case .exitCodes: ExitCode.allCases.map { String($0.rawValue) }
    case .environment: VariableNames.more.map(\.name) + ["SKAN_LOCK_TIMEOUT", "SKAN_MODEL"]
    }
  }

  @Test("Every key has a text, and none that is not there")
  func keys() {
    for row in ShownResult.fields.rows { #expect(!row.text.isEmpty, "\(row.name)") }
    #expect(Set(HelpTopic.commonKeyTexts.keys) == Set(ListFormat.commonKeys))
  }

  @Test("It is printed by 'skan help', in any case, and 'skan help' names it", arguments: HelpTopic.allCases)
  func printed(topic: HelpTopic) {
    let isCommand = CommandLineTool.commands.contains { $0.name == topic.rawValue }
    for name in [topic.rawValue, topic.rawValue.uppercased()] {
      let help = World().run("help \(name)")
      #expect(help.code == .ok && help.out.hasPrefix(topic.text))
      #expect((help.out == topic.text) != isCommand)
    }
    #expect(World().run("help").out.contains("\n  \(topic.rawValue) "))
  }

  @Test(
    "What is neither a command nor a topic",
    arguments: [
      ("window", "there is no command or topic \"window\"; did you mean 'windows'?"),
      ("exitcodes", "there is no command or topic \"exitcodes\"; did you mean 'exit-codes'?"),
      ("sesion", "there is no command \"sesion\"; did you mean 'session'?"),
      ("zzzzzzzz", "there is no command \"zzzzzzzz\""),
    ])
  func unknown(name: String, message: String) {
    #expect(World().run("help \(name)") == .usage(message))
  }
}
