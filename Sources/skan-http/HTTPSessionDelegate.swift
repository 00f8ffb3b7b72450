import Foundation
import SKANHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what happens to a task to the call that it serves.
///
/// The session's own delegate, because Linux ignores the delegate of a task.
final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate {
  private let calls = Mutex<[Int: HTTPCall]>([:])

  func add(_ call: HTTPCall, for task: URLSessionTask) {
    calls.withLock { $0[task.taskIdentifier] = call }
  }

  /// From here on the task is ignored.
  func removeCall(for task: URLSessionTask) {
    calls.withLock { $0[task.taskIdentifier] = nil }
  }

  func call(for task: URLSessionTask) -> HTTPCall? {
    calls.withLock { $0[task.taskIdentifier] }
  }

  /// Follows nothing: ``HTTPTransport`` does, by its own rules, which are stricter than URLSession's.
  ///
  /// A task that is ignored gets no reply: it is being cancelled, and on Linux a reply that comes after the cancellation
  /// ends the process (`didCompleteRedirectCallback` in `HTTPURLProtocol.swift` of swift-corelibs-foundation). A reply
  /// within the lock comes before the removal of the call, and so before the cancellation.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    calls.withLock { calls in
      if calls[task.taskIdentifier] != nil { completionHandler(nil) }
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // A call that is over, or a body that is too large: no use in reading on.
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
  /// The header lines, sorted by name.
  var sortedHeaders: HTTPFields {
    HTTPFields(
      allHeaderFields
        .map { HTTPField("\($0.key)", "\($0.value)") }
        .sorted { $0.name.lowercased() < $1.name.lowercased() })
  }
}

#if canImport(FoundationNetworking)
  extension HTTPSessionDelegate {
    /// Takes a 401 for the answer that it is.
    ///
    /// Without this method the task would never end: URLSession waits here for a credential that there is not. It asks
    /// when the body is complete, and what it does with the refusal (it cancels the task) comes too late to matter.
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
