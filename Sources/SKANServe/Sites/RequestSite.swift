import SKANHTTP

/// What a request says of where it comes from: the name under which the client found the server, and what a browser adds
/// of the page that asked.
struct RequestSite: Equatable, Sendable {
  /// `Host`.
  var host: String?
  /// `Origin`.
  var origin: String?
  /// `Referer`.
  var referer: String?
  /// `Sec-Fetch-Site`.
  var fetchSite: String?
}

extension RequestSite {
  /// What a request's headers say; of a header that is sent twice the first line counts.
  init(_ headers: HTTPFields) {
    self.init(
      host: headers["Host"], origin: headers["Origin"], referer: headers["Referer"],
      fetchSite: headers["Sec-Fetch-Site"])
  }
}
