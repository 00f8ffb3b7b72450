/// What a code is of. The raw value is its name in `skan explain --json`, and stands before a code, as in
/// `check.idfv-missing`, where two kinds have the same.
enum CodeKind: String, CaseIterable, Sendable {
  case outcome, warning, setting, exit, check, postback, error, plist

  /// The heading of its codes in the list of all.
  var heading: String {
    switch self {
    case .outcome: "Outcomes of a step"
    case .warning: "Findings and notes of a step"
    case .setting: "Settings of Apple's framework"
    case .exit: "Exit codes"
    case .check: "Rules of skan check"
    case .postback: "Postbacks: verdicts, findings and states"
    case .error: "Errors of Apple's framework"
    case .plist: "Keys of an app's Info.plist that skan doctor checks"
    }
  }

  /// Other words before a code that mean the kind.
  var aliases: [String] {
    switch self {
    case .warning: ["finding", "note"]
    case .check: ["s2s", "rule"]
    default: []
    }
  }
}
