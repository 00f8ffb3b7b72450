#if canImport(FoundationNetworking)
  extension EndpointURL {
    /// URLSession up to Swift 6.3 fails with -1000 on every IPv6 literal (swiftlang/swift-corelibs-foundation#5496).
    package static let platformTakesIPv6Literals = false
  }
#endif
