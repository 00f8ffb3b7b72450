import SKANDevice

/// The transaction ids of the valid postbacks so far: a receiver counts each once.
package struct VerifiedTransactions: Sendable {
  /// By the id in small letters: a UUID may be written in capitals or not.
  private var first: [String: (file: String?, line: Int, postback: ReceivedPostback)] = [:]

  package init() {}

  /// Adds to the verdict on a valid postback that an earlier one has its id, and whether the two differ.
  ///
  /// - Parameter file: where the postback stands when there are several files; nil for the only one.
  package mutating func compare(
    _ verdict: inout PostbackVerdict, of document: PostbackDocument, in file: String? = nil
  ) {
    guard verdict.outcome == .valid, let postback = verdict.postback,
      let id = postback.text(of: .transactionID)?.lowercased()
    else { return }
    guard let earlier = first[id] else {
      first[id] = (file, document.line, postback)
      return
    }
    verdict.repeated = PostbackVerdict.Location(file: earlier.file, line: earlier.line)
    guard !postback.saysTheSame(as: earlier.postback) else { return }
    verdict.findings.append(
      document.finding(
        PostbackFinding(
          .transactionConflict,
          "\(earlier.file.map { "\($0):" } ?? "Line ")\(earlier.line) has this transaction id and says something else: conversion "
            + "values are not signed, so the first counts.", at: document.node.range)))
  }
}
