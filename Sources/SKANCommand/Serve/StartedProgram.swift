/// A program of the user's that runs beside this one, with the same streams.
package struct StartedProgram: Sendable {
  /// What it ended with: its exit code, or 128 and the number of the signal that ended it; nil while it runs. Asking
  /// passes on the signals that this process got.
  package let status: @Sendable () -> Int32?

  package init(status: @escaping @Sendable () -> Int32?) { self.status = status }
}

/// Starts a program: its name and arguments, and variables that its environment has besides ours.
///
/// - Throws: ``CommandError/commandNotStarted(_:status:)``.
package typealias ProgramStarter =
  @Sendable (_ arguments: [String], _ variables: [(name: String, value: String)]) throws(CommandError) -> StartedProgram
