extension TransportFailure {
  /// The failure for the user, of a request to this URL; its query is left out.
  package func message(url: String) -> String {
    guard let parts = try? URLParts(url) else { return "the address cannot be used" }
    return message(address: parts.address)
  }
}
