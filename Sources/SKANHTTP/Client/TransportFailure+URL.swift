extension TransportFailure {
  /// The failure in our words, for a request to this URL; its query is left out.
  package func words(url: String) -> String {
    guard let parts = try? URLParts(url) else { return "the address cannot be used" }
    return words(address: parts.address)
  }
}
