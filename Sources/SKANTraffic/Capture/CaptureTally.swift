import SKANBase

/// What captures hold besides requests to Singular, and what could not be read of them.
package struct CaptureTally: Sendable, Equatable {
  /// How many problems and how many remarks are kept; the others are counted.
  package static let most = SourceProblem.mostReported

  /// How many hosts are named.
  private static let mostHosts = 1000
  /// The name of all others.
  private static let restOfHosts = "other hosts"
  /// The name of requests to no host, as logs have them, that are not checked.
  static let otherPaths = "other paths"

  /// Entries by host, or for one of Singular's hosts by host and path.
  package internal(set) var others: [String: Int] = [:]
  /// Entries whose TLS was not decrypted, by host.
  package internal(set) var undecrypted: [String: Int] = [:]
  /// Entries that are WebSockets.
  package internal(set) var webSockets = 0
  /// What could not be read, the first of it.
  package private(set) var problems: [CaptureProblem] = []
  /// How many problems there are besides.
  package private(set) var moreProblems = 0
  /// What was read, with a remark; the first of it.
  package private(set) var remarks: [CaptureProblem] = []
  /// How many remarks there are besides.
  package private(set) var moreRemarks = 0

  /// Nothing yet.
  package init() {}

  /// Counts an entry that is not checked; of very many hosts the last are one.
  mutating func count(other name: String) {
    let isNew = others[name] == nil
    others[isNew && others.count >= Self.mostHosts ? Self.restOfHosts : name, default: 0] += 1
  }

  mutating func add(_ problem: CaptureProblem) {
    if problems.count < Self.most { problems.append(problem) } else { moreProblems += 1 }
  }

  mutating func remark(_ problem: CaptureProblem) {
    if remarks.count < Self.most { remarks.append(problem) } else { moreRemarks += 1 }
  }

  /// How many entries are of other hosts, or of other paths.
  package var otherCount: Int { others.values.reduce(0, +) }

  /// How many entries were not decrypted.
  package var undecryptedCount: Int { undecrypted.values.reduce(0, +) }
}
