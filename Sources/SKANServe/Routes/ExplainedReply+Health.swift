extension ExplainedReply {
  /// What `GET /healthz` says.
  static func health(phones count: Int) -> ExplainedReply {
    ExplainedReply(200, Array("{\"phones\":\(count),\"status\":\"ok\"}".utf8))
  }
}
