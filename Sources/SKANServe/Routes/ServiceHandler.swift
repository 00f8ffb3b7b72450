import SKANDevice

/// What answers a route of the reference service, and to which clients.
enum ServiceHandler {
  /// Answers all clients; not in the journal.
  case open(() -> ExplainedReply)
  /// Answers neither pages of other sites nor under names that are not this machine's (``SiteGuard``); not in the journal.
  case guarded(() -> ExplainedReply)
  /// Answers a phone; recorded in the journal, after the script of answers, and with the fault that the request asks for.
  /// The version is the one that the query is read for.
  case phone(EndpointAPI, (PhoneRequest) -> PhoneAnswer)
}
