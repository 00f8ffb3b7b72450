import SKANDevice

extension SettingName: ExplainedCode {
  static var kind: CodeKind { .setting }

  var code: String { rawValue }

  var roleText: String { "setting of Apple's framework" }

  /// What the table of settings says, and what is particular to this one.
  var explanation: CodeExplanation {
    let row = FrameworkSetting.all.first { $0.name == rawValue }
    let values = row?.values ?? []
    let meaning = row?.meaning ?? ""
    return CodeExplanation(
      phone:
        "Decides \(meaning). It is one of \(values.joined(separator: ", ")); \(values.first ?? "") is the default. \(effect)",
      cause: "Apple's documentation leaves it open, so no value is right for certain. \(row?.doubt ?? "").",
      command: demonstration,
      remedy: "Leave the default unless you know better. To see whether a test depends on it, run it with each value: "
        + "--setting \(rawValue)=VALUE of 'skan install', or \"settings\" in a list's device step.",
      articles: ["AppleFramework", "Postbacks"])
  }
}
