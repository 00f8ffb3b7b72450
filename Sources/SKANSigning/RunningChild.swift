import SKANBase

#if !canImport(Darwin)

  /// A child process and our ends of its descriptors.
  struct RunningChild {
    let process: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32

    /// Starts a program, named by its path, with the files behind pipes that are filled already.
    init(_ program: String, _ arguments: [String], files: [[UInt8]]) throws(SigningError) {
      var descriptors = ChildDescriptors()
      defer { descriptors.closeChildEnds() }
      do throws(SigningError) {
        input = try descriptors.addInput()
        output = try descriptors.addOutput()
        errors = try descriptors.addOutput()
        for file in files { try descriptors.addFile(file) }
        process = try Self.spawn(program, arguments, descriptors.childEnds)
      } catch {
        descriptors.closeOwnEnds()
        throw error
      }
    }

    /// - Parameter ends: what becomes descriptor 0, 1, 2 and so on.
    private static func spawn(
      _ program: String, _ arguments: [String], _ ends: [Int32]
    ) throws(SigningError) -> pid_t {
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      for (number, end) in ends.enumerated() { unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(number)) }
      let argv = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
      let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
      defer { unsafe (argv + variables).forEach { unsafe free($0) } }
      var process: pid_t = 0
      let code = unsafe posix_spawn(&process, program, &actions, nil, argv, variables)
      switch code {
      case 0: return process
      case ENOENT, EACCES, ENOTDIR: throw .toolMissing
      default: throw unsafe .toolFailed(String(cString: strerror(code)))
      }
    }

    /// What an unusual installation of the program may need; nothing of ours.
    private static var environment: [String] {
      let names: [String] = ["PATH", "HOME", "LD_LIBRARY_PATH", "OPENSSL_CONF", "OPENSSL_MODULES"]
      return names.compactMap { name in unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" } }
    }

    /// The exit code, or the signal as a negative number; nil while it runs.
    var status: Int32? {
      var status: Int32 = 0
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == 0 || ended < 0 && errno == EINTR { return nil }
      if ended < 0 { return -1 }
      let signal = status & 0x7F
      return signal == 0 ? status >> 8 & 0xFF : -signal
    }

    /// Ends it, whatever it does.
    func kill() {
      #if canImport(Glibc)
        _ = Glibc.kill(process, SIGKILL)
      #else
        _ = Musl.kill(process, SIGKILL)
      #endif
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
  }
#endif
