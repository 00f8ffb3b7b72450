import SKANBase

#if !canImport(Darwin)

  /// The descriptors of a child that is about to start, in the order of their numbers there.
  struct ChildDescriptors {
    private(set) var childEnds: [Int32] = []
    private var ownEnds: [Int32] = []

    /// A socket for its standard input.
    mutating func addInput() throws(SigningError) -> Int32 {
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, Self.streamType, 0, &ends) == 0 else { throw Self.failure() }
      try adopt(child: ends[0], own: ends[1])
      return ownEnds[ownEnds.count - 1]
    }

    /// A pipe for its standard output or errors.
    mutating func addOutput() throws(SigningError) -> Int32 {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw Self.failure() }
      try adopt(child: ends[1], own: ends[0])
      return ownEnds[ownEnds.count - 1]
    }

    /// A pipe that holds the bytes already and ends behind them.
    mutating func addFile(_ bytes: [UInt8]) throws(SigningError) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw Self.failure() }
      try adopt(child: ends[0], own: ends[1])
      let own = ownEnds.removeLast()
      defer { close(own) }
      // So few bytes that a pipe takes them in one piece.
      let count = unsafe bytes.withUnsafeBytes { unsafe write(own, $0.baseAddress, $0.count) }
      guard count == bytes.count else { throw Self.failure() }
    }

    func closeChildEnds() { for end in childEnds { close(end) } }

    func closeOwnEnds() { for end in ownEnds { close(end) } }

    /// Moves both ends out of the way of the numbers that the child will see; neither reaches any other program.
    private mutating func adopt(child: Int32, own: Int32) throws(SigningError) {
      let moved = [child, own].map { fcntl($0, F_DUPFD_CLOEXEC, Self.firstOwn) }
      let failure = moved.contains { $0 < 0 } ? Self.failure() : nil
      close(child)
      close(own)
      if let failure {
        for end in moved where end >= 0 { close(end) }
        throw failure
      }
      childEnds.append(moved[0])
      ownEnds.append(moved[1])
    }

    /// Above what a child sees: its standard descriptors and the files that it is given.
    private static let firstOwn: Int32 = ChildProcess.firstFile + 4

    private static func failure() -> SigningError { unsafe .toolFailed(String(cString: strerror(errno))) }

    #if canImport(Glibc)
      private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
      private static let streamType = Int32(SOCK_STREAM)
    #endif
  }
#endif
