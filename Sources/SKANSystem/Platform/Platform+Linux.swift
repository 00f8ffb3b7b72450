import Foundation
import SKANBase

// `environ` is a C variable that other threads could set; nothing here does.
#if canImport(Glibc)
  @unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#endif

// The differences of Linux from macOS. `Platform+Darwin.swift` has a member of the same name for each that other files
// use.
#if !canImport(Darwin)
  enum Platform {
    // MARK: Sockets

    #if canImport(Glibc)
      static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
      static let streamSocket = Int32(SOCK_STREAM)
    #endif

    /// The flags of `send`: sending to a closed peer is an error instead of the signal SIGPIPE, which would end the
    /// process.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Does nothing: each call of `send` has ``sendFlags``.
    static func suppressSignal(_ socket: Int32) {}

    // MARK: Child processes

    /// The uninitialized actions and attributes of `posix_spawn`.
    static func spawnArguments() -> (posix_spawn_file_actions_t, posix_spawnattr_t) {
      unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
    }

    /// Starts a child that inherits this process's streams and gets SIGTERM when the calling thread has ended, even by
    /// SIGKILL; nil if this process has no `prctl`.
    ///
    /// `posix_spawn` cannot ask for that signal, since the child itself must. Between `fork` and `execve` it makes only
    /// calls that are safe in the copy of a process with several threads: no memory is allocated.
    static func startBound(_ start: ProgramStart) throws(Errno) -> pid_t? {
      guard let control else { return nil }
      let paths = unsafe ProgramPath.candidates(start.program).map { unsafe strdup($0) } + [nil]
      let argv = unsafe start.arguments.map { unsafe strdup($0) } + [nil]
      let variables = unsafe start.environment.map { unsafe strdup($0) } + [nil]
      defer { unsafe (paths + argv + variables).forEach { unsafe free($0) } }
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw Errno(errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      defer { close(ends[0]) }
      let parent = getpid()
      // Blocked meanwhile, so that no handler of this process takes a signal that is for the program.
      var (all, before) = (sigset_t(), sigset_t())
      unsafe sigfillset(&all)
      var failure: Int32 = 0
      let number = unsafe paths.withUnsafeBufferPointer { paths in
        unsafe argv.withUnsafeBufferPointer { argv in
          unsafe variables.withUnsafeBufferPointer { variables in
            unsafe start.defaultSignals.withUnsafeBufferPointer { signals -> pid_t in
              guard let argv = argv.baseAddress, let variables = variables.baseAddress else { return -1 }
              unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
              let number = fork()
              if number != 0 {
                failure = errno
                unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
                return number
              }
              _ = control(setParentDeathSignal, CUnsignedLong(SIGTERM), 0, 0, 0)
              // The parent may have ended before that call.
              if getppid() != parent { _exit(EX_SOFTWARE) }
              var index = 0
              while index < signals.count {
                unsafe signal(signals[index], SIG_DFL)
                index += 1
              }
              unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
              var reason: Int32 = ENOENT
              index = 0
              while let path = unsafe paths[index] {
                unsafe execve(path, argv, variables)
                // As a shell does: a program that must not be executed counts if no other is found.
                if errno != ENOENT, errno != ENOTDIR || paths.count == 2 { reason = errno }
                if errno != ENOENT, errno != ENOTDIR, errno != EACCES { break }
                index += 1
              }
              _ = unsafe write(ends[1], &reason, MemoryLayout<Int32>.size)
              _exit(127)
            }
          }
        }
      }
      close(ends[1])
      if number < 0 { throw Errno(failure) }
      // The pipe is closed by a successful `execve`, and has the error of one that failed.
      var reason: Int32 = 0
      while unsafe read(ends[0], &reason, MemoryLayout<Int32>.size) < 0, errno == EINTR {}
      if reason == 0 { return number }
      ChildProcess(number: number).wait()
      throw Errno(reason)
    }

    private static let setParentDeathSignal: CInt = 1

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

    /// Waits for a condition, at most this many seconds.
    static func wait(
      for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
      seconds: Double
    ) {
      var end = SystemClock.interval(SystemClock.seconds + seconds)
      unsafe pthread_cond_timedwait(condition, mutex, &end)
    }

    // MARK: Signals

    /// Whether the terminal sent a signal: a code above 0 means that the kernel sent it.
    static func isOfTerminal(_ info: siginfo_t) -> Bool { unsafe info.si_code > 0 }

    // MARK: Browsers

    static let opener = "xdg-open"

    // MARK: Core files

    /// Prevents core files of this process, and other processes of the user from reading its memory. Programs that this
    /// process starts are not affected: `exec` resets the setting.
    ///
    /// A limit on their size is not enough: the system ignores it when a program receives the core files
    /// (core_pattern(5)), and children inherit it.
    static func forbidCoreFiles() { _ = control(setDumpable, 0) }

    /// Whether a crash of this process may write a core file.
    static var areCoreFilesAllowed: Bool { control(getDumpable, 0) == 1 }

    private static let (getDumpable, setDumpable): (CInt, CInt) = (3, 4)

    private typealias Control =
      @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt

    /// `prctl`, which Swift does not import because it is variadic.
    private static var control: Control? {
      guard let program = unsafe dlopen(nil, RTLD_LAZY), let symbol = unsafe dlsym(program, "prctl") else { return nil }
      return unsafe unsafeBitCast(symbol, to: Control.self)
    }

    /// Calls `prctl`; -1 if this process has none.
    static func control(_ option: CInt, _ value: CUnsignedLong) -> CInt {
      control.map { $0(option, value, 0, 0, 0) } ?? -1
    }

    // MARK: This program

    /// The path of this program's file, a link to it.
    static var programPath: String { "/proc/self/exe" }

    /// The first entry of the environment; nil follows the last.
    static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { unsafe environ }

    // MARK: Text and numbers

    /// A locale whose characters are Unicode scalars.
    static func makeLocale() -> locale_t? { unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) }

    /// Writes a number as `%.NNg` prints it into a buffer of 40 bytes.
    static func print(_ number: Double, digits: Int32, into buffer: UnsafeMutablePointer<CChar>) {
      #if canImport(Glibc)
        // Glibc's `gcvt` gives the same text, without an argument list, which costs more than the formatting.
        _ = unsafe gcvt(number, digits, buffer)
      #else
        _ = unsafe withVaList([digits, number]) { unsafe vsnprintf(buffer, 40, "%.*g", $0) }
      #endif
    }

    /// Whether a number was `<true/>` or `<false/>` in a property list: its C type is then signed char or Bool.
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

    /// `O_TMPFILE` of open(2), a macro that Swift does not import.
    private static var unnamedFile: Int32 { 0o20_000_000 | O_DIRECTORY }

    /// A nameless file in a directory, for writing.
    static func createNameless(_ directory: String) throws(Errno) -> Int32 {
      try unsafe check(directory) { unsafe open($0, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600) }
    }

    /// The path of a nameless file.
    static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// Gives a nameless file a name; see linkat(2).
    static func link(_ descriptor: Int32, _ path: String) throws(Errno) {
      _ = try unsafe check(path) { name in
        unsafe linkat(AT_FDCWD, self.path(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      }
    }
  }

  // MARK: Signatures

  extension SystemSignatures {
    /// Nil: the system has no such framework; OpenSSL signs.
    package static let available: SystemSignatures? = nil
  }

  // MARK: URLSession

  extension URLSessionLimits {
    /// Whether URLSession connects to IPv6 literals: on Linux up to Swift 6.3 it fails with -1000 on every one
    /// (swiftlang/swift-corelibs-foundation#5496).
    package static let takesIPv6Literals = false
  }
#endif
