import SKANDevice
import SKANJSON
import SKANSigning

/// Copies of a postback, true and forged.
extension ReceiverPlan {
  mutating func addCopies() throws(SigningError) {
    var first = self.postback()
    first[.conversionValue] = .integer(values.first)
    let original = try signed(first)
    add("original", "a postback that comes again in what follows", original)
    let known = "an answer other than 200 makes the phone send it once more; it counts once"
    add("duplicate", "the same bytes again", original, why: known)
    add("duplicate-signed-anew", "the same again, signed anew as phones do", try signed(first), why: known)

    var forged = original
    forged[.conversionValue] = .integer(values.second)
    add(
      "forged-value", "the same with another conversion value, which no signature covers", forged,
      why: "it verifies, so its sender must not learn anything; the first copy counts, and this is a conflict")

    var other = first
    other[.sourceIdentifier] = .string("4711")
    add(
      "conflict", "the same transaction id with another source identifier, signed", try signed(other),
      why: "it verifies; the first copy counts, and this is a conflict")

    var altered = original
    altered[.signature] = altered[.signature] ?? .string(Self.foreignSignature)
    altered[.transactionID] = .string(transaction())
    let invalid = ReceivedSignature(.invalid, why: "it does not fit")
    add(
      "wrong-signature", "a signature of another postback", altered, signature: invalid, right: .okOrRefused,
      why: "no phone sends it: keep it apart or refuse it, but do not fail")

    var genuine = self.postback()
    genuine[.conversionValue] = .integer(values.first)
    genuine = try signed(genuine)
    var forgery = genuine
    forgery[.signature] = forgery[.signature] ?? .string(Self.foreignSignature)
    forgery[.sourceIdentifier] = .string("1111")
    add(
      "forged-before", "a forgery, whose transaction id a genuine postback will have", forgery, signature: invalid,
      right: .okOrRefused, why: "no phone sends it: keep it apart or refuse it, but do not fail")
    add(
      "genuine-after", "the genuine postback with that transaction id", genuine,
      why: "the forgery must not take its place: it is lost unless it is answered with 200")

    var batch: [TestPostback] = []
    for _ in 0..<50 {
      var postback = self.postback()
      postback[.conversionValue] = .integer(values.first)
      batch.append(try signed(postback))
    }
    addAtOnce("parallel", "50 different postbacks at the same time", batch)
    var one = self.postback()
    one[.conversionValue] = .integer(values.first)
    addAtOnce(
      "parallel-copies", "10 copies of one postback at the same time", Array(repeating: try signed(one), count: 10))
  }

  private mutating func addAtOnce(_ id: String, _ request: String, _ postbacks: [TestPostback]) {
    let bodies = postbacks.map { $0.body() }
    add(
      ReceiverDelivery(
        id: id, request: request, sending: .atOnce(bodies), right: .ok, why: Self.sentAgain,
        kept: zip(bodies, postbacks).map { ReceiverDelivery.Kept(body: $0, signature: Self.verdict($1)) }))
  }

  /// Of one of Apple's published examples: it fits nothing else.
  private static let foreignSignature =
    "MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bxo="
}
