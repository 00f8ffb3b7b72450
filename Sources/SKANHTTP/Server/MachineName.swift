import SKANBase

/// What this machine is called.
package enum MachineName {
  /// Its own name, the first part of it, and that part in `.local`, under which its neighbours find it.
  package static var all: [String] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let failed = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) {
        unsafe $0.baseAddress.map { unsafe gethostname($0, 255) } ?? -1
      }
    }
    let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    guard failed == 0, let first = name.split(separator: ".").first else { return [] }
    return [name, String(first), "\(first).local"]
  }
}
