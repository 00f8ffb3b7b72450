import Foundation
import Testing

/// What becomes of the files that hold what the program is expected to print.
enum ExpectedFiles: Equatable {
  /// The program is compared with them.
  case compared
  /// They are written again, with what the program prints now: `SKAN_UPDATE_EXPECTED=1`.
  case written
  /// They would be written on a machine of a CI service, which sets `CI`: every difference would pass.
  case refused

  init(_ environment: [String: String]) {
    guard let update = environment["SKAN_UPDATE_EXPECTED"], !update.isEmpty else {
      self = .compared
      return
    }
    self = environment["CI"]?.isEmpty ?? true ? .written : .refused
  }

  /// Writes them if they are to be written; says whether it did.
  @discardableResult
  static func update(sourceLocation: SourceLocation = #_sourceLocation, _ write: () throws -> Void) rethrows -> Bool {
    switch Self(ProcessInfo.processInfo.environment) {
    case .compared: return false
    case .written:
      try write()
      return true
    case .refused:
      Issue.record("SKAN_UPDATE_EXPECTED is set, and CI, too: nothing is compared", sourceLocation: sourceLocation)
      return false
    }
  }
}
