import SKANRun
import SKANSystem

extension ByteSource {
  /// A file or a pipe.
  ///
  /// - Parameter waits: whether opening a pipe blocks until it has a writer.
  init(path: String, waits: Bool = true) throws(SourceFailure) {
    do throws(InputFile.Failure) {
      self.init(try InputFile(path, waits: waits))
    } catch {
      throw SourceFailure(error)
    }
  }

  /// The bytes of an open file.
  init(_ file: InputFile) {
    let identity = file.status.map { Identity(device: $0.identity.device, number: $0.identity.number) }
    unsafe self.init(
      isRegular: file.isRegular, size: file.isRegular ? file.status?.size : nil, identity: identity
    ) { buffer throws(SourceFailure) in
      do throws(InputFile.Failure) { return try unsafe file.read(into: buffer) } catch { throw SourceFailure(error) }
    }
  }
}

extension SourceFailure {
  fileprivate init(_ failure: InputFile.Failure) {
    switch failure {
    case .missing: self = .missing
    case .interrupted: self = .interrupted
    case .system(let error): self = .unreadable(error.reason)
    }
  }
}
