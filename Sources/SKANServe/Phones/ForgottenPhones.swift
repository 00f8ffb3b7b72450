/// Reports that a full ``PhoneMemory`` forgets phones: the 1st, the 10th, the 100th and so on.
struct ForgottenPhones {
  /// How many phones a memory holds.
  let limit: Int
  /// Takes a line for the person at the server.
  let report: (String) -> Void

  /// - Parameters:
  ///   - before: how many phones were forgotten before a request.
  ///   - count: how many after it.
  func note(before: Int, after count: Int) {
    guard count > before, String(count).reversed().drop(while: { $0 == "0" }).elementsEqual("1") else { return }
    report(
      count == 1
        ? "forgot the phone not heard of for longest: \(limit) are remembered"
        : "forgot \(count) phones so far: \(limit) are remembered")
  }
}
