import SKANDevice
import SKANBase
import SKANSigning

/// Copies of a postback, true and forged.
extension ReceiverPlan {
  mutating func addCopies() throws(SigningError) {
    let first = self.postback()
    let original = try signed(first)
    add("original", "a postback that comes again in what follows", original)
    let known = "an answer other than 200 makes the phone send it once more; it counts once"
    add("duplicate", "a postback again, the same bytes", original, traits: [.knownTransaction], why: known)
    add(
      "duplicate-signed-anew", "a postback again, signed anew as phones do", try signed(first),
      traits: [.knownTransaction], why: known)
    let ofVersion3 = try signedPostback(.v3)
    add("v3.0-original", "a postback of version 3.0, which has no window, and comes again", ofVersion3)
    add(
      "v3.0-duplicate", "a postback of version 3.0 again, the same bytes", ofVersion3, traits: [.knownTransaction],
      why: "\(known), also where a unique index has a null for the window")

    var forged = original
    forged[.conversionValue] = .integer(values.second)
    let verifies = "it verifies, so its sender must not learn anything; the first copy counts, and this is a conflict"
    add(
      "forged-value", "a postback again with another conversion value, which no signature covers", forged,
      level: .should,
      traits: [.knownTransaction], why: verifies)

    var other = first
    other[.sourceIdentifier] = .string("4711")
    add(
      "conflict", "a transaction id again with another source identifier, signed", try signed(other), level: .should,
      traits: [.knownTransaction], why: verifies)

    let noFailure = "no phone sends it: keep it apart or refuse it, but do not fail"
    var altered = original
    altered[.signature] = altered[.signature] ?? .string(Self.foreignSignature)
    altered[.transactionID] = .string(transaction())
    let invalid = ReceivedSignature(.invalid, why: "it does not fit")
    add(
      "wrong-signature", "a postback with the signature of another one", altered, signature: invalid,
      right: .okOrRefused,
      level: .should, traits: [.forgery], why: noFailure)

    let genuine = try signedPostback()
    var forgery = genuine
    forgery[.signature] = forgery[.signature] ?? .string(Self.foreignSignature)
    forgery[.sourceIdentifier] = .string("1111")
    add(
      "forged-before", "a forgery, whose transaction id a genuine postback will have", forgery, signature: invalid,
      right: .okOrRefused, level: .should, traits: [.forgery], why: noFailure)
    add(
      "genuine-after", "the genuine postback with that transaction id", genuine, traits: [.knownTransaction],
      why: "the forgery must not take its place: it is lost unless it is answered with 200")

    let late = try signedPostback()
    var early = late
    early[.conversionValue] = .integer(values.second)
    add("forged-value-before", "a postback whose conversion value was altered, before the genuine one", early)
    add(
      "genuine-value-after", "the genuine postback after that", late, traits: [.knownTransaction],
      why:
        "a phone sends it again for nine days until it is answered with 200; nothing tells which value is the genuine "
        + "one, so the first copy counts, and this is a conflict")

    var batch: [TestPostback] = []
    for _ in 0..<50 { batch.append(try signedPostback()) }
    addAtOnce("parallel", "50 different postbacks at the same time", batch)
    addAtOnce(
      "parallel-copies", "10 copies of one postback at the same time",
      Array(repeating: try signedPostback(), count: 10), [.knownTransaction])
  }

  private mutating func addAtOnce(
    _ id: String, _ request: String, _ postbacks: [TestPostback], _ traits: Set<ReceiverTrait> = []
  ) {
    let bodies = postbacks.map { $0.body() }
    add(
      ReceiverDelivery(
        id: id, request: request, sending: .atOnce(bodies), right: .ok, why: Self.sentAgain,
        traits: traits.union([.postback, .atOnce]),
        kept: zip(bodies, postbacks).map { ReceiverDelivery.Kept(body: $0, signature: Self.verdict($1)) }))
  }

  /// Of one of Apple's published examples: it fits nothing else.
  private static let foreignSignature =
    "MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bxo="
}
