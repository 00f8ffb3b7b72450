// The names of CryptoKit that SKANSystem uses. For scripts/check-darwin.
import Foundation

public enum P256 {
  public enum Signing {
    public struct ECDSASignature {
      public var derRepresentation: Data { Data() }
      public init(derRepresentation: some DataProtocol) throws {}
    }
    public struct PrivateKey {
      public init(pemRepresentation: String) throws {}
      public func signature(for data: some DataProtocol) throws -> ECDSASignature { fatalError() }
    }
    public struct PublicKey {
      public init(compressedRepresentation: some ContiguousBytes) throws {}
      public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {}
      public func isValidSignature(_ signature: ECDSASignature, for data: some DataProtocol) -> Bool { false }
    }
  }
}
