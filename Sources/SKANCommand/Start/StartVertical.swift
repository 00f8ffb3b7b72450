/// The kinds of apps for which `skan init` knows events.
enum StartVertical: String, CaseIterable, Sendable {
  case game, subscription, commerce

  /// In the order in which a user mostly does them.
  var events: [String] {
    switch self {
    case .game: ["tutorial_complete", "level_10", "purchase"]
    case .subscription: ["sign_up", "start_trial", "subscribe"]
    case .commerce: ["view_product", "add_to_cart", "purchase"]
    }
  }
}
