import SKANSystem

extension SignatureTool {
  /// The system's own framework where there is one. Otherwise OpenSSL: its library where the system has it, else, and for
  /// what the library does not answer, its program.
  ///
  /// - Parameter isInterrupted: whether the user wants no more of it.
  package static func platform(isInterrupted: @escaping @Sendable () -> Bool = { false }) -> SignatureTool {
    SystemSignatures.available.map(framework) ?? openSSL(isInterrupted: isInterrupted)
  }

  private static func framework(_ system: SystemSignatures) -> SignatureTool {
    SignatureTool(
      signMessage: { (message, key) throws(SigningError) in
        do throws(SystemSignatures.Refusal) { return try system.sign(message, key.pem) } catch {
          throw .key(.refused(error.reason))
        }
      },
      verifyMessage: { (message, der, key) throws(SigningError) in
        do throws(SystemSignatures.Refusal) { return try system.isValid(der, message, key.der) } catch {
          throw .key(.refused(error.reason))
        }
      })
  }

  private static func openSSL(isInterrupted: @escaping @Sendable () -> Bool) -> SignatureTool {
    let program = program(isInterrupted: isInterrupted)
    return SignatureTool(
      signMessage: { (message, key) throws(SigningError) in
        if let signature = LibCrypto.installed?.signature(of: message, by: key.der),
          SignatureForm.fault(signature) == nil
        {
          return signature
        }
        return try program.signMessage(message, key)
      },
      verifyMessage: { (message, der, key) throws(SigningError) in
        if let isValid = LibCrypto.installed?.isValid(der, of: message, by: key.der) { return isValid }
        return try program.verifyMessage(message, der, key)
      })
  }

  /// The program `openssl` on the `PATH`.
  ///
  /// Key and signature go through pipes, which it opens as `/dev/fd/3` and `/dev/fd/4`, and the message through its
  /// standard input: no file is made, not even for a moment.
  ///
  /// - Parameter isInterrupted: whether the user wants no more of it.
  static func program(isInterrupted: @escaping @Sendable () -> Bool = { false }) -> SignatureTool {
    SignatureTool(
      signMessage: { (message, key) throws(SigningError) in
        let run = try ProgramRun(
          openssl: ["-sign", ProgramRun.path(ofFile: 0)], message, [Array(key.pem.utf8)], isInterrupted)
        guard run.end == .code(0), SignatureForm.fault(run.output) == nil else { throw run.error }
        return run.output
      },
      verifyMessage: { (message, der, key) throws(SigningError) in
        let run = try ProgramRun(
          openssl: ["-verify", ProgramRun.path(ofFile: 0), "-signature", ProgramRun.path(ofFile: 1)], message,
          [Array(key.pem.utf8), der], isInterrupted)
        let text = String(decoding: run.output, as: UTF8.self).lowercased()
        if run.end == .code(0), text.contains("verified ok") { return true }
        // "Verification failure", and for numbers beyond the curve's order "Error verifying data".
        guard text.contains("verification failure") || run.errors.contains("Error verifying data") else {
          throw run.error
        }
        return false
      })
  }
}

extension ProgramRun {
  /// Runs `openssl dgst -sha256`.
  fileprivate init(
    openssl arguments: [String], _ message: [UInt8], _ files: [[UInt8]], _ isInterrupted: () -> Bool
  ) throws(SigningError) {
    do throws(Failure) {
      try self.init(
        "openssl", ["dgst", "-sha256"] + arguments, environment: Self.environment, input: message, files: files,
        isInterrupted: isInterrupted)
    } catch {
      switch error {
      case .missing: throw .toolMissing
      case .failed(let reason): throw .toolFailed(reason)
      case .fileTooLong: throw .toolFailed("a key or signature is too long")
      case .interrupted: throw .interrupted
      }
    }
  }

  /// What an unusual installation of the program may need; nothing of ours.
  private static var environment: [String] {
    ["PATH", "HOME", "LD_LIBRARY_PATH", "OPENSSL_CONF", "OPENSSL_MODULES"].compactMap { name in
      System.variable(name).map { "\(name)=\($0)" }
    }
  }

  /// What went wrong, by its first words.
  fileprivate var error: SigningError {
    let end =
      switch end {
      case .code(let code): "exit code \(code)"
      case .signal(let number): "ended by signal \(number)"
      case .unknown: "its exit code is not known"
      }
    let text = errors.split(whereSeparator: \.isNewline).first.map(String.init) ?? end
    let isAboutKey = ["Could not read", "unable to load"].contains { text.contains($0) } && text.contains("key")
    return isAboutKey ? .key(.refused("openssl: \(text)")) : .toolFailed(text)
  }
}
