/// What is remembered of the reports of the app's server about an install.
package struct ForwardingMemory: Sendable, Equatable {
  /// Whether a session was reported and taken.
  package var hasSession = false
  /// What an endpoint with a model remembers of the reports, apart from the requests of the phone itself.
  package var memory = InstallMemory.none

  package init() {}
}
