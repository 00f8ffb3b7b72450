import SKANDevice

/// The transaction ids of the valid postbacks so far: a receiver counts each once.
package struct VerifiedTransactions: Sendable {
  /// By the id in small letters: a UUID may be written in capitals or not.
  private var first: [String: (line: Int, postback: ReceivedPostback)] = [:]

  package init() {}

  /// Adds to the verdict on a valid postback that an earlier one has its id, and whether the two differ.
  package mutating func compare(_ verdict: inout PostbackVerdict, of document: PostbackDocument) {
    guard verdict.outcome == .valid, let postback = verdict.postback,
      let id = postback.text(of: .transactionID)?.lowercased()
    else { return }
    guard let earlier = first[id] else {
      first[id] = (document.line, postback)
      return
    }
    verdict.repeatedLine = earlier.line
    guard !postback.saysTheSame(as: earlier.postback) else { return }
    verdict.findings.append(
      document.finding(
        PostbackFinding(
          .transactionConflict,
          "Line \(earlier.line) has this transaction id and says something else: conversion values are not signed, so "
            + "the first counts.", at: document.node.range)))
  }
}
