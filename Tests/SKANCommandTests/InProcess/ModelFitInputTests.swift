import SKANCommand
import Testing

@Suite("skan model fit: input that says nothing")
struct ModelFitInputTests {
  private static let head = "device,time,name,revenue,currency\n"
  /// A device that spends, does something else, and does one thing only after its first 48 hours.
  private static let rows =
    (0..<20).map { "d\($0),1767225600,install,,\nd\($0),1767225700,buy,5,USD\nd\($0),1767225800,tutorial,,\n" }.joined()
    + "d0,1776225700,late,,\n"

  @Test(
    "An event that no device has in time: the nearest name, or that it comes later; the input is not named again",
    arguments: [
      ("tutorail", "did you mean \"tutorial\"?"),
      ("late", "the input has it, later or of devices whose beginning it lacks"),
      ("zzzz", "is that its name?"),
    ])
  func event(name: String, advice: String) {
    let world = World()
    world["events.csv"] = Self.head + Self.rows
    #expect(
      world.run("model fit --values 3 --events \(name) events.csv")
        == Consequences(
          .badData,
          err: "skan: events.csv: read with preset plain, by its columns\n"
            + "skan: no device has the event \"\(name)\" in its first 48 hours; \(advice)\n"))
    world.set { $0.input = Self.head + Self.rows }
    #expect(
      world.run("model fit --quiet --values 3 --events \(name) -")
        == Consequences(
          .badData, err: "skan: no device has the event \"\(name)\" in its first 48 hours; is that its name?\n"))
  }

  @Test(
    "Devices without a beginning, and revenue without a rate",
    arguments: [
      (
        "a,1767225700,buy,5,USD\n",
        "there is no device to fit to: the beginning of all 1 is not in the input; --start-at-first-row begins with "
          + "their first row"
      ),
      (
        "a,1767225600,install,,\na,1767225700,buy,5,EUR\n",
        "1 row with revenue in EUR cannot be converted to USD: --rates FILE gives a rate, --report-currency EUR fits in EUR"
      ),
    ])
  func nothing(rows: String, message: String) {
    let world = World()
    world["events.csv"] = Self.head + rows
    #expect(
      world.run("model fit --quiet --values 3 events.csv") == Consequences(.badData, err: "skan: \(message)\n"))
  }
}
