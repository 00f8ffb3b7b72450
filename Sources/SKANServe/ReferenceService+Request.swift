import SKANJSON
import SKANModel

extension ReferenceService {
  /// What of a request counts here.
  package struct Request {
    package var method: String
    package var path: String
    /// Without its question mark, still encoded.
    package var query: String
    /// The address that it came from.
    package var peer: String
    package var deviceTime: String?
    package var fault: String?
    package var site: RequestSite

    package init(
      method: String, path: String, query: String, peer: String, deviceTime: String?, fault: String?,
      site: RequestSite = RequestSite()
    ) {
      self.method = method
      self.path = path
      self.query = query
      self.peer = peer
      self.deviceTime = deviceTime
      self.fault = fault
      self.site = site
    }

    var isHead: Bool { method == "HEAD" }
  }

  package struct Reply: Equatable {
    package var status: Int
    package var contentType = "application/json"
    package var body: [UInt8]
    /// How the bytes go wrong on their way, if they do.
    package var fault: Fault?
    /// The methods that the path has, for a 405.
    package var allow: String?
    /// What the journal says of it; empty for what is not in the journal.
    package var explanation = ""
    /// Whether it is one of the requests after which the server is to stop.
    package var isCounted = false
    /// The site whose page may read it.
    package var allowedOrigin: String?

    init(_ status: Int, _ body: String, contentType: String = "application/json", fault: Fault? = nil) {
      self.init(status, Array(body.utf8), contentType: contentType, fault: fault)
    }

    init(_ status: Int, _ body: [UInt8], contentType: String = "application/json", fault: Fault? = nil) {
      self.status = status
      self.body = body
      self.contentType = contentType
      self.fault = fault
    }

    /// A request that is not answered as it wants.
    static func refusal(_ status: Int, _ reason: String) -> Reply {
      var reply = Reply(
        status, JSONWriter.text(.object([("reason", .string(reason)), ("status", .string("error"))])))
      reply.explanation = reason
      return reply
    }

    /// What a browser hears that asks before it sends what a page of an allowed site wants.
    static func permission(_ methods: String) -> Reply {
      var reply = Reply(204, "")
      reply.allow = methods
      reply.explanation = "A browser asks what a page may send."
      return reply
    }
  }
}

extension ReferenceService.Request {
  /// Names the parameter that cannot be read, in a query of which that is known. Its value is not shown: it may be the key.
  func brokenParameter(in document: JSONDocument) -> String {
    let problem = "has a broken percent escape or is not UTF-8"
    let broken = query.split(separator: "&").first { ConversionQuery(String($0), api: .v2, in: document) == nil }
    let name = broken?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    return name.isEmpty || name.contains("%")
      ? "the query \(problem)" : "the parameter \(JSONWriter.quoted(String(name.prefix(100)))) \(problem)"
  }
}
