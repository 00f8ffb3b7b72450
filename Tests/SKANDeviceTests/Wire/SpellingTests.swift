import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

/// Everything that a reader takes in more than one spelling, in each.
@Suite("Spellings")
struct SpellingTests {
  /// The encodings of an answer that iOS reads, with and without their marks.
  private static let encodings: [(name: String, encode: @Sendable (String) -> [UInt8])] = [
    ("UTF-8", { Array($0.utf8) }), ("UTF-8 with a mark", { Array("\u{FEFF}\($0)".utf8) }),
    ("UTF-16LE", { $0.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }),
    ("UTF-16BE", { $0.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }),
    ("UTF-16LE with a mark", { "\u{FEFF}\($0)".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }),
    ("UTF-16BE with a mark", { "\u{FEFF}\($0)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }),
    ("UTF-32LE", { units($0).flatMap { $0.reversed() } }), ("UTF-32BE", { units($0).flatMap { $0 } }),
    ("UTF-32LE with a mark", { units("\u{FEFF}\($0)").flatMap { $0.reversed() } }),
    ("UTF-32BE with a mark", { units("\u{FEFF}\($0)").flatMap { $0 } }),
  ]

  private static func units(_ text: String) -> [[UInt8]] {
    text.unicodeScalars.map { scalar in [24, 16, 8, 0].map { UInt8(scalar.value >> $0 & 255) } }
  }

  @Test("An answer in every encoding, with characters of every width, in every spelling of its JSON")
  func answers() {
    for text in ["no", "nö", "n€", "n\u{1D11E}", "n\\u00f6", "n\\n\\\"\\\\"] {
      for body in [
        #"{"reason":"\#(text)","status":"error"}"#, #"{"conversion_value":"\#(text)","status":"ok"}"#,
        #"{"conversion_value":5,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}"#,
      ] {
        let plain = String(describing: SnippetAnswer(.response(status: 200, body: Array(body.utf8))))
        for (name, encode) in Self.encodings {
          for spelling in JSONSpelling.allCases where spelling != .byteOrderMark {
            let answer = SnippetAnswer(.response(status: 200, body: encode(spelling.apply(body))))
            #expect(String(describing: answer) == plain, "\(name) \(spelling) \(text)")
          }
        }
      }
    }
  }

  @Test(
    "Every status but 200 is a breach", arguments: [100, 199, 200, 201, 202, 204, 206, 299, 300, 304, 400, 404, 500])
  func statuses(status: Int) {
    let answer = EndpointAnswer.response(status: status, body: Array(#"{"conversion_value":5,"status":"ok"}"#.utf8))
    #expect(ContractBreach.all(in: answer) == (status == 200 ? [] : [.status(status)]))
  }

  /// The same signed text, whether a tool on the way has kept Apple's JSON types or not.
  @Test("The signed text of a postback, whatever the JSON types of its values")
  func signedText() throws {
    for version in PostbackVersion.allCases {
      var fields: [(field: PostbackField, text: String, spellings: [String])] = []
      for field in version.signedFields {
        switch field.row.form {
        case .boolean:
          for (text, number) in [("true", 1), ("false", 0)] {
            fields.append((field, text, ["\"\(text)\"", "\(number)", text]))
          }
        case .number(let range):
          for number in [range.lowerBound, min(range.upperBound, 99)] {
            fields.append((field, "\(number)", ["\"\(number)\"", "\(number)", "\(number).0", "\(number)e0"]))
          }
        case .identifier: fields.append((field, "52", ["\"52\"", "52", "52.0"]))
        case .uuid(let id): fields += [id, id.uppercased()].map { (field, $0, ["\"\($0)\""]) }
        case .choice: fields.append((field, version.rawValue, ["\"\(version.rawValue)\""]))
        default: fields.append((field, "ab.c", ["\"ab.c\"", "\"\\u0061b.c\""]))
        }
      }
      for (field, text, spellings) in fields {
        let others = version.signedFields.filter { $0 != field }.map { other in
          "\"\(other.rawValue)\":\"\(other == .version ? version.rawValue : "x")\""
        }
        for spelling in spellings {
          let json = "{\((others + ["\"\(field.rawValue)\":\(spelling)"]).joined(separator: ","))}"
          let postback = try ReceivedPostback.read(try JSONReader.read(Array(json.utf8))).get()
          #expect(postback.text(of: field) == text, "\(version.rawValue) \(json)")
          #expect(postback.signedText.split(separator: PostbackContent.separator).contains { $0 == text })
        }
      }
    }
  }
}
