import SKANBase

/// The outcome of a step; see the article "Operations".
package enum Outcome: UInt8, CaseIterable, Sendable {
  // register
  case registered, alreadyRegistered
  // session and event
  case updated, frameworkError, noUpdate, serverError, unparsable, illegalValues, transportError, windowOver
  case notRegistered, blocked, notHigher, iosTooOld, crashed
  // revenue
  case added, ignored
  // details, relaunch, device and update
  case read, relaunched, set
  // s2s
  case forwarded
  // aak-update and aak-reengage
  case adAttributionKitError, opened
  // session and event of a phone whose updates overlap
  case killed, uncompleted

  /// The name in results.
  package var name: String { Self.names[Int(rawValue)] }

  /// Indexed by raw value, because each result needs a name.
  private static let names = allCases.map(\.ownName)

  private var ownName: String {
    switch self {
    case .registered: "registered"
    case .alreadyRegistered: "already-registered"
    case .updated: "updated"
    case .frameworkError: "framework-error"
    case .noUpdate: "no-update"
    case .serverError: "server-error"
    case .unparsable: "unparsable"
    case .illegalValues: "illegal-values"
    case .transportError: "transport-error"
    case .windowOver: "window-over"
    case .notRegistered: "not-registered"
    case .blocked: "blocked"
    case .notHigher: "not-higher"
    case .iosTooOld: "ios-too-old"
    case .crashed: "crashed"
    case .added: "added"
    case .ignored: "ignored"
    case .read: "read"
    case .relaunched: "relaunched"
    case .set: "set"
    case .forwarded: "forwarded"
    case .adAttributionKitError: "aak-error"
    case .opened: "opened"
    case .killed: "killed"
    case .uncompleted: "uncompleted"
    }
  }
}

extension Outcome: JSONWritable {
  package static var jsonForm: JSONForm { .names(allCases.map(\.name)) }

  package func write(to writer: inout JSONWriter) { writer.append(name) }
}
