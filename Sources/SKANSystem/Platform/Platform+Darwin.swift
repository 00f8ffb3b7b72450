import Foundation
import SKANBase

// What macOS does differently from Linux. `Platform+Linux.swift` has a member of the same name for each that other files use.
// On Linux `scripts/check-darwin` type-checks this file.
#if canImport(Darwin)
  import CryptoKit

  enum Platform {
    // MARK: Sockets

    static let streamSocket = SOCK_STREAM

    /// For `send`: nothing, since ``suppressSignal(_:)`` says it of the socket itself.
    static let sendFlags: Int32 = 0

    /// A peer that has gone must be an error, and not the signal SIGPIPE, which would end the process.
    static func suppressSignal(_ socket: Int32) { Socket.enable(SO_NOSIGPIPE, level: SOL_SOCKET, of: socket) }

    // MARK: Child processes

    /// The actions and attributes of `posix_spawn`, not yet initialised.
    static func spawnArguments() -> (posix_spawn_file_actions_t?, posix_spawnattr_t?) { (nil, nil) }

    // MARK: Threads

    typealias ThreadHandle = pthread_t?

    static let threadEntry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      unsafe WorkerThread.run($0)
      return nil
    }

    /// Makes a condition.
    static func makeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      unsafe pthread_cond_init(condition, nil)
    }

    /// Waits for a condition, at most these seconds, whatever becomes of the wall clock.
    static func wait(
      for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
      seconds: Double
    ) {
      var time = SystemClock.interval(seconds)
      unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    }

    // MARK: Signals

    /// Whether a signal was sent by the terminal, and so by no process.
    static func isOfTerminal(_ info: siginfo_t) -> Bool { unsafe info.si_pid == 0 }

    // MARK: Core files

    /// Does nothing: macOS writes core files only when it is told to.
    static func forbidCoreFiles() {}

    // MARK: This program

    /// Where the file of this program is found; perhaps a link to it.
    static var programPath: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

    /// The first of the environment's entries; after the last one there is nil.
    static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { unsafe _NSGetEnviron().pointee }

    // MARK: Text and numbers

    /// The locale in which a character is a Unicode scalar.
    static func makeLocale() -> locale_t? { unsafe newlocale(LC_CTYPE_MASK, "UTF-8", nil) }

    /// Writes a number as `%.NNg` does into a buffer of 40 bytes.
    static func print(_ number: Double, digits: Int32, into buffer: UnsafeMutablePointer<CChar>) {
      _ = unsafe withVaList([digits, number]) { unsafe vsnprintf(buffer, 40, "%.*g", $0) }
    }

    /// Whether a number of a property list was `<true/>` or `<false/>`.
    static func isBoolean(_ number: NSNumber) -> Bool { CFGetTypeID(number) == CFBooleanGetTypeID() }
  }

  // MARK: Files

  extension POSIX {
    /// `fsync` on macOS leaves the bytes in the drive's cache (fsync(2)); `F_FULLFSYNC` does not. Network and FAT volumes
    /// do not know it, and get what `fsync` can do.
    static func synchronize(_ descriptor: Int32) throws(Errno) {
      do {
        _ = try check { Int(fcntl(descriptor, F_FULLFSYNC)) }
      } catch {
        guard error == .notSupported || error == .invalid || error == Errno(ENOTTY) else { throw error }
        _ = try check { Int(fsync(descriptor)) }
      }
    }

    // There are no files without a name.
    static func createNameless(_ directory: String) throws(Errno) -> Int32 { throw .notSupported }

    static func path(of descriptor: Int32) -> String { "/dev/fd/\(descriptor)" }

    static func link(_ descriptor: Int32, _ path: String) throws(Errno) { throw .notSupported }
  }

  // MARK: Signatures

  extension SystemSignatures {
    /// CryptoKit.
    package static let available: SystemSignatures? = SystemSignatures(
      sign: { (message, key) throws(Refusal) in
        do {
          let key = try P256.Signing.PrivateKey(pemRepresentation: key)
          return Array(try key.signature(for: Data(message)).derRepresentation)
        } catch {
          throw Refusal(reason: "\(error)")
        }
      },
      isValid: { (signature, message, key) throws(Refusal) in
        // The form was checked; a signature that is refused all the same is not one of this message.
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: Data(signature)) else { return false }
        return try publicKey(key).isValidSignature(signature, for: Data(message))
      })

    private static func publicKey(_ der: [UInt8]) throws(Refusal) -> P256.Signing.PublicKey {
      do {
        // A compressed point is 33 bytes, which SubjectPublicKeyInfo ends with.
        return der.count == 59
          ? try P256.Signing.PublicKey(compressedRepresentation: Data(der.suffix(33)))
          : try P256.Signing.PublicKey(derRepresentation: Data(der))
      } catch {
        throw Refusal(reason: "\(error)")
      }
    }
  }

  // MARK: URLSession

  extension URLSessionLimits {
    /// Whether URLSession connects to IPv6 literals.
    package static let takesIPv6Literals = true
  }
#endif
