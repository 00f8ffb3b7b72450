#if !canImport(FoundationNetworking)
  import CFNetwork
  import Foundation

  extension URLSessionConfiguration {
    /// Keeps requests to this machine from going through a proxy: the system's settings with more exceptions.
    func keepLoopbackOffProxies() {
      guard var settings = CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] else { return }
      let given = settings["ExceptionsList"] as? [String] ?? []
      settings["ExceptionsList"] = given + ["localhost", "127.0.0.1", "127/8", "0.0.0.0", "0/8", "::1", "::"]
      connectionProxyDictionary = settings
    }
  }
#endif
