extension Forwarder.Ending {
  /// The exit code of a command that sends once.
  var code: ExitCode {
    get throws(CommandError) {
      switch self {
      case .accepted: .ok
      case .refused: .badAnswer
      case .unanswered: .unavailable
      case .failed: .cannotWrite
      case .interrupted: throw .interrupted
      }
    }
  }
}
