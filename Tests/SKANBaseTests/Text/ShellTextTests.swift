import Foundation
import TestSupport
import Testing

@testable import SKANBase

@Suite("Text quoted for a shell", .waits, .timeLimit(.minutes(TestTime.minutes)))
struct ShellTextTests {
  @Test(
    "Quoted",
    arguments: [
      ("it's", #"'it'\''s'"#), ("", "''"), ("a b", "'a b'"), ("$HOME `id` \"x\" \\", "'$HOME `id` \"x\" \\'"),
      ("a\nb\t\r", #"$'a\nb\t\r'"#), ("it's\u{1B}[201~", #"$'it\'s\033[201~'"#), ("\\\u{3}7", #"$'\\\0037'"#),
      ("\u{202E}gnp", #"$'\342\200\256gnp'"#), ("\u{9B}2J", #"$'\302\2332J'"#), ("日本 👩‍👩‍👧", "'日本 👩‍👩‍👧'"),
      ("\u{E0041}", #"$'\363\240\201\201'"#),
    ])
  func quoted(text: String, expected: String) { #expect(text.quotedForShell == expected) }

  @Test("A word that needs no quotes has none") func wordNeeds() {
    #expect("a/b-c_d.1".shellWord == "a/b-c_d.1" && "".shellWord == "''" && "a b".shellWord == "'a b'")
  }

  @Test("The key of the shell stands where the placeholder was") func keyShell() {
    #expect("x?a=\(String.keyOfShell)&n=it's".quotedWithKeyOfShell == #"'x?a='"$SKAN_SDK_KEY"'&n=it'\''s'"#)
    #expect("a=\(String.keyOfShell)".quotedWithKeyOfShell == #"'a='"$SKAN_SDK_KEY"''"#)
  }

  static let shells = ["/bin/bash", "/usr/bin/zsh", "/bin/zsh", "/bin/ksh"].filter {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Nothing in the quoted text acts on a terminal, and a shell reads the text back byte for byte.
  @Test("A shell reads it back, and no character of it is hidden", arguments: shells, Rounds.of(6))
  func shellReads(shell: String, seed: Int) throws {
    var random = UInt64(seed)
    func next() -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return random >> 20
    }
    let some: [Unicode.Scalar] = ["'", "\\", "$", "`", "\"", "!", "\n", "\r", "\t", "7", "a", " ", "é", "👩", "~", "#"]
    let texts = (0..<60).map { _ in
      var text = ""
      for _ in 0..<next() % 12 {
        let number = UInt32(truncatingIfNeeded: next())
        let odd = [number % 31 + 1, 0x7F + number % 0x21, 0x2028 + number % 7, 0xE0001 + number % 0x7F][
          Int(number >> 8) % 4]
        let scalar = number >> 16 & 1 == 0 ? Unicode.Scalar(odd) : some[Int(number >> 17) % some.count]
        text.unicodeScalars.append(scalar ?? " ")
      }
      return text
    }
    let words = texts.map(\.quotedForShell)
    #expect(!words.joined().unicodeScalars.contains { $0.isHidden })
    let process = Process()
    process.executableURL = URL(filePath: shell)
    process.arguments = ["-c", "printf '%s\\0' \(words.joined(separator: " "))"]
    process.environment = ["LC_ALL": "C.UTF-8"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(output == Data(texts.flatMap { Array($0.utf8) + [0] }))
  }
}
