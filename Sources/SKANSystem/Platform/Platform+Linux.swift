import Foundation
import SKANBase

// `environ` is a variable of C, which other threads could set: nothing here does.
#if canImport(Glibc)
  @unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#endif

// What Linux does differently from macOS. `Platform+Darwin.swift` has a member of the same name for each that other files use.
#if !canImport(Darwin)
  enum Platform {
    // MARK: Sockets

    #if canImport(Glibc)
      static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
      static let streamSocket = Int32(SOCK_STREAM)
    #endif

    /// For `send`: a peer that has gone is an error, and not the signal SIGPIPE, which would end the process.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Does nothing: each call of `send` has ``sendFlags``.
    static func suppressSignal(_ socket: Int32) {}

    // MARK: Child processes

    /// The actions and attributes of `posix_spawn`, not yet initialised.
    static func spawnArguments() -> (posix_spawn_file_actions_t, posix_spawnattr_t) {
      unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
    }

    // MARK: Threads

    typealias ThreadHandle = pthread_t

    static let threadEntry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      if let body = unsafe $0 { unsafe WorkerThread.run(body) }
      return nil
    }

    /// Makes a condition whose waits do not depend on the wall clock.
    static func makeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    }

    /// Waits for a condition, at most these seconds.
    static func wait(
      for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
      seconds: Double
    ) {
      var end = SystemClock.interval(SystemClock.seconds + seconds)
      unsafe pthread_cond_timedwait(condition, mutex, &end)
    }

    // MARK: Signals

    /// Whether a signal was sent by the terminal: above 0 the code says that it comes from the kernel.
    static func isOfTerminal(_ info: siginfo_t) -> Bool { unsafe info.si_code > 0 }

    // MARK: Core files

    /// Lets a crash of this process leave no core file, and no other process of the user look into its memory. What this
    /// process starts is not concerned: with `exec` it ends.
    ///
    /// The limit of their size would not do: where a program takes them (core_pattern(5)) the system does not look at it,
    /// and children inherit it.
    static func forbidCoreFiles() { _ = control(setDumpable, 0) }

    /// Whether this process may leave one.
    static var areCoreFilesAllowed: Bool { control(getDumpable, 0) == 1 }

    private static let (getDumpable, setDumpable): (CInt, CInt) = (3, 4)

    /// `prctl`, which takes any number of arguments, so that Swift does not import it.
    static func control(_ option: CInt, _ value: CUnsignedLong) -> CInt {
      typealias Function = @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
      guard let program = unsafe dlopen(nil, RTLD_LAZY), let symbol = unsafe dlsym(program, "prctl") else { return -1 }
      return unsafe unsafeBitCast(symbol, to: Function.self)(option, value, 0, 0, 0)
    }

    // MARK: This program

    /// Where the file of this program is found; a link to it.
    static var programPath: String { "/proc/self/exe" }

    /// The first of the environment's entries; after the last one there is nil.
    static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { unsafe environ }

    // MARK: Text and numbers

    /// The locale in which a character is a Unicode scalar.
    static func makeLocale() -> locale_t? { unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) }

    /// Writes a number as `%.NNg` does into a buffer of 40 bytes.
    static func print(_ number: Double, digits: Int32, into buffer: UnsafeMutablePointer<CChar>) {
      #if canImport(Glibc)
        // Glibc's does just the same, and without a list of arguments, which costs more than the printing.
        _ = unsafe gcvt(number, digits, buffer)
      #else
        _ = unsafe withVaList([digits, number]) { unsafe vsnprintf(buffer, 40, "%.*g", $0) }
      #endif
    }

    /// Whether a number of a property list was `<true/>` or `<false/>`: its C type is that of a signed char, or of Bool.
    static func isBoolean(_ number: NSNumber) -> Bool {
      let type = unsafe UInt8(bitPattern: number.objCType.pointee)
      return [UInt8(ascii: "c"), UInt8(ascii: "B")].contains(type)
    }
  }

  // MARK: Files

  extension POSIX {
    /// `fsync` on Linux flushes the drive's cache as well.
    static func synchronize(_ descriptor: Int32) throws(Errno) {
      _ = try check { Int(fsync(descriptor)) }
    }

    /// What open(2) calls `O_TMPFILE`, a macro that Swift does not see.
    private static var unnamedFile: Int32 { 0o20_000_000 | O_DIRECTORY }

    /// A file in a directory, for writing, that has no name.
    static func createNameless(_ directory: String) throws(Errno) -> Int32 {
      try unsafe check(directory) { unsafe open($0, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600) }
    }

    /// Where a file without a name is found.
    static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// Gives it a name, as linkat(2) says.
    static func link(_ descriptor: Int32, _ path: String) throws(Errno) {
      _ = try unsafe check(path) { name in
        unsafe linkat(AT_FDCWD, self.path(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      }
    }
  }

  // MARK: Signatures

  extension SystemSignatures {
    /// Nil: the system has no framework of its own, and OpenSSL signs.
    package static let available: SystemSignatures? = nil
  }

  // MARK: URLSession

  extension URLSessionLimits {
    /// Whether URLSession connects to IPv6 literals: on Linux up to Swift 6.3 it fails with -1000 on every one
    /// (swiftlang/swift-corelibs-foundation#5496).
    package static let takesIPv6Literals = false
  }
#endif
