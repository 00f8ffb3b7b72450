/// What became of a postback that was posted.
package enum PostbackReceipt: Sendable, Equatable {
  /// It is on the disk. The verdict on it is for the journal: its sender does not learn it.
  case kept(verdict: String)
  /// It is not a postback (400), or larger than any (413).
  case refused(Int, reason: String)
  /// It could not be kept, and is to be sent again. The cause is for the journal.
  case notKept(cause: String)
}
