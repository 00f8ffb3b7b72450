import Foundation
import SKANBase

// The differences of macOS from Linux. `Platform+Linux.swift` has a member of the same name for each that other files
// use. On Linux, `scripts/check-darwin` type-checks this file.
#if canImport(Darwin)
  import CryptoKit

  enum Platform {
    // MARK: Sockets

    static let streamSocket = SOCK_STREAM

    /// The flags of `send`: none, because ``suppressSignal(_:)`` sets the option on the socket.
    static let sendFlags: Int32 = 0

    /// Makes sending to a closed peer an error instead of the signal SIGPIPE, which would end the process.
    static func suppressSignal(_ socket: Int32) { Socket.enable(SO_NOSIGPIPE, level: SOL_SOCKET, of: socket) }

    // MARK: Child processes

    /// The uninitialized actions and attributes of `posix_spawn`.
    static func spawnArguments() -> (posix_spawn_file_actions_t?, posix_spawnattr_t?) { (nil, nil) }

    /// Nil: macOS has no signal for the death of a parent.
    static func startBound(_ start: ProgramStart) throws(Errno) -> pid_t? { nil }

    // MARK: Threads

    typealias ThreadHandle = pthread_t?

    static let threadEntry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      unsafe WorkerThread.run($0)
      return nil
    }

    static func makeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      unsafe pthread_cond_init(condition, nil)
    }

    /// Waits for a condition, at most this many seconds, regardless of changes to the wall clock.
    static func wait(
      for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
      seconds: Double
    ) {
      var time = SystemClock.interval(seconds)
      unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    }

    // MARK: Signals

    /// Whether the terminal sent a signal, rather than a process.
    static func isOfTerminal(_ info: siginfo_t) -> Bool { unsafe info.si_pid == 0 }

    // MARK: Browsers

    static let opener = "open"

    // MARK: Core files

    /// Does nothing: macOS writes core files only on request.
    static func forbidCoreFiles() {}

    // MARK: This program

    /// The path of this program's file, possibly a link.
    static var programPath: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

    /// The first entry of the environment; nil follows the last.
    static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { unsafe _NSGetEnviron().pointee }

    // MARK: Text and numbers

    /// A locale whose characters are Unicode scalars.
    static func makeLocale() -> locale_t? { unsafe newlocale(LC_CTYPE_MASK, "UTF-8", nil) }

    /// Writes a number as `%.NNg` prints it into a buffer of 40 bytes.
    static func print(_ number: Double, digits: Int32, into buffer: UnsafeMutablePointer<CChar>) {
      _ = unsafe withVaList([digits, number]) { unsafe vsnprintf(buffer, 40, "%.*g", $0) }
    }

    /// Whether a number was `<true/>` or `<false/>` in a property list.
    static func isBoolean(_ number: NSNumber) -> Bool { CFGetTypeID(number) == CFBooleanGetTypeID() }
  }

  // MARK: Files

  extension POSIX {
    /// `fsync` on macOS leaves the bytes in the drive's cache (fsync(2)); `F_FULLFSYNC` does not. Network and FAT
    /// volumes do not support it, so `fsync` is used there.
    static func synchronize(_ descriptor: Int32) throws(Errno) {
      do {
        _ = try check { Int(fcntl(descriptor, F_FULLFSYNC)) }
      } catch {
        guard error == .notSupported || error == .invalid || error == Errno(ENOTTY) else { throw error }
        _ = try check { Int(fsync(descriptor)) }
      }
    }

    // macOS has no files without a name.
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
        // The form was checked, so a signature that CryptoKit still refuses is not valid for this message.
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: Data(signature)) else { return false }
        return try publicKey(key).isValidSignature(signature, for: Data(message))
      })

    private static func publicKey(_ der: [UInt8]) throws(Refusal) -> P256.Signing.PublicKey {
      do {
        // A compressed point has 33 bytes, the last ones of the SubjectPublicKeyInfo.
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
