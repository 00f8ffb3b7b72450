/// The form of an ECDSA signature on P-256: a DER sequence of two positive integers of up to 256 bits. Only the form; what
/// the numbers are worth is the platform's to say.
enum SignatureForm {
  /// - Returns: what is wrong with the form, or nil.
  static func fault(_ der: [UInt8]) -> String? {
    guard der.count >= 2, der[0] == 0x30 else { return "it does not begin with a sequence" }
    // Two integers of at most 33 bytes: a length of one byte.
    guard der[1] < 0x80, Int(der[1]) == der.count - 2 else { return "its length is not that of its content" }
    var rest = der.dropFirst(2)
    for name in ["r", "s"] {
      if let fault = readInteger(&rest, name) { return fault }
    }
    return rest.isEmpty ? nil : "there is something after its two numbers"
  }

  private static func readInteger(_ rest: inout ArraySlice<UInt8>, _ name: String) -> String? {
    guard rest.popFirst() == 0x02, let length = rest.popFirst(), length < 0x80, length > 0, Int(length) <= rest.count
    else { return "its number \(name) is missing or cut short" }
    let number = Array(rest.prefix(Int(length)))
    rest = rest.dropFirst(Int(length))
    if number[0] >= 0x80 { return "its number \(name) is negative" }
    if number[0] == 0, number.count == 1 { return "its number \(name) is 0" }
    if number[0] == 0, number[1] < 0x80 { return "its number \(name) has a zero too many" }
    return number.count > (number[0] == 0 ? 33 : 32) ? "its number \(name) is too long for P-256" : nil
  }
}
