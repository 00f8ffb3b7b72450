/// The names under which an app's server forwards what SKAN 3 keeps; see the article "Endpoints". SKAN 4 is forwarded under
/// the names of the store.
package enum SKAN3Metadata: String, CaseIterable, Sendable {
  case conversionValue = "skan_conversion_value"
  /// Unix seconds, 0 before the first call.
  case firstCall = "skan_first_call_timestamp"
  /// Unix seconds, 0 before the first call.
  case lastCall = "skan_last_call_timestamp"

  /// The entry of the store that it carries.
  package var kept: KeptKey {
    switch self {
    case .conversionValue: .skan3Value
    case .firstCall: .firstCall
    case .lastCall: .lastCall
    }
  }

  /// The parameter under which the phone itself sends it.
  package var requested: QueryParameter {
    switch self {
    case .conversionValue: .skan3Value
    case .firstCall: .skan3FirstCall
    case .lastCall: .skan3LastCall
    }
  }
}

extension KeptState {
  /// What the app's server appends to its own requests, in the order of the guides' samples. SKAN 3 leaves out a conversion
  /// value that is not set, where the guide's sample crashes.
  ///
  /// - Throws: ``PoisonedEntry`` when reading the store crashes the app.
  package func metadata(of snippet: SnippetVersion) throws(PoisonedEntry) -> [QueryItem] {
    let details = try SkanDetails(of: self, snippet: snippet)
    if snippet.isSKAN4 { return details.queryItems }
    return SKAN3Metadata.allCases.compactMap { name in
      switch name {
      case .conversionValue: skan3Value.map { QueryItem(name.rawValue, String($0)) }
      case .firstCall: QueryItem(name.rawValue, String(firstCall ?? 0))
      case .lastCall: QueryItem(name.rawValue, String(lastCall ?? 0))
      }
    }
  }
}
