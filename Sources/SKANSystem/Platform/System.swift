import Foundation
import SKANBase

/// Facts about this process and machine that the rest of the program asks for.
package enum System {
  /// Lets a crash of this process leave no core file: it would hold the memory, and the SDK key with it. On Linux only, where
  /// systems keep core files unless told otherwise.
  package static func forbidCoreFiles() { Platform.forbidCoreFiles() }

  /// The folder of this program's file, links resolved.
  package static var programFolder: URL {
    URL(fileURLWithPath: Platform.programPath).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The arguments of this process, without the program's name, as the system gave them: `CommandLine.arguments` puts U+FFFD
  /// in the place of what is not UTF-8, which would name another file.
  package static var arguments: [[UInt8]] {
    var arguments: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = unsafe CommandLine.unsafeArgv[index] else { break }
      arguments.append(unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }
    return arguments
  }

  /// The value of an environment variable, what is not UTF-8 in it replaced; nil where there is none.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The environment as `NAME=VALUE`, what is not UTF-8 in it replaced.
  package static var environment: [String] {
    var entries: [String] = []
    var next = unsafe Platform.environment
    while let entry = unsafe next.pointee {
      unsafe entries.append(String(cString: entry))
      unsafe next += 1
    }
    return entries
  }

  /// Whether an environment variable is UTF-8, or is absent.
  package static func isUTF8(_ variable: String) -> Bool {
    unsafe getenv(variable).map { unsafe String(validatingCString: $0) != nil } ?? true
  }

  /// This machine's own name, the first part of it, and that part in `.local`, under which its neighbours find it.
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

  /// Whether a number of a property list was `<true/>` or `<false/>`.
  package static func isBoolean(_ number: NSNumber) -> Bool { Platform.isBoolean(number) }

  /// `number` as `%.NNg` prints it: `NSNumber.stringValue` has 16 digits, Apple's JSON text 17.
  ///
  /// Swift prints the shortest text that reads back as the same number, which is not what goes over the wire:
  /// 9.99 kept as a float leaves the phone as `9.9899997711181641`.
  package static func text(of number: Double, digits: Int32) -> String {
    String(writing: { $0.append(number, significant: digits) })
  }
}

/// The limits of URLSession on this system.
package enum URLSessionLimits {}

/// ECDSA on P-256 with SHA-256 by a framework of the system.
package struct SystemSignatures: Sendable {
  /// Why the framework does not take a key.
  package struct Refusal: Error { package let reason: String }

  /// The signature of a message, in DER, by a private key in PEM.
  package let sign: @Sendable (_ message: [UInt8], _ key: String) throws(Refusal) -> [UInt8]
  /// Whether a signature in DER is of a message by a key, a SubjectPublicKeyInfo in DER.
  package let isValid: @Sendable (_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) throws(Refusal) -> Bool
}
