import Foundation
import SKANBase

/// One `-----BEGIN …-----` block of a key file.
struct PEMBlock: Equatable {
  /// Such as `PUBLIC KEY`.
  let label: String
  /// Nil when there are headers, as an old-style encrypted key has them, or what follows is not base64.
  let der: [UInt8]?
  let hasHeaders: Bool

  /// Every block of a text, in order; what stands between them is not looked at.
  static func blocks(in text: String) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var label: String?
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline).map({ String($0.trimming { $0 == " " || $0 == "\t" }) }) {
      if let open = label {
        if line == "-----END \(open)-----" {
          blocks.append(PEMBlock(label: open, lines: lines))
          label = nil
        } else {
          lines.append(line)
        }
      } else if line.hasPrefix("-----BEGIN "), line.hasSuffix("-----"), line.count > 16 {
        label = String(line.dropFirst(11).dropLast(5))
        lines = []
      }
    }
    return blocks
  }

  private init(label: String, lines: [String]) {
    self.label = label
    hasHeaders = lines.contains { $0.contains(":") }
    der = hasHeaders ? nil : Data(base64Encoded: lines.joined()).map { Array($0) }
  }

  /// A block as text, as the platform's cryptography reads it.
  static func text(_ label: String, _ der: [UInt8]) -> String {
    var rest = Substring(Data(der).base64EncodedString())
    var text = "-----BEGIN \(label)-----\n"
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }
}
