// Stand-ins for the modules of macOS, for scripts/check-darwin. A line FILE begins each, with the folder of what is compiled
// with it.

/// FILE system/Darwin.swift

// What of macOS's C library has another type than in glibc, or is missing there; the rest is glibc's.
@_exported import Glibc

// Sockets
public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022
@available(*, unavailable) public var MSG_NOSIGNAL: Int { 0 }

// Clocks
public struct clockid_t: RawRepresentable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public var CLOCK_REALTIME: clockid_t { clockid_t(rawValue: 0) }
public var CLOCK_MONOTONIC: clockid_t { clockid_t(rawValue: 6) }
@discardableResult
public func clock_gettime(_: clockid_t, _: UnsafeMutablePointer<timespec>!) -> Int32 { 0 }

// Child processes
public func _NSGetEnviron() -> UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>! { nil }
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
@discardableResult
public func posix_spawn_file_actions_init(_: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(_: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: Int32
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_addopen(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32, _: mode_t
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_destroy(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(_: UnsafeMutablePointer<posix_spawnattr_t?>!, _: Int16) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigdefault(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
public func posix_spawn(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }
public func posix_spawnp(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }

// Threads
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_create(
  _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { 0 }
@discardableResult
public func pthread_cond_timedwait_relative_np(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<timespec>?
) -> Int32 { 0 }
@available(*, unavailable)
public func pthread_condattr_setclock(_: UnsafeMutablePointer<pthread_condattr_t>!, _: clockid_t) -> Int32 { 0 }

// Signals
extension siginfo_t {
  public var si_pid: pid_t { 0 }
}

// Files
public let F_FULLFSYNC: Int32 = 51
@available(*, unavailable) public func gcvt(_: Double, _: Int32, _: UnsafeMutablePointer<CChar>!) -> Int { 0 }

/// FILE system/Foundation.swift

// What of macOS's Foundation SKANSystem uses, over the toolchain's FoundationEssentials.
@_exported import Darwin
@_exported import FoundationEssentials

public class NSNumber {}

public final class Bundle: Sendable {
  public static let main = Bundle()
  public var executablePath: String? { nil }
}

public typealias CFTypeID = UInt
public func CFGetTypeID(_: AnyObject!) -> CFTypeID { 0 }
public func CFBooleanGetTypeID() -> CFTypeID { 1 }

/// FILE system/CryptoKit.swift

// The names of CryptoKit that SKANSystem uses.
import Foundation

public enum P256 {
  public enum Signing {
    public struct ECDSASignature {
      public var derRepresentation: Data { Data() }
      public init(derRepresentation: some DataProtocol) throws {}
    }
    public struct PrivateKey {
      public init(pemRepresentation: String) throws {}
      public func signature(for data: some DataProtocol) throws -> ECDSASignature { fatalError() }
    }
    public struct PublicKey {
      public init(compressedRepresentation: some ContiguousBytes) throws {}
      public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {}
      public func isValidSignature(_ signature: ECDSASignature, for data: some DataProtocol) -> Bool { false }
    }
  }
}

/// FILE http/Darwin.swift

// The constants of macOS's C library that skan-http uses and whose type glibc has otherwise.
@_exported import Glibc

public let RLIMIT_CORE: Int32 = 4
public let RUSAGE_SELF: Int32 = 0

/// FILE http/CFNetwork.swift

// URLSession of the toolchain, and the one other name of CFNetwork that skan-http uses.
@_exported import FoundationNetworking
import Foundation

public func CFNetworkCopySystemProxySettings() -> Unmanaged<NSDictionary>? { nil }
