extension CallFate {
  /// What became of a call, without the window, moment, value or code that decided it; the name is that of device files.
  package enum Kind: String, CaseIterable, Sendable {
    case taken, registered, organic, locked, final, refused
    case unknownVersion = "unknown-version"
    case tooLate = "too-late"
    case alreadyRegistered = "already-registered"
    case windowsOver = "windows-over"
    case notHigher = "not-higher"
    case fineOnly = "fine-only"

    /// Whether Apple holds what the call gave.
    package var isTaken: Bool { self == .taken || self == .registered }
  }

  package var kind: Kind {
    switch self {
    case .taken: .taken
    case .registered: .registered
    case .alreadyRegistered: .alreadyRegistered
    case .organic: .organic
    case .unknownVersion: .unknownVersion
    case .tooLate: .tooLate
    case .locked: .locked
    case .windowsOver: .windowsOver
    case .final: .final
    case .notHigher: .notHigher
    case .fineOnly: .fineOnly
    case .refused: .refused
    }
  }
}
