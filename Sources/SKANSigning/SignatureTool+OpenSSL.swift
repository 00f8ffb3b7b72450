#if !canImport(CryptoKit)
  extension SignatureTool {
    /// OpenSSL: its library where the system has it, else, and for what the library does not answer, its program.
    ///
    /// - Parameter isInterrupted: whether the user wants no more of it.
    package static func platform(isInterrupted: @escaping @Sendable () -> Bool = { false }) -> SignatureTool {
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
          let run = try ChildProcess.run(
            "openssl", ["dgst", "-sha256", "-sign", ChildProcess.path(ofFile: 0)], input: message,
            files: [Array(key.pem.utf8)], isInterrupted: isInterrupted)
          guard run.status == 0, SignatureForm.fault(run.output) == nil else { throw run.error }
          return run.output
        },
        verifyMessage: { (message, der, key) throws(SigningError) in
          let run = try ChildProcess.run(
            "openssl",
            ["dgst", "-sha256", "-verify", ChildProcess.path(ofFile: 0), "-signature", ChildProcess.path(ofFile: 1)],
            input: message, files: [Array(key.pem.utf8), der], isInterrupted: isInterrupted)
          let text = String(decoding: run.output, as: UTF8.self).lowercased()
          if run.status == 0, text.contains("verified ok") { return true }
          // "Verification failure", and for numbers beyond the curve's order "Error verifying data".
          guard text.contains("verification failure") || run.errors.contains("Error verifying data") else {
            throw run.error
          }
          return false
        })
    }
  }

  extension ChildProcess.Run {
    /// What went wrong, by its first words.
    fileprivate var error: SigningError {
      let end = status < 0 ? "ended by signal \(-status)" : "exit code \(status)"
      let text = errors.split(whereSeparator: \.isNewline).first.map(String.init) ?? end
      let isAboutKey = ["Could not read", "unable to load"].contains { text.contains($0) } && text.contains("key")
      return isAboutKey ? .key(.refused("openssl: \(text)")) : .toolFailed(text)
    }
  }
#endif
