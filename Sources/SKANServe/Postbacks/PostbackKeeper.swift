/// Keeps postbacks: what was received since the last ``commit`` goes to the disk together.
///
/// One flush of a disk takes longer than the check of many postbacks, so all that wait for their answer share one.
package struct PostbackKeeper {
  /// Takes the body of a request from an address. What is given back says what became of it, after the next ``commit``.
  let receive: (_ body: [UInt8], _ address: String) -> () -> PostbackReceipt
  /// Puts what was received on the disk, or none of it.
  let commit: () -> Void

  /// A keeper of its two parts.
  package init(
    receive: @escaping (_ body: [UInt8], _ address: String) -> () -> PostbackReceipt, commit: @escaping () -> Void
  ) {
    self.receive = receive
    self.commit = commit
  }
}
