import Foundation
import SKANHTTP

#if canImport(Darwin)
  import CFNetwork
#else
  import FoundationNetworking
#endif

/// The process's one URLSession.
///
/// One for all requests, so that they share connections, and never invalidated: on Linux the teardown of a session can
/// crash (swiftlang/swift-corelibs-foundation#4791, #5491). Nothing of it exists before the first request, so that a
/// command without one does not pay for it.
final class HTTPSession: Sendable {
  static let shared = HTTPSession()

  private let session: URLSession
  private let delegate: HTTPSessionDelegate

  private init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.keepLoopbackOffProxies()
    delegate = HTTPSessionDelegate()
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  /// Asks once, following nothing.
  func run(
    _ call: HTTPCall, _ asked: HTTPRequest, _ limits: HTTPAnswerLimits, wait: (HTTPCall) -> HTTPCall.Ending
  ) -> HTTPCall.Ending {
    guard let url = URL(string: asked.target.text, encodingInvalidCharacters: false) else {
      return .done(.failure(.badURL))
    }
    // Longer than the caller waits: URLSession on Linux counts whole seconds, and its timer must not fire before the
    // caller's own.
    var request = URLRequest(url: url, timeoutInterval: limits.boundedSeconds.rounded(.up) + 60)
    for field in asked.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
    if asked.method != "GET" {
      request.httpMethod = asked.method
      request.httpBody = Data(asked.body)
    }
    let task = session.dataTask(with: request)
    delegate.add(call, for: task)
    task.resume()
    let ending = wait(call)
    // Before the cancellation, so that the delegate replies to no redirect after it.
    delegate.removeCall(for: task)
    switch ending {
    case .done(.success): break
    case .done(.failure), .deadline, .interrupted: task.cancel()
    }
    return ending
  }

  /// The URL that a `Location` means when it is read at `base`.
  static func resolve(_ location: String, at base: String) -> String? {
    URL(string: location, relativeTo: URL(string: base))?.absoluteString
  }
}

extension URLSessionConfiguration {
  /// Keeps requests to this machine from going through a proxy: loopback, and the addresses that mean "this host".
  ///
  /// On Apple systems these are further exceptions in the system's settings. On Linux libcurl honours `http_proxy` and
  /// `all_proxy` for 127.0.0.1, too, and reads its list of exceptions from the environment only: from `no_proxy`, or, where
  /// there is none, from `NO_PROXY`. To be called before the first request, since changing the environment under libcurl's
  /// threads is not safe.
  func keepLoopbackOffProxies() {
    #if canImport(Darwin)
      guard var settings = unsafe CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] else {
        return
      }
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
