import SKANDevice

extension Step {
  /// What a session or an event can be given besides its name.
  package struct Update: Sendable {
    /// Nil for the many that are given nothing.
    private var given: Given?

    package init() {}

    private struct Settings {
      var answer: EndpointAnswer?
      var took: TimeSpan?
      var options = UpdateOptions()
      var forward: ForwardOptions?

      var isEmpty: Bool { answer == nil && took == nil && options == UpdateOptions() && forward == nil }
    }

    private final class Given: Sendable {
      let settings: Settings
      init(_ settings: Settings) { self.settings = settings }
    }

    private var settings: Settings {
      get { given?.settings ?? Settings() }
      set { given = newValue.isEmpty ? nil : Given(newValue) }
    }

    /// Takes the place of the endpoint.
    package var answer: EndpointAnswer? {
      get { given?.settings.answer }
      set { settings.answer = newValue }
    }

    /// How long the answer takes; nil = as long as it takes, which in virtual time is nothing.
    package var took: TimeSpan? {
      get { given?.settings.took }
      set { settings.took = newValue }
    }

    package var options: UpdateOptions {
      get { given?.settings.options ?? UpdateOptions() }
      set { settings.options = newValue }
    }

    /// How the app's server reports it afterwards; nil when it does not.
    package var forward: ForwardOptions? {
      get { given?.settings.forward }
      set { settings.forward = newValue }
    }
  }
}
