import Foundation
import Dispatch
import SKANDevice
import SKANHTTP
import Synchronization
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Darwin)
  import CFNetwork
#else
  import FoundationNetworking
#endif

/// The process's only URLSession.
///
/// All requests share it and its connections. It is never invalidated: on Linux the teardown of a session can crash
/// (swiftlang/swift-corelibs-foundation#4791, #5491). It is created at the first request, so that a command without
/// requests does not pay for it.
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

  /// Sends one request, without following redirects.
  func run(
    _ call: HTTPCall, _ asked: HTTPRequest, _ limits: HTTPAnswerLimits, wait: (HTTPCall) -> HTTPCall.Ending
  ) -> HTTPCall.Ending {
    guard let url = URL(string: asked.target.text, encodingInvalidCharacters: false) else {
      return .done(.failure(.badURL))
    }
    // Longer than the caller waits: URLSession on Linux counts whole seconds, and its timer must not fire before the
    // caller's.
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
    // Before the cancellation, so that the delegate does not reply to a redirect after it.
    delegate.removeCall(for: task)
    switch ending {
    case .done(.success): break
    case .done(.failure), .deadline, .interrupted: task.cancel()
    }
    return ending
  }

  /// Resolves the URL in a `Location` relative to `base`.
  static func resolve(_ location: String, at base: String) -> String? {
    URL(string: location, relativeTo: URL(string: base))?.absoluteString
  }
}

extension URLSessionConfiguration {
  /// Keeps requests to this machine (loopback, and the addresses that mean "this host") from going through a proxy.
  ///
  /// On Apple systems these addresses are added to the exceptions in the system's settings. On Linux libcurl applies
  /// `http_proxy` and `all_proxy` to 127.0.0.1, too, and reads exceptions only from the environment: from `no_proxy`
  /// or, if that is not set, from `NO_PROXY`. Call this before the first request, since changing the environment while
  /// libcurl's threads run is not safe.
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
      // A single star, which excepts everything, has no meaning within a list.
      if given == "*" { return }
      let names = given.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
      // Add only missing names: a child process of ours inherits an environment that already has them.
      let missing = ["localhost", "127.0.0.1", "127.0.0.0/8", "0.0.0.0/8", "::1", "::"].filter { !names.contains($0) }
      unsafe setenv("no_proxy", (names + missing).joined(separator: ","), 1)
    #endif
  }
}

/// Passes the events of a task to its call.
///
/// This is the session's delegate, because Linux ignores the delegate of a task.
final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate {
  private let calls = Mutex<[Int: HTTPCall]>([:])

  func add(_ call: HTTPCall, for task: URLSessionTask) {
    calls.withLock { $0[task.taskIdentifier] = call }
  }

  /// Ignores the task from now on.
  func removeCall(for task: URLSessionTask) {
    calls.withLock { $0[task.taskIdentifier] = nil }
  }

  func call(for task: URLSessionTask) -> HTTPCall? {
    calls.withLock { $0[task.taskIdentifier] }
  }

  /// Refuses to follow redirects: ``HTTPTransport`` follows them by rules that are stricter than URLSession's.
  ///
  /// An ignored task gets no reply, because it is being cancelled, and on Linux a reply after the cancellation ends the
  /// process (`didCompleteRedirectCallback` in `HTTPURLProtocol.swift` of swift-corelibs-foundation). Replying within
  /// the lock ensures that the reply precedes the removal of the call, and so the cancellation.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    calls.withLock { calls in
      if calls[task.taskIdentifier] != nil { completionHandler(nil) }
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // The call is over or the body too large, so the rest is not needed.
    if call(for: dataTask)?.receive(data) != true { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let call = call(for: task) else { return }
    let response = task.response as? HTTPURLResponse
    switch (error, response) {
    case (nil, .some(let response)): call.finish(status: response.statusCode, headers: response.sortedHeaders)
    case (nil, nil): call.end(.failure(.notHTTP))
    case (let error as URLError, _):
      call.end(
        .failure(
          TransportFailure(error, address: call.address, hasAnswer: response != nil, seconds: call.seconds)))
    case (.some(let error), _):
      call.end(.failure(.other(code: (error as NSError).code, text: TransportFailure.cleaned("\(error)"))))
    }
  }
}

extension HTTPURLResponse {
  /// The header fields, sorted by name.
  var sortedHeaders: HTTPFields {
    HTTPFields(
      allHeaderFields
        .map { HTTPField("\($0.key)", "\($0.value)") }
        .sorted { $0.name.lowercased() < $1.name.lowercased() })
  }
}

#if canImport(FoundationNetworking)
  extension HTTPSessionDelegate {
    /// Accepts a 401 as the answer.
    ///
    /// Without this method the task would never end, because URLSession would wait for a credential. It calls this
    /// method when the body is complete, and cancels the task after the refusal, which is then too late to matter.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      if let response = challenge.failureResponse as? HTTPURLResponse {
        call(for: task)?.finish(status: response.statusCode, headers: response.sortedHeaders)
      }
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }
#endif

/// A request in progress: its answer so far, and the wait for its end.
final class HTTPCall: Sendable {
  /// How the wait ended.
  enum Ending {
    /// The answer to one request, which may be a redirect.
    case done(Result<HTTPResponse, TransportFailure>)
    case deadline
    case interrupted
  }

  private struct State {
    var body: [UInt8] = []
    var result: Result<HTTPResponse, TransportFailure>?
  }

  /// The requested address.
  let address: HTTPAddress
  private let bodyLimit: Int
  private let started = ContinuousClock.now
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  init(address: HTTPAddress, bodyLimit: Int) {
    self.address = address
    self.bodyLimit = bodyLimit
  }

  /// The seconds since the request began.
  var seconds: Double { started.duration(to: .now) / .seconds(1) }

  /// Adds a part of the body.
  ///
  /// - Returns: false when the body exceeds the limit; the call has then ended.
  func receive(_ bytes: some Collection<UInt8>) -> Bool {
    let fits = state.withLock { state in
      guard state.body.count + bytes.count <= bodyLimit else { return false }
      state.body.append(contentsOf: bytes)
      return true
    }
    if !fits { end(.failure(.bodyTooLarge(bodyLimit))) }
    return fits
  }

  /// Ends the call with a complete answer.
  func finish(status: Int, headers: HTTPFields) {
    let body = state.withLock { $0.body }
    end(.success(HTTPResponse(status: status, headers: headers, body: body)))
  }

  /// Ends the call. Only the first call of this method counts, because cancelling a task ends it a second time.
  func end(_ result: Result<HTTPResponse, TransportFailure>) {
    let isFirst = state.withLock { state in
      guard state.result == nil else { return false }
      state.result = result
      return true
    }
    if isFirst { ended.signal() }
  }

  /// Blocks the thread in short intervals, because an interrupt does not wake the semaphore.
  func wait(until deadline: ContinuousClock.Instant, isInterrupted: () -> Bool) -> Ending {
    while true {
      if isInterrupted() { return .interrupted }
      let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
      let isLast = left <= Self.slice
      let outcome = ended.wait(timeout: .now() + max(0, min(left, Self.slice)))
      if outcome == .success, let result = state.withLock({ $0.result }) { return .done(result) }
      if isLast { return .deadline }
    }
  }

  /// The interval in seconds.
  private static let slice = 0.05
}
