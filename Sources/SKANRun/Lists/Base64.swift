import Foundation

/// Bytes that are no text, for a result.
func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

/// The bytes of a base64 text, or nil for any other text.
func decodedBase64(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
