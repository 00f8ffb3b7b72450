import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The table of options")
struct OptionTableTests {
  /// Every option of every command, with the command.
  static let rows = CommandLineTool.commands.flatMap { spec in spec.options.map { (spec, $0) } }

  @Test("No command has two options of one name or letter")
  func names() {
    for spec in CommandLineTool.commands {
      #expect(Set(spec.options.map(\.name)).count == spec.options.count, "\(spec.name)")
      let letters = spec.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count, "\(spec.name)")
    }
  }

  @Test("The help of an option names its default, and no other")
  func defaults() {
    for (spec, option) in Self.rows {
      // Which is no text: the cores, what is derived, and standard output.
      if ["jobs", "idfv", "developer", "output"].contains(option.name) { continue }
      guard let text = option.defaultText, !text.isEmpty else {
        #expect(!option.help.contains("(default)"), "\(spec.name) \(option.flag)")
        continue
      }
      let forms = ["default \(text)", "\(text) (default", "default: \(text)"]
      #expect(forms.contains { option.help.contains($0) }, "\(spec.name) \(option.flag)")
    }
  }

  @Test("A choice has names, and its help or its message gives them")
  func choices() {
    for (spec, option) in Self.rows where option.kind == .choice {
      #expect(!option.values.isEmpty, "\(spec.name) \(option.flag)")
      #expect(option.defaultText.map(option.values.contains) ?? true, "\(spec.name) \(option.flag)")
    }
  }

  @Test("A flag takes no value, and everything else takes one")
  func placeholders() {
    for (spec, option) in Self.rows {
      #expect((option.kind == .flag) == (option.placeholder == nil), "\(spec.name) \(option.flag)")
      #expect(option.help.contains("(repeatable)") ? option.isRepeatable : true, "\(spec.name) \(option.flag)")
    }
  }

  @Test("An option of a file says what is done with it")
  func files() {
    for (spec, option) in Self.rows where option.kind == .file {
      #expect(option.file != nil, "\(spec.name) \(option.flag)")
    }
  }

  @Test("A variable has the option's name in capitals")
  func variables() {
    #expect(OptionRow.state.variable == "SKAN_STATE")
    #expect(OptionRow.sdkKeyFile.variable == "SKAN_SDK_KEY_FILE")
  }
}
