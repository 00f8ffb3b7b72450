#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  extension URLSessionConfiguration {
    /// Keeps requests to this machine from going through a proxy: loopback, and the addresses that mean "this host".
    ///
    /// libcurl honours `http_proxy` and `all_proxy` for 127.0.0.1, too, and its list of exceptions has no other way in
    /// than the environment. It asks for `NO_PROXY` only where there is no `no_proxy`. To be called before the first
    /// request: changing the environment under libcurl's threads is not safe.
    func keepLoopbackOffProxies() {
      let given =
        unsafe [getenv("no_proxy"), getenv("NO_PROXY")].compactMap { unsafe $0.map { unsafe String(cString: $0) } }
        .first ?? ""
      // A lone star, which excepts everything, has no meaning within a list.
      if given == "*" { return }
      let names = given.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
      // Only what is missing: the environment of a child of ours is extended already.
      let missing = ["localhost", "127.0.0.1", "127.0.0.0/8", "0.0.0.0/8", "::1", "::"].filter { !names.contains($0) }
      unsafe setenv("no_proxy", (names + missing).joined(separator: ","), 1)
    }
  }
#endif
