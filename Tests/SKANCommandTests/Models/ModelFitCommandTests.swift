import SKANBase
import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("skan model fit")
struct ModelFitCommandTests {
  /// Each device spends one amount of these, in one purchase, and some finish the tutorial.
  private static let amounts = ["0.99", "4.99", "4.99", "9.99", "49.99"]

  private static func list(devices: Int) -> String {
    (0..<devices).map { index in
      let device = #""device":"user-\#(index)""#
      var lines = [#"{"op":"device",\#(device)}"#, #"{"op":"register",\#(device),"at":"2026-05-01T00:00:00Z"}"#]
      if index % 2 == 0 { lines.append(#"{"op":"event","name":"tutorial",\#(device),"after":"1h"}"#) }
      if index % 3 == 0 {
        lines.append(
          #"{"op":"revenue","amount":\#(amounts[index / 3 % amounts.count]),"currency":"USD",\#(device),"after":"2h"}"#)
        lines.append(#"{"op":"event","name":"purchase",\#(device),"after":"1s"}"#)
      }
      return lines.joined(separator: "\n") + "\n"
    }.joined()
  }

  private func world() -> World {
    let world = World()
    // A phone that begins when the others have ended their windows, and is too young to count.
    let late =
      #"{"op":"device","device":"late"}"# + "\n" + #"{"op":"register","device":"late","at":"2026-07-01T00:00:00Z"}"#
    world["events.jsonl"] = Self.list(devices: 120) + "\(late)\n"
    return world
  }

  private func number(_ text: String, _ path: String...) throws -> Int64 {
    var node: JSONNode? = try JSONReader.read(Array(text.utf8))
    for key in path { node = node?.member(key) }
    guard case .integer(let number)? = node?.content else {
      Issue.record("no number at \(path): \(text.prefix(200))")
      return 0
    }
    return number
  }

  @Test("The model is sound, and a backtest finds the error that was promised, whatever the order and the threads")
  func promise() throws {
    let world = world()
    let quiet = world.run("model fit --values 5 --events tutorial events.jsonl -o model.json -q")
    #expect(quiet.code == .ok && quiet.out == "" && quiet.err == "")
    // Nobody pays after the first window, so that nothing can be fitted there.
    #expect(world.run("model check model.json").out.hasPrefix("model.json: 2 warnings; "))
    // Without coarse values, nothing but that is wrong with it.
    #expect(world.run("model fit --values 5 --coarse none events.jsonl -o fine.json").code == .ok)
    let check = world.run("model check --strict fine.json")
    #expect(check.code == .expectationFailed && check.out.hasPrefix("fine.json: 1 warning; "))
    #expect(check.err.hasPrefix("fine.json:1:1: warning: there is no coarse value: "))
    let report = world.run("model fit --values 5 --events tutorial events.jsonl --json").out
    let fitted = try number(report, "errors", "this_model", "fitted_error_micros")
    let promised = try fitted + number(report, "errors", "this_model", "held_out_error_micros")
    #expect(promised > 0)
    let backtest = world.run("backtest --model model.json events.jsonl --json").out
    #expect(try number(backtest, "total", "with_model", "error_micros") == promised)
    for rival in ["quantiles", "log_equal", "k_means"] {
      #expect(try number(report, "errors", rival, "fitted_error_micros") >= fitted)
    }
    #expect(try number(report, "held_out", "devices") > 10)
    let lines = try #require(world["events.jsonl"]).split(separator: "\n")
    let devices = Dictionary(grouping: lines) { $0.split(separator: #""device":""#)[1].prefix { $0 != "\"" } }
    world["events.jsonl"] = devices.sorted { $0.key > $1.key }.flatMap(\.value).joined(separator: "\n")
    // Apart from the hash of the input.
    let hash = /"fitted_to":"[0-9a-f]{16}"/
    let other = world.run("model fit --values 5 --events tutorial events.jsonl --json --jobs 3").out
    #expect(other.replacing(hash, with: "") == report.replacing(hash, with: "") && other != report)
  }

  @Test("Round boundaries cost what a backtest finds")
  func round() throws {
    let world = world()
    let report = world.run("model fit --values 3 --round 0.5 events.jsonl --json").out
    #expect(world.run("model fit --values 3 --round 0.5 events.jsonl -q -o model.json").code == .ok)
    let starts = try #require(world["model.json"]).split(separator: "\n").filter {
      $0.contains("\"min_event_revenue\"")
    }
    .compactMap { Double($0.split(separator: " ")[1].filter { $0 != "," }) }
    #expect(starts.count == 6 && starts.allSatisfy { $0 * 2 == ($0 * 2).rounded() }, "\(starts)")
    let fitted = try number(report, "errors", "this_model", "fitted_error_micros")
    #expect(try fitted > number(report, "errors", "without_rounding", "fitted_error_micros"))
    let backtest = world.run("backtest --model model.json events.jsonl --json").out
    let promised = try fitted + number(report, "errors", "this_model", "held_out_error_micros")
    #expect(try number(backtest, "total", "with_model", "error_micros") == promised)
  }

  @Test("Several numbers of values: their errors, as each alone has it, and no model")
  func choices() throws {
    let world = world()
    let run = world.run("model fit --values 2,4 events.jsonl")
    #expect(run.code == .ok && run.changes == [])
    let table = run.out.split(separator: "\n").drop { !$0.hasPrefix("Total error by number of values") }.dropFirst(2)
    let rows: [[Substring]] = table.map { $0.split(separator: " ") }
    let alone: [[Substring]] = ["2", "4"].map { count in
      let lines = world.run("model fit --values \(count) events.jsonl -o \(count).json").out.split(separator: "\n")
      return (lines.first { $0.hasPrefix("  this model") } ?? "").split(separator: " ").dropFirst(2).map(\.self)
    }
    #expect(rows == alone)
    let json = world.run("model fit --values 2,4 events.jsonl --json").out
    #expect(json.contains(#""choices":[{"error":{"boundaries_micros":["#))
  }

  /// Each device pays 0.99 in its first hours, and some 4.99 on the second day; some finish the tutorial before.
  private func twoDays() -> World {
    let world = World()
    world["events.jsonl"] =
      (0..<60).map { index in
        let device = #""device":"user-\#(index)""#
        var lines = [#"{"op":"device",\#(device)}"#, #"{"op":"register",\#(device),"at":"2026-05-01T00:00:00Z"}"#]
        if index % 2 == 0 { lines.append(#"{"op":"event","name":"tutorial",\#(device),"after":"1h"}"#) }
        for (amount, hours) in [("0.99", 2), ("4.99", 30)] where index % (hours / 2) == 0 {
          lines.append(#"{"op":"revenue","amount":\#(amount),"currency":"USD",\#(device),"after":"\#(hours)h"}"#)
          lines.append(#"{"op":"event","name":"purchase",\#(device),"after":"1s"}"#)
        }
        return lines.joined(separator: "\n") + "\n"
      }.joined() + #"{"op":"device","device":"late"}"# + "\n"
      + #"{"op":"register","device":"late","at":"2026-07-01T00:00:00Z"}"# + "\n"
    return world
  }

  @Test("With fewer hours the model measures them, and a backtest finds the promised error of the whole window")
  func hours() throws {
    let world = twoDays()
    let report = world.run("model fit --values 3 --window-hours 24 events.jsonl --json").out
    #expect(world.run("model fit --values 3 --window-hours 24 events.jsonl -q -o model.json").code == .ok)
    #expect(world["model.json"]?.contains(#""measurement_window_hours": 24"#) == true)
    guard case .array(let windows)? = try JSONReader.read(Array(report.utf8)).member("whole_windows")?.content,
      case .integer(let promised)? = windows[0].member("fine_error_micros")?.content
    else { return #expect(Bool(false), "\(report)") }
    let backtest = world.run("backtest --model model.json events.jsonl --json").out
    // Four pay 4.99 after the first 24 hours.
    #expect(try number(backtest, "total", "with_model", "error_micros") == promised && promised >= 4 * 4_990_000)
    let table = world.run("model fit --values 2,3 --least-devices 1 --window-hours 48,24 events.jsonl").out.split(
      separator: "\n"
    )
    .drop { !$0.hasPrefix("Total error by hours and number of values") }.dropFirst(2)
    .map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    // Two sums are paid in 48 hours, and one in 24.
    #expect(table == ["48 2", "48 2", "24 1", "24 1"])
  }

  @Test("Events with weights share the values with revenue, and what is not told counts")
  func weights() throws {
    let world = twoDays()
    let dear = world.run("model fit --values 2 --least-devices 1 --events tutorial=9 events.jsonl --json").out
    #expect(dear.contains(#""events":["tutorial"],"fitted_error_micros""#))
    // Not told of the two that pay so much that the value of revenue is better.
    #expect(try number(dear, "errors", "this_model", "fitted_events_error_micros") == 18_000_000)
    #expect(try number(dear, "errors", "quantiles", "fitted_events_error_micros") == 243_000_000)
    let cheap = world.run("model fit --values 2 --least-devices 1 --events tutorial=0.01 events.jsonl --json").out
    #expect(cheap.contains(#""events":[],"fitted_error_micros""#))
    #expect(try number(cheap, "errors", "this_model", "fitted_events_error_micros") > 0)
    let alone = world.run("model fit --values 5 --events tutorial=1,purchase=2 --no-revenue events.jsonl -o model.json")
    #expect(alone.code == .ok && !alone.out.contains("quantiles"))
    let model = try #require(world["model.json"])
    // All purchase, so that a value of the tutorial would tell less of each.
    #expect(!model.contains("__REVENUE__") && !model.contains("tutorial") && model.contains("purchase"))
    #expect(world.run("model check model.json").code == .ok)
  }

  @Test("Shares of tiers give an expected error, which the model's description states")
  func tiers() throws {
    let world = twoDays()
    let run = world.run("model fit --values 3 --tiers 0.2,0.3,0.3,0.2 events.jsonl -o model.json")
    #expect(
      run.code == .ok
        && run.out.contains("Expected total error with 0.2, 0.3, 0.3, 0.2 of the installs in tiers 0, 1, 2, 3"))
    let explained = world.run("model explain model.json").out
    #expect(explained.hasPrefix("Fitted by skan to "))
    #expect(
      explained.contains(
        "With 0.2, 0.3, 0.3, 0.2 of the installs in tiers 0, 1, 2, 3 the expected total error of all three postbacks is "
      ))
    let share = try #require(
      run.out.split(separator: "\n").last { $0.hasPrefix("  all ") }?.split(separator: " ").suffix(2).joined(
        separator: " "))
    #expect(explained.contains(" is \(share) of revenue.") && share != "0.0 %")
    #expect(world.run("model check model.json").code == .ok)
    // The description is no difference.
    #expect(world.run("model fit --values 3 events.jsonl -q -o plain.json").code == .ok)
    #expect(world.run("model diff model.json plain.json").code == .ok)
  }

  @Test("The model goes to standard output, the report to stderr; with -o the report to standard output")
  func streams() throws {
    let world = world()
    let printed = world.run("model fit --values 3 --least-devices 1 events.jsonl")
    #expect(printed.code == .ok && printed.err.hasPrefix("101 devices fitted, 19 held out: one of 5"), "\(printed.err)")
    world["printed.json"] = printed.out
    let written = world.run("model fit --values 3 --least-devices 1 events.jsonl -o model.json")
    #expect(written.err == "" && written.out == printed.err)
    #expect(world["model.json"] == printed.out)
    #expect(written.out.contains("  this model       3  "))
  }

  @Test(
    "What is refused",
    arguments: [
      ("", .usage, "say how many values stand for revenue: --values K"),
      (
        "--values 64", .usage,
        "--values must be a whole number from 1 to 63, or several with commas between them, it is \"64\""
      ),
      (
        "--values 3,", .usage,
        "--values must be a whole number from 1 to 63, or several with commas between them, it is \"3,\""
      ),
      ("--values 3,3", .usage, "--values: 3 is named twice"),
      ("--values 2,62 --events a,b", .usage, "62 values of revenue and 2 of events are more than the 63 there are"),
      (
        "--values 2,3 -o m.json", .usage,
        "several numbers of values are compared, and no model is written: give --output one of them"
      ),
      (
        "--values 3 --window-hours 0", .usage,
        "--window-hours must be a whole number of hours from 1 to 840, or several with commas between them, it is \"0\""
      ),
      (
        "--values 3 --window-hours 841", .usage,
        "--window-hours must be a whole number of hours from 1 to 840, or several with commas between them, it is \"841\""
      ),
      ("--values 3 --window-hours 24,24", .usage, "--window-hours: 24 is named twice"),
      (
        "--values 3 --window-hours 24,48 -o m.json", .usage,
        "several numbers of hours are compared, and no model is written: give --output one of them"
      ),
      (
        "--values 3 --window-hours 2", .badData,
        "no device has revenue in its first 2 hours, apart from those that are held out: there is nothing to fit"
      ),
      (
        "--values 3 --tiers 0.2,0.3,0.5", .usage,
        "--tiers must be four shares of installs, of tiers 0 to 3, with the sum 1, such as 0.2,0.3,0.3,0.2, it is \"0.2,0.3,0.5\""
      ),
      (
        "--values 3 --tiers 20,30,30,20", .usage,
        "--tiers must be four shares of installs, of tiers 0 to 3, with the sum 1, such as 0.2,0.3,0.3,0.2, it is \"20,30,30,20\""
      ),
      (
        "--values 3 --tiers a,b,c,d", .usage,
        "--tiers must be four shares of installs, of tiers 0 to 3, with the sum 1, such as 0.2,0.3,0.3,0.2, it is \"a,b,c,d\""
      ),
      (
        "--values 3 --events a=0", .usage,
        "--events: \"a=0\": the weight must be an amount above 0, such as 0.5, with at most six decimals"
      ),
      ("--values 3 --events a=1,b", .usage, "--events: \"b\" has no weight: give each event one, or none"),
      ("--values 3 --events a=1,a=2", .usage, "--events: \"a\" is named twice"),
      (
        "--values 3 --events a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1", .usage,
        "--events: 9 events have weights, and at most 8 may"
      ),
      (
        "--values 3 --no-revenue", .usage,
        "--no-revenue leaves all values to events: give --events with weights, such as level_5=2"
      ),
      (
        "--values 3 --no-revenue --events a", .usage,
        "--no-revenue leaves all values to events: give --events with weights, such as level_5=2"
      ),
      (
        "--values 3 --no-revenue --events a=1 --round 1", .usage,
        "--round is about boundaries of revenue, which --no-revenue leaves out"
      ),
      (
        "--values 3 --no-revenue --events a=1 --least-width 2%", .usage,
        "--least-width is about ranges of revenue, which --no-revenue leaves out"
      ),
      (
        "--values 3 --least-width 0%", .usage,
        "--least-width must be a percentage above 0 such as 1%, or an amount above 0 such as 0.05, it is \"0%\""
      ),
      (
        "--values 3 --least-width 100.01%", .usage,
        "--least-width must be a percentage above 0 such as 1%, or an amount above 0 such as 0.05, it is \"100.01%\""
      ),
      (
        "--values 3 --least-devices 0", .usage,
        "--least-devices must be a percentage above 0 such as 1%, or a number of devices from 1 on, it is \"0\""
      ),
      (
        "--values 3 --least-devices 2.5", .usage,
        "--least-devices must be a percentage above 0 such as 1%, or a number of devices from 1 on, it is \"2.5\""
      ),
      ("--values 3 --coarse some", .usage, "--coarse must be one of auto, none, it is \"some\""),
      ("--values 3 --coarse Auto", .usage, "--coarse must be one of auto, none, it is \"Auto\"; did you mean auto?"),
      ("--values 3 --coarse low", .usage, "--coarse must be one of auto, none, it is \"low\""),
      (
        "--values 3 --round 0", .usage,
        "--round must be an amount above 0, such as 0.5, with at most six decimals, it is \"0\""
      ),
      (
        "--values 3 --round 0.0000001", .usage,
        "--round must be an amount above 0, such as 0.5, with at most six decimals, it is \"0.0000001\""
      ),
      (
        "--values 3 --round 0,5", .usage,
        "--round must be an amount above 0, such as 0.5, with at most six decimals, it is \"0,5\""
      ),
      (
        "--values 3 --round 100", .badData,
        "no multiple of 100 can be a boundary: fewer than 5 fitted devices have that much revenue in the first 48 "
          + "hours, or the "
          + "multiples are at prices that single precision cannot hold; give a smaller --round"
      ),
      ("--values 62 --events a,b", .usage, "62 values of revenue and 2 of events are more than the 63 there are"),
      ("--values 3 --events a,a", .usage, "--events: \"a\" is named twice"),
      ("--values 3 --events a,", .usage, "--events: \"\": The event name is empty."),
      ("--values 3 --events __REVENUE__", .usage, "--events: __REVENUE__ is no event: --values are about revenue"),
      (
        "--values 3 --events tutorail", .badData,
        "no device has the event \"tutorail\" in its first 48 hours; did you mean \"tutorial\"?"
      ),
      ("--values 3 --events zzz", .badData, "no device has the event \"zzz\" in its first 48 hours; is that its name?"),
      (
        "--values 3 --report-currency EUR", .badData,
        "40 rows with revenue in USD cannot be converted to EUR: --rates FILE gives a rate, --report-currency USD fits in USD"
      ),
      ("--values 3 -o events.jsonl", .usage, "--output would replace events.jsonl"),
    ] as [(String, ExitCode, String)])
  func refused(options: String, code: ExitCode, message: String) {
    let run = world().run("model fit events.jsonl \(options)")
    #expect(run.code == code && run.out == "" && run.changes == [])
    #expect(run.err.hasPrefix("skan: \(message)\n"), "\(run.err)")
  }

  @Test("Input without revenue, and without devices")
  func nothing() {
    let world = World()
    world["none.jsonl"] = #"{"op":"register","at":"2026-05-01T00:00:00Z"}"# + "\n"
    #expect(
      world.run("model fit --values 3 none.jsonl").err
        == "skan: no device has ended its first window, of 2 days, by 2026-05-01T00:00:00Z, the last row: use --until "
        + "if the input goes to a later time\n")
    world["none.jsonl"] =
      #"{"op":"register","at":"2026-05-01T00:00:00Z"}"# + "\n" + #"{"op":"session","after":"2d"}"# + "\n"
    #expect(
      world.run("model fit --values 3 none.jsonl").err
        == "skan: no device has revenue in its first 48 hours, apart from those that are held out: there is nothing to "
        + "fit\n"
    )
    world["empty.jsonl"] = ""
    #expect(world.run("model fit --values 3 empty.jsonl").err == "skan: there is no device to fit to\n")
  }

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
  func nothingIsSaid(rows: String, message: String) {
    let world = World()
    world["events.csv"] = Self.head + rows
    #expect(
      world.run("model fit --quiet --values 3 events.csv") == Consequences(.badData, err: "skan: \(message)\n"))
  }

  @Test("Rates by day: revenue of two days, and a day without a rate")
  func dailyRates() {
    let world = World()
    let rows = (0..<20).map {
      "d\($0),2026-05-01T12:00:00Z,install,,\nd\($0),2026-05-0\($0 % 2 + 1)T12:00:00Z,buy,\($0 + 1),EUR\n"
    }
    world["events.csv"] = Self.head + rows.joined()
    world["daily.csv"] = "date,currency,rate\n2026-05-02,EUR,0.25\n2026-05-01,EUR,0.5\n"
    let daily = world.run("model fit --quiet --values 3 --until 2026-07-01T00:00:00Z --rates daily.csv events.csv")
    #expect(daily.code == .ok)
    // The dollars of each row, written out.
    world["events.csv"] =
      Self.head
      + rows.enumerated().map {
        $1.replacing(",\($0 + 1),EUR", with: ",\(($0 + 1) * ($0 % 2 == 0 ? 2 : 4)),USD")
      }.joined()
    let written = world.run("model fit --quiet --values 3 --until 2026-07-01T00:00:00Z events.csv")
    let hash = /"fitted_to": "[0-9a-f]{16}"/
    #expect(written.out.replacing(hash, with: "") == daily.out.replacing(hash, with: "") && written.code == .ok)
    world["events.csv"] = Self.head + rows.joined()
    world["daily.csv"] = "date,currency,rate\n2026-05-01,EUR,0.5\n"
    #expect(
      world.run("model fit --quiet --values 3 --until 2026-07-01T00:00:00Z --rates daily.csv events.csv")
        == Consequences(
          .badData,
          err:
            "skan: 10 rows with revenue in EUR after 2026-05-01 cannot be converted to USD: --rates FILE gives a rate, "
            + "--report-currency EUR fits in EUR\n"))
  }
}
