import Foundation
import SKANHTTP
import TestSupport
import Testing

@testable import SKANBase
@testable import SKANCommand
@testable import SKANCommandLine

@Suite("What reaches a terminal")
struct TerminalTests {
  @Test(
    "Nothing that it acts upon or hides",
    arguments: [
      ("a\tb\n", "a\tb\n"), ("\u{1B}[31mred\r", #"\u001b[31mred\u000d"#), ("\u{9B}\u{7F}", #"\u009b\u007f"#),
      ("\u{202E}\u{2066}\u{200B}\u{FEFF}", #"\u202e\u2066\u200b\ufeff"#), ("\u{E0041}", #"\u{e0041}"#),
      ("é – → … “日本” 👩‍👩‍👧 نمی‌خواهم", "é – → … “日本” 👩‍👩‍👧 نمی‌خواهم"), ("", ""),
    ])
  func visible(text: String, expected: String) {
    #expect(Terminal.visible(text) == expected)
    #expect(Terminal.visible(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test("The quick look misses no hidden character, and the second one changes no other")
  func every() {
    var wrong: [UInt32] = []
    for value in Array(0...0x1FFFF) + Array(0xDFFF0...0xE1010) as [UInt32] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let stays = !scalar.isHidden || scalar == "\n" || scalar == "\t"
      if Terminal.visible("a\(scalar)b") != (stays ? "a\(scalar)b" : "a\(scalar.hiddenText)b") { wrong.append(value) }
    }
    #expect(wrong == [])
  }

  @Test("Wherever it stands in a long text", arguments: Array(0...0x1F) + [0x7F, 0x9B, 0x202E] as [UInt32])
  func anywhere(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let stays = scalar == "\n" || scalar == "\t"
    for count in 0..<24 {
      let (before, after) = (String(repeating: "~", count: count), String(repeating: " ", count: 24 - count))
      let expected = before + (stays ? String(scalar) : scalar.hiddenText) + after
      #expect(Terminal.visible("\(before)\(scalar)\(after)") == expected)
    }
  }

  private static let odd = "\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0041}"

  @Test(
    "Whatever a user, a file or an endpoint says",
    arguments: [
      ["install", "--force", "--state", "x", "--bundle-id", odd], ["install", "--force", "--state", odd],
      ["session", "--\(odd)"], ["session", "-\u{1B}"], ["--\(odd)"], [odd], ["session", odd],
      ["session", "--state", odd],
      ["session", "--endpoint", odd], ["session", "--endpoint", "http://\(odd)/"], ["session", "--at", odd],
      ["verify", odd], ["postbacks", "--sign", odd, "--send", "http://h/"], ["serve", "--host", odd],
      ["serve", "--allow-host", odd], ["event", odd], ["event", "x", "-v", "--endpoint", "http://h"],
      ["session", "--json", "--endpoint", "http://h"], ["replay", "a.jsonl"], ["replay", "-v", "a.jsonl"],
      ["replay", "b.jsonl"], ["replay", odd], ["replay", "--report-junit", "-", "a.jsonl"],
      ["replay", "--report-tap", "-", "a.jsonl"], ["replay", "--report-json", "-", "a.jsonl"],
      ["replay", "--json", "a.jsonl"], ["model", "explain", "m.json"], ["model", "check", "m.json"], ["timeline"],
      ["timeline", "a.jsonl"], ["timeline", "--svg", "-", "a.jsonl"], ["revenue", "1", odd], ["details", "--json"],
    ])
  func escaped(arguments: [String]) throws {
    let world = World.registered()
    let json = JSONWriter.quoted(Self.odd)
    world["a.jsonl"] =
      #"{"op":"device","name":\#(json),"bundle_id":\#(json),"app_version":\#(json)}"# + "\n"
      + #"{"op":"register"}"# + "\n" + #"{"op":"event","name":\#(json),"expect":{"outcome":"no-update"}}"# + "\n"
      + #"{"op":"revenue","amount":1,"currency":\#(json)}"# + "\n"
    world["b.jsonl"] = #"{"op":"event","nam":"\#(Self.odd.filter { $0 > " " })"}"# + "\n"
    world["m.json"] = try Workspace.exampleModel("events").replacing("purchase", with: Self.odd)
    world.set {
      $0.network = { url, _ in
        .success(
          HTTPExchange(
            HTTPResponse(
              headers: [HTTPField("X-Odd", Self.odd)],
              body: Array(#"{"status":"error","reason":\#(json)} \#(Self.odd)"#.utf8)), url: url))
      }
    }
    world.run("", arguments: arguments)
    let shown = (world.output + world.errors).unicodeScalars.filter { $0.isHidden && $0 != "\n" && $0 != "\t" }
    #expect(shown.isEmpty, "\(shown.map(\.hiddenText))")
  }
}
