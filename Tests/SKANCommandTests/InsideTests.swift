import Foundation
import SKANDevice
import SKANHTTP
import SKANReceive
import SKANSigning
import SKANSystem
import TestSupport
import Testing

@testable import SKANBase
@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANRun
@testable import SKANServe

/// The article "Inside": its picture of the module layers is drawn from `Package.swift`, and its files exist.
@Suite("The article Inside")
struct InsideTests {
  static let path = "Sources/skan/skan.docc/layers.svg"

  @Test("The picture has the modules and imports of Package.swift")
  func picture() throws {
    let picture = try Self.picture(package: Manual.text(of: "Package.swift"))
    if try ExpectedFiles.update({ try Manual.rewrite(Self.path) { _ in picture } }) { return }
    #expect(try Manual.text(of: Self.path) == picture, "SKAN_UPDATE_EXPECTED=1 draws it again")
  }

  @Test("Another import changes the picture")
  func change() throws {
    let package = try Manual.text(of: "Package.swift")
    let other = package.replacing(#"["SKANBase", "SKANSystem", "SKANDevice", "SKANHTTP"]"#, with: #"["SKANBase"]"#)
    #expect(other != package)
    #expect(try Self.picture(package: other) != Self.picture(package: package))
  }

  @Test("The files that the article names exist")
  func files() throws {
    let files = Manual.codes(in: try Manual.article("Inside")).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 30)
    for file in files {
      #expect(FileManager.default.fileExists(atPath: Checkout.root.appending(path: "Sources/\(file)").path), "\(file)")
    }
  }

  /// A row for each layer, an arrow from each layer to the one below, and beside them `skan-http` with an arrow to each
  /// module that it imports.
  static func picture(package: String) throws -> String {
    // The arrows between rows are right while every module imports all layers below its own.
    try #require(package.contains("name: name, dependencies: modules(below: layer), "))
    let helper = try #require(package.firstMatch(of: /name: "skan-http", dependencies: \[([^\]]+)\]/)).output.1
      .matches(of: /"(\w+)"/).map { String($0.output.1) }
    let layers = Dictionary(grouping: PackageLayers.all, by: \.layer).sorted { $0.key > $1.key }.map(\.value)
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="720" height="\(layers.count * 60 + 20)" role="img" \
      font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" text-anchor="middle">
      <title>The module layers of skan</title>
      <desc>Each module imports only modules of lower layers.</desc>
      <style>
      .ground { fill: #fff } .layer { fill: #f0f1f3 } .module { fill: #fff; stroke: #6b7280 } text { fill: #111827 }
      .arrow { stroke: #4b5563; fill: none } .head { fill: #4b5563 }
      @media (prefers-color-scheme: dark) {
      .ground { fill: #17191c } .layer { fill: #25292e } .module { fill: #17191c; stroke: #8b949e } text { fill: #e6edf3 }
      .arrow { stroke: #9aa4af } .head { fill: #9aa4af }
      }
      </style>
      <defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
      <path class="head" d="M0 0 8 4 0 8z"/></marker></defs>
      <rect class="ground" width="100%" height="100%"/>

      """
    func add(_ line: String) { svg += line + "\n" }
    func arrow(_ path: String, _ style: String = "") {
      add(#"<path class="arrow"\#(style) marker-end="url(#head)" d="\#(path)"/>"#)
    }
    func module(_ name: String, x: Int, y: Int) {
      add(#"<rect class="module" x="\#(x)" y="\#(y + 5)" width="140" height="30" rx="4"/>"#)
      add(#"<text x="\#(x + 70)" y="\#(y + 25)">\#(name)</text>"#)
    }
    var helped: [(x: Int, y: Int)] = []
    for (row, modules) in layers.enumerated() {
      let y = 10 + row * 60
      add(#"<rect class="layer" x="10" y="\#(y)" width="500" height="40" rx="6"/>"#)
      add(#"<text x="24" y="\#(y + 25)">\#(layers.count - row)</text>"#)
      if row > 0 { arrow("M270 \(y - 20)V\(y)") }
      // Mirrored, so that SKANHTTP stands beside skan-http.
      for (column, each) in modules.reversed().enumerated() {
        let x = 275 - modules.count * 75 + column * 150
        module(each.module, x: x, y: y)
        if helper.contains(each.module) { helped.append((x + 140, y + 20)) }
      }
    }
    module("skan-http", x: 570, y: 10)
    arrow("M340 30H570", #" stroke-dasharray="4 3""#)
    add(#"<text x="540" y="24">starts</text>"#)
    for (x, y) in helped { arrow("M640 45V\(y)H\(x)") }
    return svg + "</svg>\n"
  }
}
