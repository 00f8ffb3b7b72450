import SKANDevice

/// Events that an install has once, in its first window.
///
/// `first_open`: "the first time a user launches an app after installing or re-installing it" (Google Analytics Help,
/// "Automatically collected events"). A reinstall begins anew in every model.
enum SingleEvent {
  static let names: Set<String> = ["first_open"]

  /// The event for which a mapping can never hold in its window.
  static func impossible(in mapping: ValueMapping, of window: ConversionWindow) -> String? {
    mapping.events.first { names.contains($0.name) && (window != .p0 || ($0.occurrence?.min ?? 1) > 1) }?.name
  }
}
