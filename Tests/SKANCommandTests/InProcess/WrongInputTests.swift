import SKANCommand
import Testing

/// Command lines as people mistype them, each with the answer that was read aloud and found good.
@Suite("Wrong inputs")
struct WrongInputTests {
  private struct Row: Sendable, CustomTestStringConvertible {
    let line: String
    let code: ExitCode
    let says: String

    init(_ line: String, _ code: ExitCode, _ says: String) {
      self.line = line
      self.code = code
      self.says = says
    }

    var testDescription: String { line }
  }

  private static let rows: [Row] = [
    // Names
    Row("sesion", .usage, "there is no command \"sesion\"; did you mean 'session'?"),
    Row("model chek x", .usage, "did you mean 'model check'?"),
    Row("help sesion", .usage, "did you mean 'session'?"),
    Row("--versoin", .usage, "there is no option --versoin; did you mean --version?"),
    Row("session --expct outcome=updated", .usage, "did you mean --expect?"),
    Row("session --expect outcom=updated", .usage, "a result has no key \"outcom\"; did you mean \"outcome\"?"),
    Row("check --fail-on warnings a.log", .usage, "did you mean warning?"),
    Row("import --check --preset adjst events.csv", .usage, "did you mean adjust?"),
    Row("import --check --dedupe txx events.csv", .usage, "did you mean tx?"),
    Row("model decode model.json --coarse hgh --window 1", .usage, "did you mean high?"),
    Row("report --group netwrk received.jsonl", .usage, "did you mean network?"),
    Row("install --force --setting clok-start=x", .usage, "did you mean \"clock-start\"?"),
    Row("install --force --setting clock-start=firstlaunch", .usage, "did you mean \"first_launch\"?"),
    // Arguments
    Row("event", .usage, "'skan event' needs NAME"),
    Row("event a b", .usage, "one argument too many: \"b\""),
    Row("revenue ten USD", .usage, "AMOUNT must be a finite number such as 9.99, it is \"ten\""),
    Row("revenue 1e400 USD", .usage, "must be a finite number"),
    Row("revenue 5", .usage, "'skan revenue' needs CURRENCY"),
    Row("model decode model.json", .usage, "give one of --fine N and --coarse low|medium|high"),
    Row("details --query --table", .usage, "--query and --table exclude each other"),
    Row("backtest events.csv", .usage, "name the model: --model FILE"),
    Row("backtest --model model.json --shard 3/2 events.csv", .usage, "--shard must be K/N with K from 1 to N"),
    Row("replay --jobs 0 list.jsonl", .usage, "--jobs must be from 1 to 1000, it is 0"),
    Row("replay --label", .usage, "--label needs a value: --label GLOB"),
    Row("postbacks --tier 4", .usage, "--tier must be 0, 1, 2, 3 or all"),
    Row("update", .usage, "needs at least one of --ios, --app-version, --snippet"),
    Row("update --ios seventeen", .usage, "must be a version of iOS such as 17.4"),
    Row("serve --port 99999", .usage, "--port must be from 0 to 65535"),
    Row("import events.csv", .usage, "say where the list goes, as in -o events.jsonl"),
    // Times
    Row("session --at yesterday", .usage, "must be an ISO 8601 instant"),
    Row("session --at 1767225600000", .usage, "are these milliseconds? In seconds it is 1767225600"),
    Row("session --after 2x", .usage, "a duration with a unit of ms, s, m, h or d"),
    // Who answers
    Row("session --endpoint htp://localhost", .usage, "did you mean http://localhost?"),
    Row("session --endpoint localhost:1", .usage, "did you mean http://localhost:1?"),
    Row("session --endpoint production", .keyMissing, "production needs the SDK key"),
    Row("session --answer {\"jsn\":{}}", .usage, "an answer has no key \"jsn\"; did you mean \"json\"?"),
    Row("session --answer @nofile", .noInput, "nofile does not exist; it should hold the answer"),
    // Files
    Row("session --state none.json", .noInput, "run 'skan register' (or 'skan install') first"),
    Row("install", .cannotWrite, "--force installs the app anew and loses what it keeps"),
    Row("backtest --model none.json events.csv", .noInput, "it should hold a conversion model"),
    Row("replay none.jsonl", .noInput, "name an event list"),
    Row("replay --report-junit list.jsonl list.jsonl", .usage, "--report-junit would replace the list list.jsonl"),
    Row("import --preset plain events.csv -o skan-state.json", .cannotWrite, "it is a phone's device file"),
    // One file in the place of another
    Row("check list.jsonl", .badData, "this is an event list; 'skan replay' runs it"),
    Row("import --check list.jsonl", .badData, "this is an event list already"),
    Row("verify model.json", .badData, "this is a conversion model; 'skan model check model.json' checks it"),
    Row("report list.jsonl", .badData, "this is an event list; 'skan replay list.jsonl' runs it"),
    Row("session --model list.jsonl", .badData, "this is an event list; 'skan replay list.jsonl' runs it"),
    // Knowing, and projects
    Row("explain lock-leakd", .usage, "there is no code \"lock-leakd\"; did you mean lock-leaked?"),
    Row("explain 63", .usage, "'skan explain' lists them all"),
    Row("schema modle", .usage, "there is no schema \"modle\"; did you mean model?"),
    Row("help wndows", .usage, "there is no command or topic \"wndows\"; did you mean 'windows'?"),
    Row("help --json windows", .usage, "the topic windows is prose"),
    Row("why 0", .usage, "STEP must be 1: one step is kept; it is"),
    Row("completion tcsh", .usage, "SHELL must be bash, zsh or fish"),
    Row("init --vertical gmae", .usage, "did you mean game?"),
    Row("init --events a,,b", .usage, "must be names with commas between"),
    Row("doctor --endpoint localhost:1", .usage, "did you mean http://localhost:1?"),
    Row("doctor --plist none.plist", .noInput, "it should be an app's Info.plist"),
    Row("config -- sesion", .usage, "did you mean 'session'?"),
    Row("serve --", .usage, "-- needs a command, as in 'skan serve -- npm test'"),
    Row("replay --annotate gitlab list.jsonl", .usage, "did you mean github?"),
    Row("replay --report-html list.jsonl list.jsonl", .usage, "--report-html would replace the list list.jsonl"),
    Row("details --color purple", .usage, "must be one of auto, always, never"),
    Row("details --state model.json", .badData, "a device file needs the key \"format\""),
  ]

  @Test(arguments: rows)
  private func row(_ row: Row) throws {
    let world = try World.withModels()
    world.run("register --at 2026-01-01T00:00:00Z")
    world["model.json"] = world["sample.json"]
    world["list.jsonl"] = "# A list.\n{\"op\":\"session\"}\n"
    world["events.csv"] = "device,time,name\na,2026-01-01T00:00:00Z,x\n"
    world["received.jsonl"] = ""
    world["a.log"] = ""
    let before = world["skan-state.json"]
    let run = world.run(row.line)
    #expect(run.code == row.code, "\(run)")
    #expect((run.err + run.out).contains(row.says), "\(run)")
    #expect(world["skan-state.json"] == before)
  }
}
