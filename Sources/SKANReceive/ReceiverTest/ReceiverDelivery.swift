/// Something that a receiver of postbacks is sent, and what is right for it.
package struct ReceiverDelivery: Sendable {
  /// Its name in every table.
  package let id: String
  /// What is sent, for a person.
  package let request: String
  package let sending: Sending
  package let right: RightAnswer
  /// Why that is right.
  package let why: String
  /// What a receiver keeps of it.
  let kept: [Kept]

  /// How it is sent.
  package enum Sending: Sendable {
    case whole(method: String, isWithoutSlash: Bool, contentType: String, body: [UInt8])
    /// In pieces over some seconds; in the middle of it the second one is sent, and is to be answered before the end.
    case slowly(body: [UInt8], beside: [UInt8])
    /// Less than the head promises.
    case brokenOff(body: [UInt8])
    /// Over as many connections.
    case atOnce([[UInt8]])
  }

  /// Which statuses are right.
  package enum RightAnswer: String, CaseIterable, Sendable {
    /// 200 alone: Apple's phones send again what is answered otherwise (the article "Postbacks").
    case ok = "200"
    /// A client's error.
    case refused = "400 to 499"
    case okOrRefused = "200, or 400 to 499"
    /// A connection that is closed without an answer is right, too.
    case refusedOrClosed = "400 to 499, or a connection that is closed"
    /// Some servers answer 501 to a method that they do not know.
    case methodRefused = "400 to 499, or 501"
    case okOrMethodRefused = "200, 400 to 499, or 501"

    /// - Parameter status: nil for a connection that was closed.
    package func takes(_ status: Int?) -> Bool {
      guard let status else { return self == .refusedOrClosed }
      return switch self {
      case .ok: status == 200
      case .refused, .refusedOrClosed: (400...499).contains(status)
      case .okOrRefused: status == 200 || (400...499).contains(status)
      case .methodRefused: (400...499).contains(status) || status == 501
      case .okOrMethodRefused: status == 200 || (400...499).contains(status) || status == 501
      }
    }
  }

  /// A postback that a receiver keeps.
  struct Kept: Sendable {
    let body: [UInt8]
    let signature: ReceivedSignature
  }
}
