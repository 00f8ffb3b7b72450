import SKANRun
import SKANSystem

extension ByteSource {
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
