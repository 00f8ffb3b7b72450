import SKANDevice

extension Outcome {
  /// Whether it went as it should.
  var role: TextRole? {
    switch self {
    case .registered, .updated, .added, .forwarded: .success
    case .frameworkError, .serverError, .unparsable, .illegalValues, .transportError, .crashed: .failure
    case .alreadyRegistered, .noUpdate, .windowOver, .notRegistered, .blocked, .notHigher, .iosTooOld, .ignored, .read,
      .relaunched, .set:
      nil
    }
  }
}
