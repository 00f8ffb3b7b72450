import Foundation
import Testing

/// A directory of its own for one test, removed with everything in it at the end; the executable runs in it.
final class Workspace: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("skan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func callAsFunction(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The text of a file; nil when there is none. Setting nil changes nothing.
  subscript(name: String) -> String? {
    (try? Data(contentsOf: self(name))).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: self(name)) }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  var state: String? { self["skan-state.json"] }

  /// The device file, as ``Changes`` compares it.
  var files: [String: [UInt8]] { state.map { [Changes.state: Array($0.utf8)] } ?? [:] }

  /// A device file of a registered phone in virtual time.
  static func registered(_ options: String...) throws -> Workspace {
    let workspace = try Workspace()
    let run = try workspace.run(["register", "--at", "2026-01-01T00:00:00Z"] + options)
    try #require(run.code == 0, "\(run)")
    return workspace
  }
}
