import Testing

@testable import SKANRun

@Suite("The lists of a directory")
struct ListDirectoryTests {
  private static let tree: [String: [DirectoryEntry]] = [
    "d": [
      DirectoryEntry(name: "b.jsonl", isDirectory: false), DirectoryEntry(name: "B.jsonl", isDirectory: false),
      DirectoryEntry(name: "_start.jsonl", isDirectory: false), DirectoryEntry(name: ".x.jsonl", isDirectory: false),
      DirectoryEntry(name: "model.json", isDirectory: false), DirectoryEntry(name: "a", isDirectory: true),
      DirectoryEntry(name: "_parts", isDirectory: true), DirectoryEntry(name: ".git", isDirectory: true),
      DirectoryEntry(name: "locked", isDirectory: true),
    ],
    "d/": [DirectoryEntry(name: "c.jsonl", isDirectory: false)],
    "d/a": [DirectoryEntry(name: "z.jsonl", isDirectory: false)],
    "d/_parts": [DirectoryEntry(name: "p.jsonl", isDirectory: false)],
    "d/.git": [DirectoryEntry(name: "p.jsonl", isDirectory: false)],
    "empty": [],
  ]

  private func lists(
    _ path: String, locked: [DirectoryEntry]? = nil
  ) throws(ListDirectory.Failure) -> [String]? {
    try ListDirectory { (path) throws(SourceFailure) in
      guard path.hasSuffix("locked") else { return Self.tree[path] }
      guard let locked else { throw .unreadable("Permission denied") }
      return locked
    }.lists(under: path)
  }

  @Test("In the order of their paths; hidden ones, and those that are there to be included, are passed over")
  func order() throws {
    #expect(try lists("d", locked: []) == ["d/B.jsonl", "d/a/z.jsonl", "d/b.jsonl"])
    #expect(try lists("d/") == ["d/c.jsonl"])
    #expect(try lists("empty") == [])
  }

  @Test("A path that is not a directory has none")
  func file() throws { #expect(try lists("d/b.jsonl") == nil) }

  @Test("A list or a directory whose name is not UTF-8 is named, escaped; other files are passed over")
  func notUTF8() throws {
    let entry = { (name: String, isDirectory: Bool) in
      DirectoryEntry(name: [0x6C, 0xFF] + Array(name.utf8), isDirectory: isDirectory)
    }
    #expect(try lists("locked", locked: [entry(".json", false)]) == [])
    for (found, path) in [(entry(".jsonl", false), "locked/l\\xFF.jsonl"), (entry("", true), "locked/l\\xFF")] {
      #expect(throws: ListDirectory.Failure(path: path, reason: .notUTF8)) { try lists("locked", locked: [found]) }
    }
  }

  @Test("A directory below that cannot be read is named")
  func failure() {
    #expect(throws: ListDirectory.Failure(path: "d/locked", reason: .unreadable("Permission denied"))) {
      try lists("d")
    }
  }
}
