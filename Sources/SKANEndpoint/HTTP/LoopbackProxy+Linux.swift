#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  extension URLSessionConfiguration {
    /// Keeps requests to this machine from going through a proxy.
    ///
    /// libcurl honours `http_proxy` and `all_proxy` for 127.0.0.1, too, and its list of exceptions has no other way in
    /// than the environment. It asks for `NO_PROXY` only where there is no `no_proxy`. To be called before the first
    /// request: changing the environment under libcurl's threads is not safe.
    func keepLoopbackOffProxies() {
      let loopback = "localhost,127.0.0.1,127.0.0.0/8,::1"
      let given = [getenv("no_proxy"), getenv("NO_PROXY")].compactMap { $0.map { String(cString: $0) } }.first ?? ""
      // A lone star, which excepts everything, has no meaning within a list.
      if given == "*" { return }
      setenv("no_proxy", given.isEmpty ? loopback : "\(given),\(loopback)", 1)
    }
  }
#endif
