import Foundation

/// The bytes of a base64 text, lines and all; nil when it is none.
func decodedBase64(_ text: String) -> [UInt8]? {
  Data(base64Encoded: text, options: .ignoreUnknownCharacters).flatMap { data in
    text.utf8.allSatisfy(\.mayBeInBase64) ? Array(data) : nil
  }
}

extension UInt8 {
  fileprivate var mayBeInBase64: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D, 0x0A, 0x0D: true
    default: false
    }
  }
}
