#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

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
