/// How a step ended, by its name in results; see the article "Operations".
package enum Outcome: String, CaseIterable, Sendable {
  // register
  case registered
  case alreadyRegistered = "already-registered"
  // session and event
  case updated
  case frameworkError = "framework-error"
  case noUpdate = "no-update"
  case serverError = "server-error"
  case unparsable
  case illegalValues = "illegal-values"
  case transportError = "transport-error"
  case windowOver = "window-over"
  case notRegistered = "not-registered"
  case blocked
  case notHigher = "not-higher"
  case iosTooOld = "ios-too-old"
  case crashed
  // revenue
  case added, ignored
  // details, relaunch, device and update
  case read, relaunched, set
}
