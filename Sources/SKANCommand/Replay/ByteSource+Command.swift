import SKANRun
import SKANStorage

extension ByteSource {
  /// The same; `watch` gets the number of bytes of each read.
  func watched(_ watch: @escaping (Int) -> Void) -> ByteSource {
    unsafe ByteSource(isRegular: isRegular, size: size, identity: identity) { buffer throws(SourceFailure) in
      let count = try unsafe read(buffer)
      watch(count)
      return count
    }
  }

  /// The first bytes: fewer than asked for where there are fewer.
  func beginning(_ count: Int) throws(SourceFailure) -> [UInt8] {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { unsafe block.deallocate() }
    var filled = 0
    while filled < count {
      let more = try unsafe read(UnsafeMutableRawBufferPointer(rebasing: block[filled...]))
      if more == 0 { break }
      filled += more
    }
    return unsafe Array(block[..<filled])
  }

  /// Everything, for what is short.
  func readAll(atMost limit: Int) throws(SourceFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { unsafe block.deallocate() }
    while true {
      let count = try unsafe read(block)
      if count == 0 { return bytes }
      unsafe bytes += block[..<count]
      if bytes.count > limit { throw .unreadable(FileAccess.tooLarge) }
    }
  }
}

extension FileAccess {
  /// Why a file is not read as a whole.
  static let tooLarge = "it is larger than \(ByteSize(bytes: AtomicFile.largestFile).text)"
}

extension CommandError {
  /// Why a file could not be read.
  init(_ failure: SourceFailure, file: String, hint: String = "") {
    switch failure {
    case .missing: self = .missing(file: file, hint: hint)
    case .programMissing(let program): self = .programMissing(program, file: file)
    case .unreadable(let reason): self = .unreadable(file: file, reason: reason)
    case .interrupted: self = .interrupted
    }
  }
}
