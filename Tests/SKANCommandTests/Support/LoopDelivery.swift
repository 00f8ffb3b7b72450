import Foundation
import SKANDevice
import SKANHTTP
import skan_http
import SKANBase
import SKANSigning

/// What arrives of one postback at a receiver, one body after the other: the genuine one, perhaps twice and perhaps late,
/// and forgeries before and after it.
struct LoopDelivery: Sendable {
  struct Body: Sendable {
    var path = "/.well-known/skadnetwork/report-attribution/"
    let text: String
    /// How the server spoils its first answer; nil for an answer that arrives.
    var fault: String?
  }

  private(set) var bodies: [Body] = []
  /// Those whose answer gets lost: they are sent again, and are duplicates unless the server was killed before.
  private(set) var lost = 0
  private(set) var duplicates = 0
  private(set) var conflicts = 0
  private(set) var invalid = 0
  private(set) var notChecked = 0

  /// - Parameters:
  ///   - number: decides what goes wrong.
  ///   - text: the postback, without a signature.
  init(_ number: Int, _ text: String, signedWith key: PrivateKey, _ tool: SignatureTool) throws {
    let postback = try PostbackDocument(Array(text.utf8)).postback
    let signature = try tool.sign(Array((postback?.signedText ?? "").utf8), with: key)
    let genuine = "\(text.dropLast()),\"attribution-signature\":\"\(signature)\"}"
    if number % 13 == 4 {
      // An altered field, before the genuine one.
      bodies.append(Body(text: genuine.replacing("\"app-id\":1234567890", with: "\"app-id\":1234567892")))
      invalid += 1
    }
    if number % 17 == 5 {
      bodies.append(
        Body(path: "/postbacks", text: text.replacing("\"transaction-id\":\"", with: "\"transaction-id\":\"0")))
      notChecked += 1
    }
    // One that is kept, and whose sender does not learn it, comes again.
    let isLost = number % 9 == 2
    bodies.append(Body(text: genuine, fault: isLost ? "status-503" : nil))
    if isLost { lost += 1 }
    if number % 5 == 0 {
      // The network forwards it, too, with keys of its own.
      bodies.append(
        Body(path: "/postbacks", text: "\(genuine.dropLast()),\"ip\":\"203.0.113.9\",\"timestamp\":\"1767500000\"}"))
      duplicates += 1
    }
    if number % 11 == 0 {
      // A genuine one with a forged value, which is not signed.
      let forged = genuine.replacing(/,"(coarse-)?conversion-value":("[a-z]+"|[0-9]+)/, with: "")
      bodies.append(Body(text: "\(forged.dropLast()),\"conversion-value\":63}"))
      conflicts += 1
    }
  }

  /// POSTs a body.
  ///
  /// - Returns: whether the answer is 200.
  static func post(_ body: Body, to address: String, fault: String?) -> Bool {
    var fields = [HTTPField("Content-Type", "application/json")]
    if let fault { fields.append(HTTPField("X-SKAN-Fault", fault)) }
    let request = HTTPRequest.post(address + body.path, headers: HTTPFields(fields), body: Array(body.text.utf8))
    guard case .success(let exchange) = HTTPTransport().send(request, within: HTTPAnswerLimits(seconds: 5)) else {
      return false
    }
    return exchange.response.status == 200
  }
}
