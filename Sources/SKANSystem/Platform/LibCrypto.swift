import SKANBase

/// The system's OpenSSL library, loaded on first use: signs and verifies like the program `openssl`, without a process
/// for each signature. This program is not linked against it.
///
/// It explains no errors: if it gives no answer, the caller runs the program, which reports the reason.
///
/// The functions are those of OpenSSL 3, whose manual pages guarantee their signatures for all of 3.x. Every pointer
/// passed to them outlives the call, and every object that they return is freed before a method returns. No object is
/// shared, so several threads can use them at once.
@safe package struct LibCrypto: Sendable {
  private typealias Object = OpaquePointer
  private typealias Read =
    @convention(c) @Sendable (
      UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int
    ) -> Object?
  private typealias Make = @convention(c) @Sendable () -> Object?
  private typealias Free = @convention(c) @Sendable (Object?) -> Void
  private typealias Begin =
    @convention(c) @Sendable (
      Object, UnsafeMutablePointer<Object?>?, Object?, Object?, Object
    ) -> Int32
  private typealias Verify =
    @convention(c) @Sendable (
      Object, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int
    ) -> Int32
  private typealias Sign =
    @convention(c) @Sendable (
      Object, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>, UnsafePointer<UInt8>?, Int
    ) -> Int32

  /// The library that the system's loader finds; nil if there is none, or if the program has no dynamic loader.
  package static let installed = LibCrypto("libcrypto.so.3")

  private let readPublic, readPrivate: Read
  private let freeKey, freeContext: Free
  private let makeContext, sha256: Make
  private let beginVerifying, beginSigning: Begin
  private let verify: Verify
  private let sign: Sign

  /// - Parameter name: a name that the loader looks up, or a path.
  /// - Returns: nil if there is no such library, or it lacks a function.
  package init?(_ name: String) {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
      unsafe dlsym(library, name).map { unsafe unsafeBitCast($0, to: type) }
    }
    guard let readPublic = unsafe function("d2i_PUBKEY", Read.self),
      let readPrivate = unsafe function("d2i_AutoPrivateKey", Read.self),
      let freeKey = unsafe function("EVP_PKEY_free", Free.self),
      let makeContext = unsafe function("EVP_MD_CTX_new", Make.self),
      let freeContext = unsafe function("EVP_MD_CTX_free", Free.self),
      let sha256 = unsafe function("EVP_sha256", Make.self),
      let beginVerifying = unsafe function("EVP_DigestVerifyInit", Begin.self),
      let verify = unsafe function("EVP_DigestVerify", Verify.self),
      let beginSigning = unsafe function("EVP_DigestSignInit", Begin.self),
      let sign = unsafe function("EVP_DigestSign", Sign.self)
    else { return nil }
    unsafe (self.readPublic, self.readPrivate, self.freeKey) = (readPublic, readPrivate, freeKey)
    unsafe (self.makeContext, self.freeContext, self.sha256) = (makeContext, freeContext, sha256)
    unsafe (self.beginVerifying, self.verify) = (beginVerifying, verify)
    unsafe (self.beginSigning, self.sign) = (beginSigning, sign)
  }

  /// Whether a DER signature is valid for a message.
  ///
  /// - Parameter key: a SubjectPublicKeyInfo in DER.
  /// - Returns: nil if the library reports an error.
  package func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool? {
    unsafe withContext(key, readPublic, beginVerifying) { context in
      switch unsafe verify(context, signature, signature.count, message, message.count) {
      case 1: true
      case 0: false
      default: nil
      }
    }
  }

  /// The DER signature of a message.
  ///
  /// - Parameter key: a PKCS #8 or SEC 1 private key in DER.
  /// - Returns: nil if the library reports an error.
  package func signature(of message: [UInt8], by key: [UInt8]) -> [UInt8]? {
    unsafe withContext(key, readPrivate, beginSigning) { context in
      var signature = [UInt8](repeating: 0, count: Self.longestSignature)
      var count = signature.count
      guard unsafe sign(context, &signature, &count, message, message.count) == 1, count <= signature.count else {
        return nil
      }
      return Array(signature[..<count])
    }
  }

  /// The buffer size in bytes, more than an ECDSA signature on P-256 needs.
  private static let longestSignature = 128

  /// Calls `body` with a context initialized with a key; the context is valid for this call only.
  private func withContext<Result>(
    _ key: [UInt8], _ read: Read, _ begin: Begin, _ body: (Object) -> Result?
  ) -> Result? {
    unsafe key.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard let key = unsafe read(nil, &next, bytes.count) else { return nil }
      defer { unsafe freeKey(key) }
      guard let context = unsafe makeContext() else { return nil }
      defer { unsafe freeContext(context) }
      return unsafe begin(context, nil, sha256(), nil, key) == 1 ? body(context) : nil
    }
  }
}
