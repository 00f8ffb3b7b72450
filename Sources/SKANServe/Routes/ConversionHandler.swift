import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// The handler of a route of the reference service, which also determines the allowed clients.
enum ServiceHandler {
  /// Answers all clients; not recorded in the journal.
  case open((HTTPRequest) -> ExplainedReply)
  /// Refuses pages other than the live page, and unknown host names (``SiteGuard``); not recorded in the journal.
  case guarded((HTTPRequest) -> ExplainedReply)
  /// Answers the live page alone (``SiteGuard/refusal(ofOtherThanPage:isChange:)``); not recorded in the journal.
  case page(isChange: Bool, (HTTPRequest) -> ExplainedReply)
  /// Answers a phone. The request is recorded, scripted answers take precedence, and the requested fault is applied.
  /// The query is read as this version.
  case phone(EndpointAPI, (PhoneRequest) -> ExplainedReply)
  /// Answers a report of an app's server. It is recorded and scripted like the requests of phones, but counted
  /// separately.
  case report(EndpointKind, (ServerReport) -> ExplainedReply)
  /// Keeps a postback; recorded in the journal.
  case postback
}

/// A phone's request for a handler.
struct PhoneRequest {
  let request: HTTPRequest
  /// The parameters of its query.
  let query: ConversionQuery
  /// The phone's time, or else the server's.
  let time: Instant
  /// Whether the request states the phone's time.
  let statesTime: Bool
  /// The client's address.
  let peer: String

  /// Whether the method is HEAD, which is answered like a GET but changes nothing.
  var isHead: Bool { request.method == "HEAD" }
}

/// Answers conversion_value requests by the model, and remembers their phones.
final class ConversionHandler {
  /// Can be replaced while the server runs; what is remembered of phones stays.
  var endpoint: ReferenceEndpoint
  private var phones: RecentValues<String, Remembered<InstallMemory>>
  private let forgotten: ForgottenPhones

  init(_ endpoint: ReferenceEndpoint, _ forgotten: ForgottenPhones) {
    self.endpoint = endpoint
    self.forgotten = forgotten
    phones = RecentValues(limit: forgotten.limit)
  }

  /// The number of phones that are remembered.
  var phoneCount: Int { phones.count }

  func answer(_ request: PhoneRequest) -> ExplainedReply {
    let query = request.query
    var isRepeated = false
    let reply: ReferenceReply
    if request.isHead {
      var memory = phones.known(query.install)?.value ?? .none
      reply = endpoint.reply(to: query, at: request.time, memory: &memory)
    } else {
      let before = phones.forgotten
      reply = phones.with(query.install, new: Remembered(.none)) {
        isRepeated = $0.repeats(request.request)
        return endpoint.reply(to: query, at: request.time, memory: &$0.value)
      }
      forgotten.note(before: before, after: phones.forgotten)
    }
    var explanation = ByteText()
    reply.writeExplanation(event: query.eventName, to: &explanation)
    if !request.statesTime, let hint = reply.clockHint(query, at: request.time) { explanation.append(" \(hint)") }
    if case .error(.request(.noCurrentValue)) = reply {
      explanation.append(" [\(WarningCode.currentValueMissing.name)]")
    }
    if isRepeated { explanation.append(" The previous request was the same: a retry counts as another event.") }
    var answer = ExplainedReply(200, reply.body)
    answer.explanation = explanation.array
    return answer
  }
}

extension ReferenceReply {
  /// A hint for a request that is too late by the server's clock, like the guides' samples from 2017.
  func clockHint(_ query: ConversionQuery, at time: Instant) -> String? {
    switch self {
    case .error(.closed), .error(.badPeriod): break
    default: return nil
    }
    let example = query.statedTime.map {
      ", such as the request's own last call, \(ReferenceEndpoint.deviceTimeHeader): \($0)"
    }
    return "The server's clock says \(time). A phone with another time sends its own in the header "
      + "\(ReferenceEndpoint.deviceTimeHeader), in Unix seconds\(example ?? "")."
  }
}

/// Answers like the test endpoint, which counts the calls of each phone.
final class TestEndpointHandler {
  private var phones: RecentValues<String, TestEndpoint>
  private let forgotten: ForgottenPhones

  init(_ forgotten: ForgottenPhones) {
    self.forgotten = forgotten
    phones = RecentValues(limit: forgotten.limit)
  }

  func answer(_ request: PhoneRequest) -> ExplainedReply {
    let name = request.query.idfv.map { "idfv \($0)" } ?? "address \(request.peer)"
    if request.isHead {
      var phone = phones.known(name) ?? TestEndpoint()
      return ExplainedReply(200, phone.body(), explanation: "The test endpoint's next answer.")
    }
    let before = phones.forgotten
    let (body, calls) = phones.with(name, new: TestEndpoint()) { ($0.body(), $0.calls) }
    forgotten.note(before: before, after: phones.forgotten)
    return ExplainedReply(200, body, explanation: "Call \(calls) of the test endpoint for \(name).")
  }
}
