import Foundation
import SKANBase

/// Facts about this process and machine.
package enum System {
  /// Prevents core files of this process, which would contain the SDK key. Has an effect on Linux only, where core
  /// files are written by default.
  package static func forbidCoreFiles() { Platform.forbidCoreFiles() }

  /// The folder of this program's file, links resolved.
  package static var programFolder: URL {
    URL(fileURLWithPath: Platform.programPath).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The program that opens a URL in the user's browser.
  package static var opener: String { Platform.opener }

  /// The arguments of this process as bytes, without the program's name. `CommandLine.arguments` replaces invalid UTF-8
  /// with U+FFFD, which would name another file.
  package static var arguments: [[UInt8]] {
    var arguments: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = unsafe CommandLine.unsafeArgv[index] else { break }
      arguments.append(unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }
    return arguments
  }

  /// The value of an environment variable, with invalid UTF-8 replaced; nil if it is not set.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The environment as `NAME=VALUE`, with invalid UTF-8 replaced.
  package static var environment: [String] {
    var entries: [String] = []
    var next = unsafe Platform.environment
    while let entry = unsafe next.pointee {
      unsafe entries.append(String(cString: entry))
      unsafe next += 1
    }
    return entries
  }

  /// Whether an environment variable is valid UTF-8 or not set.
  package static func isUTF8(_ variable: String) -> Bool {
    unsafe getenv(variable).map { unsafe String(validatingCString: $0) != nil } ?? true
  }

  /// The names of this machine: the host name, its first part, and that part in `.local`, by which the local network
  /// finds it.
  package static var machineNames: [String] {
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

  /// Whether a number was `<true/>` or `<false/>` in a property list.
  package static func isBoolean(_ number: NSNumber) -> Bool { Platform.isBoolean(number) }

  /// `number` as `%.NNg` prints it: `NSNumber.stringValue` has 16 digits, Apple's JSON text 17.
  ///
  /// Swift prints the shortest text that reads back as the same number, which differs from the wire format: 9.99 stored
  /// as a float leaves the phone as `9.9899997711181641`.
  package static func text(of number: Double, digits: Int32) -> String {
    String(writing: { $0.append(number, significant: digits) })
  }
}

/// The limits of URLSession on this system.
package enum URLSessionLimits {}

/// ECDSA on P-256 with SHA-256 by a framework of the system.
package struct SystemSignatures: Sendable {
  /// Why the framework rejects a key.
  package struct Refusal: Error { package let reason: String }

  /// The DER signature of a message by a private key in PEM.
  package let sign: @Sendable (_ message: [UInt8], _ key: String) throws(Refusal) -> [UInt8]
  /// Whether a DER signature is valid for a message and a key, which is a SubjectPublicKeyInfo in DER.
  package let isValid: @Sendable (_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) throws(Refusal) -> Bool
}
