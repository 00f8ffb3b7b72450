import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Values of phones at the end of a list")
struct PhoneTallyTests {
  /// The phones of a list after its steps.
  private func tally(_ list: String) -> PhoneTally {
    let lists = ListRunner(StepRunner(), keepsNames: true)
    let reader = ListReader("l", ByteSource(Array(list.utf8)))
    let counter = SummaryObserver(
      ListPlan(includes: IncludePermission(folders: [], target: { $0 })), of: "l", isStrict: false, groupsFailures: true
    )
    let run = ListRun(reader, on: lists, observer: counter) { step in
      do throws(StepError) { return .ran(try lists.run(step)) } catch { return .failed(error) }
    }
    guard case .finished = run.run() else {
      Issue.record("not finished")
      return PhoneTally()
    }
    var tally = PhoneTally()
    for (index, name) in lists.names.enumerated() { tally.count(lists.phone(at: index), named: name) }
    return tally
  }

  private static let list = """
    {"op":"device","device":"a"}
    {"op":"device","device":"b"}
    {"op":"device","device":"organic","ad":false}
    {"op":"register","device":"a"}
    {"op":"session","device":"a","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2,"status":"ok"}}}
    {"op":"event","device":"a","name":"e","at":"+3d","answer":{"json":{"conversion_value":13,"skan_updated_coarse_value":0,"status":"ok"}}}
    {"op":"register","device":"b"}
    {"op":"register","device":"organic"}

    """

  @Test("What Apple holds: the first window's fine value, each window's coarse value, and none of an organic install")
  func values() {
    let tally = tally(Self.list)
    #expect(tally.phones == 3 && tally.withoutFine == 1)
    #expect(tally.fine.enumerated().filter { $1 > 0 }.map { "\($0):\($1)" } == ["0:1", "12:1"])
    #expect(tally.coarse[.p0] == [2, 0, 0, 1])
    #expect(tally.coarse[.p1] == [2, 1, 0, 0] && tally.coarse[.p2] == [3, 0, 0, 0])
  }

  @Test("Postbacks by window, state and value, as of each phone's last step")
  func postbacks() {
    let rows = tally(Self.list).sortedPostbacks.map { kind, count in
      "P\(kind.window.rawValue) \(kind.state.rawValue) \(kind.value.text ?? "-") \(count)"
    }
    #expect(
      rows == [
        "P0 open fine 0 1", "P0 scheduled fine 12 1", "P1 open coarse low 1", "P1 open - 1", "P2 open - 2",
      ])
  }

  @Test("The sum of two is that of all phones")
  func sum() {
    var sum = tally(Self.list)
    let one = sum
    sum += one
    #expect(sum.phones == 6 && sum.fine[12] == 2 && sum.withoutFine == 2 && sum.coarse[.p1] == [4, 2, 0, 0])
    #expect(sum.sortedPostbacks.map(\.count) == one.sortedPostbacks.map { $0.count * 2 })
  }
}
