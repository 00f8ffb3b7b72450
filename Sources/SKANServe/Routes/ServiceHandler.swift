import SKANDevice
import SKANHTTP
import SKANModel

/// What answers a route of the reference service, and to which clients.
enum ServiceHandler {
  /// Answers all clients; not in the journal.
  case open((HTTPRequest) -> ExplainedReply)
  /// Answers neither pages of other sites nor under names that are not this machine's (``SiteGuard``); not in the journal.
  case guarded((HTTPRequest) -> ExplainedReply)
  /// Answers a phone; recorded in the journal, after the script of answers, and with the fault that the request asks for.
  /// The version is the one that the query is read for.
  case phone(EndpointAPI, (PhoneRequest) -> PhoneAnswer)
  /// Answers a report of an app's server; recorded and scripted like the requests of phones, and counted apart from them.
  case report(EndpointKind, (ServerReport) -> PhoneAnswer)
  /// Keeps a postback; recorded in the journal.
  case postback
}
