import Foundation
import TestSupport
import Testing

/// The folders of the module are layers, in the order of the table in the article "Inside".
@Suite("The folders of SKANDevice")
struct FolderTests {
  private let order: [String]
  /// The code of each file, without comments and texts, by its path in the module.
  private let code: [String: String]

  init() throws {
    let inside = Checkout.root.appending(path: "Sources/skan/skan.docc/Inside.md")
    let article = try String(contentsOf: inside, encoding: .utf8)
    let table = try #require(article.components(separatedBy: "| Folder | Holds |\n| --- | --- |\n").last)
    order = table.split(separator: "\n\n")[0].split(separator: "\n").map { String($0.split(separator: "`")[1]) }
    let module = Checkout.root.appending(path: "Sources/SKANDevice")
    var code: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: module.path) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: module.appending(path: path), encoding: .utf8)
      code[path] = text.replacing(/\/\/.*|"(?:\\.|[^"\\\n])*"/, with: "")
    }
    self.code = code
  }

  @Test("A file uses types of its own folder and of lower ones only")
  func layers() throws {
    let folders: [String] = code.keys.map { String($0.prefix { $0 != "/" }) }
    #expect(Set(folders) == Set(order))
    let layers = code.keys.map { path in (path, order.firstIndex { path.hasPrefix("\($0)/") } ?? -1) }
    var owners: [String: Int] = [:]
    for (path, layer) in layers {
      let declaration = /(?m)^(?:package |public |final |indirect |@\w+ )*(?:struct|enum|class|protocol) (\w+)/
      for match in (code[path] ?? "").matches(of: declaration) { owners[String(match.output.1)] = layer }
    }
    #expect(owners.count > 100)
    for (path, layer) in layers {
      for match in (code[path] ?? "").matches(of: /(?:^|[^.\w])([A-Z]\w+)/) {
        let owner = owners[String(match.output.1)] ?? layer
        #expect(owner <= layer, "\(path) uses \(match.output.1) of \(order[owner])")
      }
    }
  }
}
