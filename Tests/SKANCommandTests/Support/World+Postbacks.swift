import Foundation
import TestSupport
import SKANSigning

@testable import SKANCommand

extension World {
  /// The example postbacks and the key that signed them, under their names; each postback alone as `N.json`, too.
  static func withPostbacks() throws -> World {
    let world = World { $0.signatures = .platform() }
    let folder = Checkout.fixtures.appending(path: "postbacks")
    let read = { (name: String) in try String(contentsOf: folder.appending(path: "simulated-\(name)"), encoding: .utf8)
    }
    world["public.pem"] = try read("public.pem")
    var all = ""
    for (number, name) in names.enumerated() {
      let text = try read("\(name).json")
      world["\(number + 1).json"] = text
      all += text
    }
    world["simulated.jsonl"] = all
    world["apple.jsonl"] = try ["4.0-fine", "4.0-coarse", "3.0", "3.0-not-won", "2.2", "2.1"].map { name in
      try String(contentsOf: folder.appending(path: "apple-\(name).json"), encoding: .utf8)
    }.joined()
    return world
  }

  private static let names = [
    "4.0-first", "4.0-second", "4.0-third", "4.0-not-won", "3.0", "3.0-not-won", "2.2", "2.1", "2.0",
  ]

  /// Whether signatures can be checked on this machine.
  static let canCheckSignatures: Bool = {
    #if canImport(CryptoKit)
      true
    #else
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return path.split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/openssl")
      }
    #endif
  }()
}
