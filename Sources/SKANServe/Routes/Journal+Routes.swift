/// `/journal`.
extension Journal {
  /// What `GET` gives.
  func lines() -> ExplainedReply { ExplainedReply(200, text, contentType: "application/jsonl") }

  /// Empties the journal; what was kept outside stays.
  func delete() -> ExplainedReply {
    clear()
    return ExplainedReply(204, [])
  }
}
