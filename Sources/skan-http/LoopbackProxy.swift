import Foundation

#if canImport(Darwin)
  import CFNetwork
#else
  import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// Keeps requests to this machine from going through a proxy: loopback, and the addresses that mean "this host".
  ///
  /// On Apple systems these are further exceptions in the system's settings. On Linux libcurl honours `http_proxy` and
  /// `all_proxy` for 127.0.0.1, too, and reads its list of exceptions from the environment only: from `no_proxy`, or, where
  /// there is none, from `NO_PROXY`. To be called before the first request, since changing the environment under libcurl's
  /// threads is not safe.
  func keepLoopbackOffProxies() {
    #if canImport(Darwin)
      guard var settings = CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] else { return }
      let given = settings["ExceptionsList"] as? [String] ?? []
      settings["ExceptionsList"] = given + ["localhost", "127.0.0.1", "127/8", "0.0.0.0", "0/8", "::1", "::"]
      connectionProxyDictionary = settings
    #else
      let given =
        unsafe [getenv("no_proxy"), getenv("NO_PROXY")].compactMap { unsafe $0.map { unsafe String(cString: $0) } }
        .first ?? ""
      // A lone star, which excepts everything, has no meaning within a list.
      if given == "*" { return }
      let names = given.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
      // Only what is missing: the environment of a child of ours is extended already.
      let missing = ["localhost", "127.0.0.1", "127.0.0.0/8", "0.0.0.0/8", "::1", "::"].filter { !names.contains($0) }
      unsafe setenv("no_proxy", (names + missing).joined(separator: ","), 1)
    #endif
  }
}
