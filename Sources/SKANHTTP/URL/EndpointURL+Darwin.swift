#if !canImport(FoundationNetworking)
  extension EndpointURL {
    /// Apple's URLSession connects to IPv6 literals.
    package static let platformTakesIPv6Literals = true
  }
#endif
