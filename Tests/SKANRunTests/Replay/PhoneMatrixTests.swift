import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Phones of a matrix")
struct PhoneMatrixTests {
  private static func matrix(_ axes: String...) throws -> PhoneMatrix {
    try #require(PhoneMatrix(axes.map { try PhoneMatrix.Axis.read($0).get() }))
  }

  /// Runs a list on each phone of a matrix.
  private static func comparison(
    _ lines: [String], _ matrix: PhoneMatrix, mostSteps: Int = MatrixObserver.mostSteps
  ) throws -> MatrixComparison {
    var comparison = MatrixComparison(matrix)
    var runs: [MatrixRun] = []
    for cell in matrix.cells {
      var options = ListReader.Options()
      options.varies = cell
      let observer = MatrixObserver(.init(path: "l", name: "l [\(cell.name)]"), mostSteps: mostSteps)
      let reader = ListReader("l [\(cell.name)]", ByteSource(Array(lines.joined(separator: "\n").utf8)), options)
      let phones = ListPhones(StepRunner(), varies: cell)
      let run = ListRun(reader, on: phones, observer: observer) { step in
        do throws(StepError) { return .ran(try phones.run(step)) } catch { return .failed(error) }
      }
      guard case .finished = run.run() else { throw SourceProblems([SourceProblem("it did not run", at: 0..<0)]) }
      runs.append(observer.run)
    }
    comparison.add("l", runs, runs.map { _ in [] })
    return comparison
  }

  private static func rows(_ comparison: MatrixComparison) -> [String] {
    comparison.part.rows.map { $0.filter { !$0.isEmpty }.joined(separator: " | ") }
  }

  @Test("Every combination, in the order of the axes")
  func cells() throws {
    let matrix = try Self.matrix("ios=14.8,16.4", "snippet=skan3,skan4")
    #expect(
      matrix.cells.map(\.name) == [
        "ios=14.8 snippet=skan3", "ios=14.8 snippet=skan4", "ios=16.4 snippet=skan3", "ios=16.4 snippet=skan4",
      ])
  }

  @Test("A hundred phones are the most")
  func most() throws {
    let ten = try PhoneMatrix.Axis.read("app_version=\((0..<10).map(String.init).joined(separator: ","))").get()
    let more = { (count: Int) in
      try PhoneMatrix.Axis.read("bundle_id=\((0..<count).map(String.init).joined(separator: ","))").get()
    }
    #expect(PhoneMatrix([ten, try more(10)])?.cells.count == 100)
    #expect(PhoneMatrix([ten, try more(11)]) == nil)
  }

  @Test("Each key sets its value and shows it again", arguments: PhoneKey.names)
  func keys(name: String) throws {
    let key = try #require(PhoneKey(name))
    let setting = FrameworkSetting.allCases.first { $0.name == name }
    let values =
      setting?.values ?? ["ios": ["14.8"], "snippet": ["skan3"], "build": ["development"], "clock": ["developer"]][name]
      ?? ["x"]
    for value in values {
      var profile = DeviceProfile(idfv: nil)
      #expect(key.set(value, in: &profile) == nil)
      #expect(key.text(in: profile) == value)
      #expect(PhoneKey(name)?.set("", in: &profile) != nil || values == ["x"])
    }
  }

  @Test("The usual ad follows the clock, and a given one stays")
  func clock() throws {
    let key = try #require(PhoneKey("clock"))
    var profile = DeviceProfile(idfv: nil)
    #expect(key.set("developer", in: &profile) == nil && profile.ad?.productionApp == nil)
    profile = DeviceProfile(idfv: nil)
    profile.ad?.network = "mine"
    #expect(key.set("developer", in: &profile) == nil && profile.ad?.productionApp != nil)
  }

  @Test("Outcomes and requests that differ, and the phones by the keys that decide")
  func differences() throws {
    let lines = [
      #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":5}}}"#, #"{"op":"details"}"#,
    ]
    let matrix = try Self.matrix("ios=14.8,16.4,17.4", "snippet=skan3,skan4")
    #expect(
      Self.rows(try Self.comparison(lines, matrix)) == [
        "l:1  register | outcome | ios=14.8 snippet=skan3; ios=16.4,17.4 | registered",
        "ios=14.8 snippet=skan4 | ios-too-old",
        "l:2  session | outcome | ios=14.8 snippet=skan3; ios=16.4,17.4 | updated",
        "ios=14.8 snippet=skan4 | not-registered",
        "l:2  session | request | snippet=skan3 | /api/v1/conversion_value?conversion_value="
          + "&total_revenue_by_currency={}&first_call_to_skadnetwork_timestamp=1767225600"
          + "&last_call_to_skadnetwork_timestamp=1767225600",
        "ios=14.8 snippet=skan4 | none",
        "ios=16.4,17.4 snippet=skan4 | /api/v2/conversion_value?skan_current_conversion_value=0"
          + "&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600",
      ])
  }

  @Test("What the phone itself decides is no difference of requests")
  func ownParameters() throws {
    let lines = [#"{"op":"register"}"#, #"{"op":"session"}"#]
    let comparison = try Self.comparison(lines, try Self.matrix("app_version=1,2", "bundle_id=a,b"))
    #expect(comparison.differences.isEmpty)
    #expect(comparison.lines == ["Where the phones differ: 2 steps compared on 4 phones: no difference."])
  }

  @Test("A list's own phone has the matrix's value, and an update of the list counts from there")
  func declared() throws {
    let lines = [#"{"op":"device","ios":"17.4"}"#, #"{"op":"register"}"#]
    #expect(
      Self.rows(try Self.comparison(lines, try Self.matrix("ios=14.8,17.4"))) == [
        "l:2  register | outcome | ios=14.8 | ios-too-old", "ios=17.4 | registered",
      ])
  }

  @Test("A step that only some phones ran, and steps beyond the most that are compared")
  func uncompared() throws {
    let lines = [#"{"op":"register"}"#, #"{"op":"session"}"#, #"{"op":"details"}"#]
    let matrix = try Self.matrix("ios=16.4,17.4")
    #expect(
      try Self.comparison(lines, matrix, mostSteps: 3).lines == [
        "Where the phones differ: 3 steps compared on 2 phones: no difference."
      ])
    #expect(
      try Self.comparison(lines, matrix, mostSteps: 2).lines == [
        "Where the phones differ: 2 steps compared on 2 phones; 1 step after them not compared: no difference."
      ])
    let one = try Self.comparison([lines[0]], matrix)
    #expect(one.differences.isEmpty)
  }

  @Test(
    "On which phones an expectation is checked",
    arguments: [
      (#"{"ios":">=16.4"}"#, ["16.4", "17.4"]), (#"{"ios":">16.4"}"#, ["17.4"]),
      (#"{"ios":"<=16.4"}"#, ["14.8", "16.4"]),
      (#"{"ios":"<16.4"}"#, ["14.8"]), (#"{"ios":"16.4"}"#, ["16.4"]), (#"{"ios":"=16.4"}"#, ["16.4"]),
      (#"{"ios":">=9.9"}"#, ["14.8", "16.4", "17.4"]), (#"{"ios":">=16.4","snippet":"skan3"}"#, []),
      (#"{"snippet":"skan4","clock-start":"first_update"}"#, ["14.8", "16.4", "17.4"]),
    ])
  func conditions(condition: String, expected: [String]) throws {
    let given = try step(#"{"op":"details","expect":{"when":\#(condition),"outcome":"read"}}"#)
    let found = try ["14.8", "16.4", "17.4"].filter { ios in
      var profile = DeviceProfile(idfv: nil)
      profile.ios = try #require(IOSVersion(ios))
      let result = StepResult(
        step: given, at: .listStart, endedAt: .listStart, report: StepReport(), device: Device(profile))
      return try #require(given.expectations.verdicts(on: ShownResult(result), isInterrupted: { false })).count == 1
    }
    #expect(found == expected)
  }
}
