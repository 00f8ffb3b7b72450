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

/// Each table of the manual holds facts of the code, and a test compares them, or it is prose.
@Suite("The facts of the manual's tables")
struct ManualFactTests {
  /// Tables of which a column names exactly what a table of the code has, in any order.
  static let facts: [(table: String, column: Int, expected: [String])] = [
    ("PostbackFields: kid | Verdict's key | Where it comes from", 0, Array(AdAttributionKitKeys.apples.keys)),
    (
      "AdAttributionKit: Key | Value", 0,
      AdAttribution.keys.filter {
        !["version", "campaign", "source_app_id", "source_domain", "fidelity", "redownload"].contains($0)
      }
    ),
    ("Commands: Member | What it holds", 0, JSONForm.keys(of: HelpTable().json) + ["options"]),
    ("Endpoints: --endpoint | Who answers", 0, OptionRow.endpoint.values),
    (
      "FromTheSimulatorToThePhone: On the phone | What to look at | Setting", 2,
      FrameworkSetting.allCases.map(\.name).filter {
        ($0.hasPrefix("aak-") || $0.hasSuffix("-cooldown-hours"))
          && !["aak-nonwinner", "aak-reengagement-limit", "aak-cooldown"].contains($0)
      }
    ),
    ("Inside: Layer | Module | What it is", 1, PackageLayers.all.map(\.module)),
    ("Lists: op | Its own keys", 0, ListFormat.operations.map(\.name).filter { $0 != "include" }),
    ("Project: Key | What it holds", 0, ProjectReader.keys),
    ("Receiving: Key | What it says", 0, ReceivedRecord.keys.names),
    ("PostbackReports: Group | What it is", 0, ReportDimension.allCases.map(\.rawValue)),
  ]

  /// Tables that another test of this suite, or another suite, holds.
  private static let held = [
    // ManualTableTests.
    "Replay: Option | What it does", "Reports: Option of replay | What it writes",
    // ManualTests.promises and contents.
    "WhatYouCanRelyOn: Promise | Tested by", "README:  | ",
    // FolderTests, and below.
    "Inside: Folder | Holds", "Lists: Matcher | Met by", "Reports:  | JUnit | TAP | JSON",
    "Serving: Path | What it does", "WhatYouCanRelyOn: What | Bound",
  ]

  /// Tables without a fact that the code could have otherwise.
  private static let prose = [
    "Warehouses: Input | What is read",
    // Other vendors' exports, and the keys of a mapping file, which `skan help import` has from the reader.
    "Imports: Preset | Device | Time | Name | Revenue · currency | Install",
    "Imports: Preset | Sessions | Where the names of installs and sessions were read",
    "Imports: Preset | Columns of the system | Where they were read", "Imports: Key | Value",
    // The meaning of figures, and the end of a delivery.
    "APhoneOf2026: Who | Gets | When | Says of the user", "Backtesting: Figure | Meaning",
    "Backtesting: Part | Says | --merge refuses (65)",
    "DeliveringPostbacks: Ending | What follows",
    // Singular's guides as they were printed.
    "FromTheSimulatorToThePhone: Where | As printed | Change",
    "FromTheSimulatorToThePhone: Where | What happens | Change",
    // What Apple's settings show; nothing of them is seen here.
    "AdAttributionKit: The screen | Step | Command",
    "FromTheSimulatorToThePhone:  | *Development Postbacks* | Developer Mode and a development impression",
    // Measured.
    "Scale: Figure | Measured | On the slower machine", "Scale: Figure | Instructions", "Scale: Module | Noticed | Of",
  ]

  private let tables: [ManualTable]

  init() throws { tables = try ManualTable.everywhere() }

  private func table(_ name: String) throws -> ManualTable {
    try #require(tables.first { $0.description == name }, "\(name)")
  }

  @Test("Every table is made of the code, held by a test, or prose")
  func complete() throws {
    let known = Set(Self.facts.map(\.table) + Self.held + Self.prose)
    // A table of the behaviour reference may be prose without being named here.
    for name in try ManualTable.all().map(\.description) where ManualTables.generated[name] == nil {
      #expect(known.contains(name), "no test knows the table \(name)")
    }
    let names = Set(tables.map(\.description))
    for name in known { #expect(names.contains(name), "there is no table \(name)") }
  }

  @Test("A column names what the code has", arguments: ManualFactTests.facts.indices)
  func isComplete(index: Int) throws {
    let fact = Self.facts[index]
    #expect(try Set(table(fact.table).codes(column: fact.column)) == Set(fact.expected), "\(fact.table)")
  }

  @Test("Operations of lists have the keys of their rows")
  func operations() throws {
    let table = try table("Lists: op | Its own keys")
    let article = try Manual.article("Lists")
    for operation in ListFormat.operations {
      for key in operation.keys where operation.name != "event" || key == "name" {
        // Those of `include` are below the tables.
        let text = table.rows.first { Manual.codes(in: $0[0]).contains(operation.name) }?[1] ?? article
        #expect(text.contains("`\(key)`") || text.contains("\"\(key)\""), "\(operation.name): \(key)")
      }
    }
  }

  @Test("Other words for kinds of codes, and layers, stand in the right row")
  func rows() throws {
    for cells in try table("Explanations: Kind | Its codes | Also taken").rows {
      let kind = try #require(CodeKind(rawValue: Manual.codes(in: cells[0])[0]))
      for alias in kind.aliases { #expect(cells[2].contains("`\(alias).`"), "\(alias)") }
    }
    let layers = try table("Inside: Layer | Module | What it is").rows.map { "\($0[0]) \(Manual.codes(in: $0[1])[0])" }
    #expect(Set(layers) == Set(PackageLayers.all.map { "\($0.layer) \($0.module)" }))
  }

  @Test("Matchers are written as messages write them")
  func matchers() throws {
    let codes = try table("Lists: Matcher | Met by").rows.map { Manual.codes(in: $0[0])[0] }
    for matcher in Matcher.allCases {
      let start = matcher.example.split(separator: "…")[0]
      #expect(codes.contains { $0.hasPrefix(start) }, "\(matcher.example)")
    }
    #expect(codes.allSatisfy { code in Matcher.allCases.contains { code.contains("\"\($0.rawValue)\"") } })
  }

  @Test("Members of the table for programs have these keys")
  func members() throws {
    let form = SchemaName.help.json["anyOf"]?.elements?.first?["properties"]
    for cells in try table("Commands: Member | What it holds").rows {
      let name = Manual.codes(in: cells[0])[0]
      let owner = name == "options" ? form?["commands"]?["items"]?["properties"] : form
      guard let keys = owner?[name]?["items"]?["properties"].map(JSONForm.keys) else { continue }
      let named = Set(Manual.codes(in: cells[1]))
      // The keys of an option stand in a row of their own.
      #expect(Set(keys).subtracting(named) == [], "\(name)")
    }
  }

  @Test(
    "README and articles show the pages, whose pictures scripts/browser --readme takes",
    arguments: [("page", "Serving"), ("comparison", "ChoosingValues"), ("comparison-values", "ChoosingValues")])
  func picture(name: String, article: String) throws {
    let file = Checkout.root.appending(path: "Sources/skan/skan.docc/\(name).png")
    let bytes = try Data(contentsOf: file)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count < 200_000)
    #expect(try Manual.article(article).contains("](\(name).png)"))
    #expect(try Manual.text(of: "README.md").contains("](Sources/skan/skan.docc/page.png)"))
  }

  @Test("Paths of the server, with those of postbacks")
  func paths() throws {
    let paths = OpenAPI.document(withPostbacks: true)["paths"].map(JSONForm.keys) ?? []
    let named = try table("Serving: Path | What it does").codes().filter { $0.hasPrefix("/") }
    // One of them is with and without a slash at its end.
    func isSame(_ path: String) -> String { path.hasSuffix("/") ? String(path.dropLast()) : path }
    // The live page's own paths are for it alone, but for its address.
    #expect(Set(named.map(isSame)) == Set((paths + [OpenAPI.pagePaths[0].key]).map(isSame)))
  }

  @Test("Bounds")
  func bounds() throws {
    func size(_ bytes: Int) -> String { ByteSize(bytes: bytes).text }
    let expected = [
      "a device file": [size(AtomicFile.largestFile)],
      "a line of a list": [
        size(LineReader.longest), "gone on for \(size(LineReader.mostPassedOver))", "\(JSONReader.depthLimit) deep",
        "\(ListReader.mostNested) deep, \(ListReader.mostIncluded.grouped) in all",
      ],
      "an answer": [size(HTTPAnswerLimits.defaultBytes), "heads \(size(HTTPAnswerLimits.headBytes))"],
      "a request to `skan serve`": [
        size(PostbackIntake.longestBody), "\(ReferenceService.phoneLimit.grouped) phones", size(Journal.byteLimit),
      ],
      "a capture": [size(SpoolFile.defaultLimit)],
      "a packed capture or export": [PackedInputs.maxUnpacked.flag, "1 GiB"],
    ]
    let rows = try table("WhatYouCanRelyOn: What | Bound").rows
    for (name, texts) in expected {
      let row = try #require(rows.first { $0[0] == name }, "\(name)")
      for text in texts { #expect(row[1].contains(text), "\(name): \(text)") }
    }
    // These have no number.
    let others = ["memory of a replay", "an export of events"]
    #expect(Set(rows.map { $0[0] }) == Set(expected.keys).union(others))
  }

  @Test("Members of the JSON report that the table of reports names")
  func reports() throws {
    let keys = JSONForm.allKeys(in: SchemaName.replayReport.json)
    for code in try table("Reports:  | JUnit | TAP | JSON").codes(column: 3) { #expect(keys.contains(code), "\(code)") }
  }
}
