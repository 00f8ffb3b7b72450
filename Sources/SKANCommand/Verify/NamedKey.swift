import SKANSigning
import SKANBase

/// A public key, and what a message calls it.
struct NamedKey: Sendable {
  let key: PublicKey
  let name: String

  static let apple = NamedKey(key: .apple, name: "Apple's key")
}

extension ValueParser<NamedKey> {
  /// A key in base64, or its file.
  static var publicKey: Self {
    let file = FileUse(kind: .input) { $0.text.looksLikeKey ? nil : $0.path }
    return Self(.file, file: file) { (given) throws(CommandError) in
      let text = given.text
      do throws(KeyProblem) {
        if text.looksLikeKey { return NamedKey(key: try PublicKey(text), name: given.name) }
      } catch {
        throw given.problem(error.message)
      }
      let path = given.path
      let bytes = try given.invocation.environment.readRequired(
        path, hint: "it should hold a public key (\(given.name))")
      do throws(KeyProblem) {
        return NamedKey(key: try PublicKey(String(decoding: bytes, as: UTF8.self)), name: path)
      } catch {
        throw .badKey(file: path, reason: error.message)
      }
    }
  }
}

extension String {
  /// The base64 of a DER sequence that is long enough for a key, rather than a path.
  fileprivate var looksLikeKey: Bool {
    hasPrefix("M") && utf8.count >= 48 && utf8.allSatisfy { "+/=".utf8.contains($0) || $0.isASCIILetterOrDigit }
  }
}
