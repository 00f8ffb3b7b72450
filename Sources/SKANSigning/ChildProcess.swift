#if !canImport(Darwin)
  import SKANBase
  import Synchronization

  /// A program that is run to its end. What it gets and gives goes through descriptors: no file is made.
  enum ChildProcess {
    struct Run {
      /// The exit code; negative when a signal ended it.
      var status: Int32
      var output: [UInt8]
      var errors: String
    }

    /// What a run may take. A program that takes more is killed.
    struct Limits {
      var seconds = 30.0
      /// Of its output, and of its errors, of which no more is kept.
      var bytes = 65_536
    }

    /// Where the program finds a file that it is given.
    static func path(ofFile index: Int) -> String { "/dev/fd/\(firstFile + Int32(index))" }

    static let firstFile: Int32 = 3
    /// What every pipe takes without a reader.
    private static let pipeSize = 4096
    /// One start at a time, so that no other child of ours gets the descriptors as well and keeps them open.
    private static let starting = Mutex(())

    /// Runs a program that is looked for on the `PATH`; see ``ProgramPath``.
    ///
    /// - Parameters:
    ///   - input: its standard input.
    ///   - files: of at most 4096 bytes each; see ``path(ofFile:)``.
    ///   - isInterrupted: whether the user wants no more of it; it is killed then.
    static func run(
      _ program: String, _ arguments: [String], input: [UInt8], files: [[UInt8]], limits: Limits = Limits(),
      isInterrupted: () -> Bool = { false }
    ) throws(SigningError) -> Run {
      guard files.allSatisfy({ $0.count <= pipeSize }) else { throw .toolFailed("a key or signature is too long") }
      guard let path = ProgramPath.find(program) else { throw .toolMissing }
      let started = starting.withLock { _ -> Result<RunningChild, SigningError> in
        do throws(SigningError) {
          return .success(try RunningChild(path, arguments, files: files))
        } catch {
          return .failure(error)
        }
      }
      var exchange = ChildExchange(try started.get(), input: input, limits)
      try exchange.run(isInterrupted)
      return Run(
        status: exchange.status, output: exchange.output, errors: String(decoding: exchange.errors, as: UTF8.self))
    }
  }
#endif
