import Testing

@testable import SKANBase

@Suite("JSON writer")
struct JSONWriterTests {
  private static let sample: JSON = .object([
    ("b", .array([.integer(1), .double(2.5), .array([]), .object([])])),
    ("a", .object([("é", .null), ("z", .bool(true))])),
    ("B", .string("x/y")),
  ])

  @Test(
    "Layouts",
    arguments: [
      (.compact, #"{"B":"x/y","a":{"z":true,"é":null},"b":[1,2.5,[],{}]}"#),
      (
        .indented,
        """
        {
          "B": "x/y",
          "a": {
            "z": true,
            "é": null
          },
          "b": [
            1,
            2.5,
            [],
            {}
          ]
        }
        """
      ),
      (
        .file,
        """
        {
          "b": [
            1,
            2.5,
            [],
            {}
          ],
          "a": {
            "é": null,
            "z": true
          },
          "B": "x/y"
        }
        """
      ),
    ] as [(JSONWriter.Layout, String)])
  func layouts(layout: JSONWriter.Layout, expected: String) {
    #expect(JSONWriter.text(Self.sample, layout: layout) == expected)
  }

  @Test(
    "Escapes",
    arguments: [
      ("", #""""#), ("a\"b\\c/", #""a\"b\\c/""#), ("\n\r\t", #""\n\r\t""#),
      ("\u{0}\u{8}\u{C}\u{1F}", #""\u0000\u0008\u000c\u001f""#),
      ("\u{7F}\u{85}\u{9F}", #""\u007f\u0085\u009f""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
      ("a\u{202E}b\u{2066}\u{200B}\u{FEFF}é", #""a\u202eb\u2066\u200b\ufeffé""#),
      ("\u{E0041}👩‍👩‍👧", #""\udb40\udc41👩‍👩‍👧""#), ("\r\n", #""\r\n""#),
      ("é漢😀\u{A0}", "\"é漢😀\u{A0}\""), ("e\u{301}", "\"e\u{301}\""), ("\u{1B}[31m", #""\u001b[31m""#),
    ])
  func escapes(text: String, expected: String) {
    #expect(JSONWriter.quoted(text).isLiterally(expected))
    #expect(JSONWriter.text(.string(text)).isLiterally(expected))
    #expect(JSONWriter.text(.object([(text, .null)])).isLiterally("{\(expected):null}"))
  }

  @Test(
    "Numbers: shortest text, whole ones without a fraction but in a file",
    arguments: [
      (5, "5", "5.0"), (-0.0, "-0", "-0.0"), (9.99, "9.99", "9.99"),
      (Double(Float(9.99)), "9.989999771118164", "9.989999771118164"),
      (1e-50, "1e-50", "1e-50"), (1e16, "1e+16", "1e+16"), (0.1, "0.1", "0.1"),
      (123_456_789, "123456789", "123456789.0"),
    ])
  func numbers(number: Double, compact: String, file: String) {
    #expect(JSONWriter.text(.double(number)) == compact)
    #expect(JSONWriter.text(.double(number), layout: .indented) == compact)
    #expect(JSONWriter.text(.double(number), layout: .file) == file)
  }

  @Test(
    "Integers to the last digit",
    arguments: Array(0...101) + [Int64.min, -1, 1_767_225_600, 9_007_199_254_740_993, .max])
  func integers(number: Int64) {
    #expect(JSONWriter.text(.integer(number)) == String(number))
    let unsigned = UInt64(bitPattern: number)
    #expect(JSONWriter.text(.unsigned(unsigned)) == String(unsigned))
  }

  @Test("Quoted texts, whatever stands where in them")
  func quoting() {
    let escapes: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "\u{1F}": "\\u001f", "\u{7F}": "\\u007f"]
    var random = RandomJSON(seed: 8)
    for _ in 0..<20_000 {
      // The neighbours in code of what needs an escape, too.
      let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        random.pick(Array("aaaa\"#!\\][\u{1F} \u{7F}~é".unicodeScalars))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let expected = scalars.map { escapes[$0] ?? String($0) }.joined()
      #expect(JSONWriter.quoted(text).isLiterally("\"\(expected)\""))
    }
  }

  @Test("Members are sorted by the code points of their keys")
  func keyOrder() {
    var random = RandomJSON(seed: 9)
    for _ in 0..<2000 {
      var keys: Set<[UInt8]> = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let key = String(
          (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(["a", "b", "\0", "é", "😀"]) })
        keys.insert(Array(key.utf8))
      }
      let given = keys.map { (key: String(decoding: $0, as: UTF8.self), value: JSON.null) }.shuffled(using: &random)
      let sorted = given.sorted { $0.key.literallyPrecedes($1.key) }
      #expect(JSONWriter.text(.object(given)) == JSONWriter.text(.object(sorted), layout: .line))
    }
  }

  @Test("Long texts", arguments: [4093, 4094, 4095, 4096, 100_000])
  func long(count: Int) {
    let text = String(repeating: "x", count: count)
    #expect(JSONWriter.text(.string(text)) == "\"\(text)\"")
    let numbers = [JSON](repeating: .integer(7), count: count)
    #expect(JSONWriter.text(.array(numbers)) == "[" + numbers.map { _ in "7" }.joined(separator: ",") + "]")
  }

  @Test("Keys stand in code point order")
  func order() {
    let members: [(key: String, value: JSON)] = ["b", "a", "A", "é", "aa", "", "_", "e\u{301}"].map { ($0, .null) }
    let text = JSONWriter.text(.object(members))
    #expect(
      text.isLiterally(
        "{\"\":null,\"A\":null,\"_\":null,\"a\":null,\"aa\":null,\"b\":null,\"e\u{301}\":null,\"é\":null}"))
  }

  @Test("What is written reads back as the same value", arguments: [JSONWriter.Layout.compact, .indented, .file])
  func roundTrip(layout: JSONWriter.Layout) throws {
    let everyScalar = String(String.UnicodeScalarView((0...0x3000).compactMap(Unicode.Scalar.init)))
    let value: JSON = .object([
      ("text", .string(everyScalar)), (everyScalar, .array([.integer(.max), .integer(.min), .null, .bool(false)])),
      ("numbers", .array([5, -0.0, 0.1, 1e300, .leastNonzeroMagnitude, 9.99, 1.0 / 3].map(JSON.double))),
      ("nested", Self.sample),
    ])
    let text = JSONWriter.text(value, layout: layout)
    #expect(try JSONReader.read(Array(text.utf8)).value == value)
  }

  @Test("A file keeps what is whole and what is not apart")
  func fileKinds() throws {
    let value: JSON = .array([.double(5), .integer(5), .double(-0.0)])
    let node = try JSONReader.read(Array(JSONWriter.text(value, layout: .file).utf8))
    guard case .array(let items) = node.content, items.count == 3, case .double(5) = items[0].content,
      case .integer(5) = items[1].content, case .double(let zero) = items[2].content
    else {
      Issue.record("the kinds are lost: \(node)")
      return
    }
    #expect(zero.sign == .minus)
  }
}
