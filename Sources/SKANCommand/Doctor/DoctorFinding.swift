import SKANBase

/// What `skan doctor` found about one thing.
struct DoctorFinding: Sendable, Equatable, JSONObjectWritable {
  enum Status: String, CaseIterable, JSONWritable {
    /// It is as it should be.
    case ok
    /// Worth knowing, and not wrong.
    case note
    case wrong

    var role: TextRole {
      switch self {
      case .ok: .success
      case .note: .dim
      case .wrong: .failure
      }
    }
  }

  /// Where a rule comes from.
  enum Evidence: String, CaseIterable, JSONWritable {
    /// Apple's documentation.
    case apple
    /// Concluded from it.
    case inferred
    /// The program itself.
    case ours
  }

  let check: String
  let status: Status
  let message: String
  var evidence = Evidence.ours

  static func ok(_ check: String, _ message: String, _ evidence: Evidence = .ours) -> DoctorFinding {
    DoctorFinding(check: check, status: .ok, message: message, evidence: evidence)
  }

  static func note(_ check: String, _ message: String, _ evidence: Evidence = .ours) -> DoctorFinding {
    DoctorFinding(check: check, status: .note, message: message, evidence: evidence)
  }

  static func wrong(_ check: String, _ message: String, _ evidence: Evidence = .ours) -> DoctorFinding {
    DoctorFinding(check: check, status: .wrong, message: message, evidence: evidence)
  }

  static let fields = JSONFields<DoctorFinding> {
    JSONField("check") { $0.check }
    JSONField("status") { $0.status }
    JSONField("message") { $0.message }
    JSONField("evidence") { $0.evidence }
  }

  /// The cells of a table's row.
  var cells: [String] {
    [status.rawValue, check, message.oneLine + (evidence == .inferred ? " (inferred)" : "")]
  }
}
