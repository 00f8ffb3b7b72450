import Foundation
import SKANBase
import SKANSystem
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Spellings of what a run reads")
struct SpellingTests {
  @Test("A step of every operation, whatever the spelling of its JSON", arguments: JSONSpelling.allCases)
  func steps(spelling: JSONSpelling) throws {
    var random = RandomStep(seed: 11)
    for _ in Rounds.of(60) {
      let line = random.line()
      // An answer of JSON and what may be a variable are taken as they are written, and include is no step.
      if ["\"json\":", "\"include\"", "${", #"$\u007b"#].contains(where: { line.contains($0) }) { continue }
      let spelled = spelling.apply(line)
      if spelling == .byteOrderMark {
        #expect(problems(spelled) == ["not JSON: a byte order mark does not belong here"])
      } else {
        #expect(try fullStep(spelled).facts == fullStep(line).facts, "\(spelled)")
      }
    }
  }

  @Test("A list in every spelling of a text of lines", arguments: LineSpelling.allCases)
  func lists(spelling: LineSpelling) throws {
    for list in FixtureListTests.lists.prefix(6) {
      let bytes = try Data(contentsOf: FixtureListTests.fixtures.appending(path: list))
      let text = String(decoding: bytes, as: UTF8.self)
      let spelled = ListReader("list", ByteSource(spelling.apply(text)), ListReader.Options())
      let lines = try readAll(spelled)
      let plain = try read(text)
      #expect(lines.map { $0.step?.facts } == plain.map { $0.step?.facts }, "\(list)")
      #expect(lines.map { $0.problems.map(\.problem.message) } == plain.map { $0.problems.map(\.problem.message) })
    }
  }

  @Test(
    "A device file, and a dump of what the app keeps",
    arguments: JSONSpelling.allCases.filter { $0 != .byteOrderMark })
  func files(spelling: JSONSpelling) throws {
    let results = try runList([
      #"{"op":"device","idfv":"V \"é\" 😀","ios":"17.4"}"#, #"{"op":"register"}"#,
      #"{"op":"revenue","amount":9.99,"currency":"USD"}"#,
      #"{"op":"session","after":"1h","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1}}}"#,
    ])
    let device = try #require(results.last).device
    let file = DeviceFile(device: device)
    let text = JSONWriter.text(try JSONReader.read(Array(file.text.utf8)).value)
    #expect(try DeviceFile(Array(spelling.apply(text).utf8)) == file)
    let dump = JSONWriter.text(try SkanDetails(of: device.kept, in: .v2).json)
    #expect(try DetailsDump.read(Array(spelling.apply(dump).utf8)) == device.kept)
  }
}
