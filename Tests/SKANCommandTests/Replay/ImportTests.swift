import SKANBacktest
import SKANCommand
import SKANRun
import Testing

@testable import SKANCommandLine

@Suite struct ImportCommandTests {
  private static let export = """
    device,time,name,revenue,currency,transaction
    b,1767225700,purchase,5,EUR,t1
    a,1767225600,install,,,
    b,1767225701,purchase,5,EUR,t1
    a,1767225605.5,"say ""hi"" to ${you}",0.5,USD,t2
    a,1767225604,__SESSION__,,,
    ,1767225604,lost,,,

    """

  private static let list = """
    {"op":"device","device":"a"}
    {"op":"register","at":1767225604,"device":"a"}
    {"op":"session","at":1767225604,"device":"a"}
    {"op":"revenue","at":1767225605.5,"device":"a","amount":0.5,"currency":"USD"}
    {"op":"event","at":1767225605.5,"device":"a","name":"say \\"hi\\" to $${you}"}
    {"op":"device","device":"b"}
    {"op":"register","at":1767225700,"device":"b"}
    {"op":"revenue","at":1767225700,"device":"b","amount":5,"currency":"EUR"}
    {"op":"event","at":1767225700,"device":"b","name":"purchase"}

    """

  @Test("List of devices") func listOfDevices() {
    let world = World { $0.files["a.csv"] = Array(Self.export.utf8) }
    let run = world.run("import -o - --dedupe tx a.csv")
    #expect(run.code == .ok)
    #expect(run.out == Self.list)
    #expect(
      run.err == """
        skan: a.csv: read with preset plain, by its columns
        skan: 6 read, 5 mapped (install: 1, session: 1, event: 3), 0 filtered, 1 rejected
        skan: rejected 1: it names no device (first at a.csv:7)
        skan: time 2026-01-01T00:00:00Z to 2026-01-01T00:01:41Z (Unix seconds)
        skan: 2 devices, 1 with their beginning (50%)
        skan: 1 without it, registered at the first row: their windows are not the real ones
        skan: 1 duplicate row left out
        skan: 9 steps written

        """)
    world["list.jsonl"] = run.out
    #expect(world.run("replay --quiet list.jsonl").code == .ok)
    #expect(world.run("import --quiet -o other.jsonl --dedupe tx a.csv").code == .ok)
    #expect(world["other.jsonl"] == Self.list)
  }

  /// What takes an identifier's place in a report.
  private static func hash(_ device: String) -> String {
    let text = String(DeviceKey(device).high >> 32, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }

  @Test("Check") func check() throws {
    let world = try World.withModels()
    world["a.csv"] = Self.export
    world["rates.json"] = #"{"GBP":0.8}"#
    world["model.json"] = try Workspace.exampleModel("sample").replacing("__SESSION__", with: "Purchase")
    let run = world.run("import --check --model model.json --rates rates.json a.csv")
    #expect(
      run.out
        == """
        mapping             preset plain
        first rows          device HASH-B  2026-01-01T00:01:40Z  event  "purchase"  5 EUR
                            device HASH-A  2026-01-01T00:00:00Z  install
                            device HASH-B  2026-01-01T00:01:41Z  event  "purchase"  5 EUR
        rows                6 read, 5 mapped (install: 1, session: 1, event: 3), 0 filtered, 1 rejected
        rejected            1: it names no device (first at a.csv:7)
        time                2026-01-01T00:00:00Z to 2026-01-01T00:01:41Z (Unix seconds)
        devices             2 devices, 1 with their beginning (50%)
                            1 without it, registered at the first row: their windows are not the real ones
        currencies          EUR: 2 rows, no rate
                            USD: 1 row
        events              "purchase": 2
                            "say \\"hi\\" to ${you}": 1
        only in the model   "Purchase"; did you mean "purchase"?
        only in the export  "purchase"
                            "say \\"hi\\" to ${you}"

        """.replacing("HASH-A", with: Self.hash("a")).replacing("HASH-B", with: Self.hash("b")))
    #expect(run.code == .ok && run.changes == [])
  }

  @Test("Parts and preset") func partsAndPreset() {
    let world = World {
      $0.files["1.csv"] = Array("device,time,name\na,1767225600,install\n".utf8)
      $0.files["2.csv"] = Array("time,device,name\n1767225601,a,login\n".utf8)
      $0.files["3.csv"] = Array("event,anonymous_id,timestamp\nx,y,1767225601\n".utf8)
    }
    let run = world.run("import -o - 2.csv 1.csv")
    #expect(run.out.split(separator: "\n").count == 3)
    #expect(run.err.hasPrefix("skan: 2.csv: read with preset plain, by its columns\nskan: 2 read, 2 mapped"))
    let mixed = world.run("import -o - 1.csv 3.csv")
    #expect(mixed.code == .badData)
    #expect(
      mixed.err.hasSuffix(
        "3.csv:1: these are columns of segment, and 1.csv has those of plain: import each by itself, or name a mapping "
          + "for both\n"))
  }

  /// What is refused, and what is said then.
  @Test(
    "Refused",
    arguments: [
      ("import a.csv", ExitCode.usage, "say where the list goes, as in -o events.jsonl (- for stdout), or --check"),
      ("import -o x --check a.csv", .usage, "--output and --check exclude each other"),
      ("import -o a.csv a.csv", .usage, "--output would replace a.csv"),
      ("import --check a.csv a.csv", .usage, "a.csv is named twice"),
      ("import -o - --json a.csv", .usage, "--json belongs to --check"),
      ("import --check --preset ajust a.csv", .usage, "did you mean adjust?"),
      ("import --check --preset adjust --mapping m.json a.csv", .usage, "--preset and --mapping exclude each other"),
      (
        "import --check --timezone CET a.csv", .usage,
        "--timezone must be UTC, an offset such as +02:00, or a zone such as Europe/Berlin, it is \"CET\""
      ), ("import --check --dedupe device a.csv", .usage, "--dedupe: device alone would leave one row of each device"),
      (
        "import --check --dedupe tx,naem a.csv", .usage,
        "--dedupe must be of tx, device, name, time, with commas between"
      ),
      (
        "import --check --max-errors -1 a.csv", .usage,
        "--max-errors must be a whole number from 0, a share such as 5%, or unlimited"
      ),
      ("import --check --currency usd a.csv", .usage, "--currency must be three capital letters such as USD"),
      ("import --check --event-alias a=b a.csv", .usage, "--event-alias belongs to --model"),
      ("import --check none.csv", .noInput, "none.csv does not exist; it should hold events"),
      ("import --check list.jsonl", .badData, "list.jsonl: this is an event list already"),
      ("import --check odd.csv", .badData, "odd.csv:1: no preset has these columns: \"when\", \"who\", \"what\""),
      ("import --check --preset adjust a.csv", .badData, "a.csv:1: preset adjust looks for the device in"),
      ("import --check --mapping m.json a.csv", .badData, "there is no column \"nmae\"; did you mean \"name\"?"),
      (
        "import --check --dedupe tx tx.csv", .badData,
        "tx.csv:1: --dedupe tx: there is no column \"transaction\"; did you mean \"transacton\"?\n"
      ),
      (
        "import --check --dedupe tx,time tx.jsonl", .badData,
        "skan: --dedupe tx: no row has a value in the column \"transaction\"; did you mean \"transacton\"?\n"
      ), ("import -o list --dedupe tx tx.jsonl", .badData, "skan: --dedupe tx: no row has a value in the column"),
      (
        "import --check --max-errors 0 a.csv", .badData,
        "a.csv:7: it names no device\nskan: more than 0 rows cannot be used"
      ),
      (
        "import --check zone.csv", .badData,
        "zone.csv:2: its time is \"2026-01-01 00:00:00\", without a zone: say which"
      ),
      ("import --check array.json", .badData, "array.json:1: no preset has these columns: \"device\""),
      ("import --check x.parquet", .unavailable, "x.parquet is read by duckdb, which is not on the PATH"),
      ("import --check a.csv.gz", .unavailable, "a.csv.gz is packed, and gzip, which unpacks it, is not on the PATH"),
    ]) func refused(line: String, code: ExitCode, message: String)
  {
    let world = World {
      $0.files["a.csv"] = Array(Self.export.utf8)
      $0.files["odd.csv"] = Array("when,who,what\n1,2,3\n".utf8)
      $0.files["list.jsonl"] = Array(Self.list.utf8)
      $0.files["tx.csv"] = Array("device,time,name,transacton\na,1767225600,x,t\n".utf8)
      $0.files["tx.jsonl"] = Array(#"{"device":"a","time":1767225600,"name":"x","transacton":"t"}"#.utf8)
      $0.files["zone.csv"] = Array("device,time,name\na,2026-01-01 00:00:00,x\n".utf8)
      $0.files["array.json"] = Array("[\n {\"device\":1}]".utf8)
      $0.files["x.parquet"] = Array("PAR1....".utf8)
      $0.files["a.csv.gz"] = [0x1F, 0x8B, 8, 0]
      $0.files["m.json"] = Array(#"{"format":1,"device":"device","time":"time","name":"nmae"}"#.utf8)
    }
    let run = world.run(line)
    #expect(run.code == code)
    #expect(run.err.contains(message))
    #expect(run.out == "" && run.changes == [])
  }

  @Test("Too many errors") func tooManyErrors() {
    let rows = (0..<150).map { "d,never,\($0)\n" }.joined()
    let world = World { $0.files["a.csv"] = Array("device,time,name\n\(rows)d,1767225600,x\n".utf8) }
    let run = world.run("import --check a.csv")
    #expect(run.code == .badData)
    let message = "its time cannot be read, or is not between 2000 and 2100: \"never\""
    #expect(
      run.err == """
        skan: a.csv: read with preset plain, by its columns
        a.csv:2: \(message)
        a.csv:3: \(message)
        a.csv:4: \(message)
        skan: times are read as 2026-05-01 09:00:00, also with a T, a fraction, Z, UTC or +02:00, and Unix time in s, ms, us or ns
        skan: --date-format reads others, such as "MM/DD/YYYY h:mm:ss AM", DD.MM.YYYY and Excel's
        skan: more than 100 rows cannot be used; --max-errors allows more, and --max-errors unlimited any number

        """)
    #expect(world.run("import --check --max-errors 150 a.csv").code == .ok)
    #expect(world.run("import --check --max-errors unlimited a.csv").code == .ok)
  }

  @Test("A share of the rows may be rejected, exactly that one too; it is known after the last row")
  func shareOfErrors() {
    let rows = (0..<5).map { ",1767225600,\($0)\n" }.joined() + (0..<95).map { "d\($0),1767225600,x\n" }.joined()
    let world = World { $0.files["a.csv"] = Array("device,time,name\n\(rows)".utf8) }
    for line in ["import --check --max-errors 5% a.csv", "import --check --max-errors 5.5% a.csv"] {
      #expect(world.run(line).code == .ok, "\(line) \(world.errors)")
    }
    let run = world.run("import --check --max-errors 4.9% a.csv")
    #expect(run.code == .badData && run.out == "")
    #expect(
      run.err.hasSuffix(
        "skan: 5 of 100 rows cannot be used, which is more than 4.9%; --max-errors allows more, and --max-errors unlimited any "
          + "number\n"), "\(run.err)")
    for share in ["-1%", "101%", "%", "5 %", "x%"] {
      #expect(world.run("import --check --max-errors", share, "a.csv").code == .usage, "\(share)")
    }
  }

  @Test(
    "A time that cannot be read names the forms, and the date formats that read it",
    arguments: [
      ("11/19/2016 8:32:12 PM", "MM/DD/YYYY\n"),
      ("10/09/2016 20:32:12", "MM/DD/YYYY or DD/MM/YYYY: it is not known which"), ("19.11.2016 20:32", "DD.MM.YYYY\n"),
      ("46023.5", "excel\n"),
    ])
  func dateFormats(time: String, hint: String) throws {
    let world = try world("device,time,name,revenue,currency\na,\(time),install,,\na,\(time),buy,1,USD\n")
    for command in ["import --check", "import -o -"] {
      let run = world.run("\(command) --max-errors 0 a.csv")
      #expect(run.code == .badData && run.err.contains("skan: times are read as 2026-05-01 09:00:00, also with"))
      #expect(run.err.contains("skan: \"\(time)\" is read by --date-format \(hint)"), "\(run.err)")
      let none = world.run("\(command) a.csv")
      #expect(none.code == .badData && none.err.contains("--date-format"), "\(none.err)")
    }
    let format = String(hint.prefix { $0 != " " && $0 != "\n" })
    let read = world.run("import --check --timezone UTC --date-format", format, "a.csv")
    #expect(read.code == .ok && read.out.contains("2 read, 2 mapped"), "\(read)")
    world["m.json"] =
      #"{"format":1,"preset":"plain","timezone":"UTC","date_format":"\#(format)"}"#
    #expect(world.run("import --check --mapping m.json a.csv").code == .ok, "\(world.errors)")
  }

  @Test("A zone or a date format that no time needs is an error, and not ignored")
  func unusedForms() throws {
    let world = try world("device,time,name,installed\na,1767225600,install,\na,1767225601,buy,\n")
    let zone =
      "skan: --timezone is for times that are written without a zone, and the input has none: its times are Unix seconds, "
      + "which are of UTC; leave it out, or name another column in a mapping file\n"
    for command in ["import --check", "import -o -", "backtest --model mixed.json", "model fit --values 2"] {
      let run = world.run("\(command) --timezone +02:00 a.csv")
      #expect(run.code == .badData && run.err.hasSuffix(zone), "\(command) \(run.err)")
      let format = world.run("\(command) --date-format DD.MM.YYYY a.csv")
      #expect(
        format.code == .badData
          && format.err.hasSuffix(
            "skan: no time has the form \"DD.MM.YYYY\" of --date-format: the times of the input are Unix seconds\n"),
        "\(command) \(format.err)")
    }
    world["m.json"] = #"{"format":1,"preset":"plain","timezone":"UTC"}"#
    #expect(
      world.run("import --check --mapping m.json a.csv").err.hasPrefix("skan: \"timezone\" of m.json is for times"))
    world["m.json"] = #"{"format":1,"preset":"plain","date_format":"iso"}"#
    #expect(
      world.run("import --check --mapping m.json a.csv").err.contains("\"date_format\" must be a pattern such as"))
    #expect(world.run("import --check --date-format iso a.csv").code == .usage)
    // The install time needs the zone.
    world["a.csv"] = "device,time,name,installed\na,1767225600,install,2026-01-01 00:00:00\n"
    #expect(world.run("import --check --timezone UTC a.csv").code == .ok)
    #expect(world.run("import --check a.csv").err.contains("its time is \"2026-01-01 00:00:00\", without a zone"))
    // A preset's own zone is no option.
    world["a.csv"] = "event_type,event_time,device_id\nx,2026-01-01 00:00:00Z,a\n"
    #expect(world.run("import --check a.csv").code == .ok, "\(world.errors)")
  }

  @Test("Latin-1 is refused, and read where it is asked for")
  func latin1() throws {
    let world = World {
      $0.files["a.csv"] = Array("device,time,name\na,1767225600,caf".utf8) + [0xE9, 0x0A]
      $0.files["marked.csv"] = [0xEF, 0xBB, 0xBF] + Array("device,time,name\na,1767225600,x\n".utf8)
      $0.files["wide.csv"] = [0xFF, 0xFE, 0x61, 0x00]
    }
    let run = world.run("import --check a.csv")
    #expect(run.code == .badData && run.err.hasSuffix("a.csv:2: \(Self.notUTF8)\n"), "\(run.err)")
    #expect(world.run("import --check --encoding latin1 a.csv").out.contains("\"caf\u{E9}\": 1"))
    #expect(
      world.run("import --check --encoding latin1 marked.csv").err
        == "marked.csv:1: it begins with the mark of UTF-8: leave out --encoding\n")
    #expect(world.run("import --check wide.csv").err.contains("iconv -f UTF-16 -t UTF-8 FILE | skan"))
    #expect(world.run("import --check --encoding utf16 a.csv").code == .usage)
  }

  private static let notUTF8 =
    "this line is not UTF-8; Latin-1 (Windows-1252) is read with --encoding latin1, other encodings after iconv -t UTF-8"

  @Test("Revenue that no column gives is said by the check, and by what computes with it")
  func missingRevenue() throws {
    let rows = (0..<4).map { "d\($0),1767225600,install,,\nd\($0),1767225700,purchase,4.99,USD\n" }.joined()
    let world = try world(
      "device,time,name,price,cur,level\n" + rows.replacing(",USD\n", with: ",USD,3\n").replacing(",,\n", with: ",,,\n")
    )
    let check = world.run("import --quiet --check a.csv").out
    #expect(
      check.contains(
        "revenue: no row has an amount in revenue; columns with numbers that nothing reads: \"price\", \"level\"; "
          + "\"revenue\" in a mapping file names one\n"), "\(check)")
    let json = world.run("import --quiet --check --json a.csv").out
    #expect(json.contains(#""unread_numbers":["price","level"]"#) && json.contains(#""with_revenue":0"#), "\(json)")
    let backtest = "backtest --model mixed.json --until 2026-03-01T00:00:00Z"
    let line = "no row of the input has revenue: is their column read? 'skan import --check' says which are not"
    #expect(world.run("\(backtest) a.csv").out.contains("\n\(line)\n"), "\(world.errors)")
    for form in ["--json", "--csv"] {
      let run = world.run("\(backtest) \(form) a.csv")
      #expect(run.code == .ok && run.err.hasSuffix("skan: \(line)\n"), "\(run.err)")
    }
    // A shard or a part does not know the others.
    #expect(!world.run("\(backtest) --partial --shard 1/2 a.csv").err.contains(line))
    #expect(world.run("model fit --values 2 a.csv").code == .badData)
    // Most purchases have none.
    let some =
      "device,time,name,revenue,currency\n" + rows.replacing("4.99,USD", with: ",")
      + "d0,1767225800,purchase,4.99,USD\nd1,1767225800,purchase,4.99,USD\n"
    world["a.csv"] = some
    let most = "4 of 6 purchases have no amount"
    #expect(world.run("import --quiet --check a.csv").out.contains("revenue: \(most) in revenue; no other"))
    #expect(world.run("\(backtest) a.csv").out.contains("\n\(most): is their column read?"))
    #expect(world.run("\(backtest) --json a.csv").out.contains(#""purchases_without_revenue":4"#))
    // Half of them is not most.
    world["a.csv"] = some + (2..<4).map { "d\($0),1767225800,purchase,4.99,USD\n" }.joined()
    #expect(!world.run("import --quiet --check a.csv").out.contains("no amount"))
    #expect(!world.run("\(backtest) a.csv").out.contains("no amount"))
    world["a.csv"] = "device,time,name,revenue,currency\na,1767225600,buy,0,USD\n"
    #expect(world.run("import --quiet --check a.csv").out.contains("revenue: every amount in revenue is 0;"))
  }

  @Test("Other systems are counted by name; columns of systems that are not read are listed; blank identifiers by text")
  func systems() throws {
    let world = try world(
      "device,time,name,os\nNULL,1767225600,x,ios\nnull,1767225600,x,Android\na,1767225600,x,Android\n")
    let out = world.run("import --quiet --check a.csv").out
    #expect(
      out.contains(
        "\"os\" names systems: Android in 2 rows, ios in 1 row; \"where\" in a mapping file leaves rows out\n"),
      "\(out)")
    #expect(out.contains("texts that mean no identifier: \"null\" in 2 rows\n"), "\(out)")
    let json = world.run("import --quiet --check --json a.csv").out
    #expect(json.contains(#""unread_systems":[{"column":"os","systems":{"Android":2,"ios":1}}]"#), "\(json)")
    #expect(json.contains(#""blank_identifiers":{"null":2}"#), "\(json)")
    world["a.csv"] =
      "event_type,event_time,device_id,platform\nx,2026-01-01 00:00:00,a,Android\nx,2026-01-01 00:00:00,b,Web\n"
    let none = world.run("backtest --model mixed.json --until 2026-03-01T00:00:00Z a.csv")
    #expect(none.code == .badData && none.err.contains("1 row left out by the mapping: platform is Android, not iOS\n"))
    #expect(none.err.contains("1 row left out by the mapping: platform is Web, not iOS\n"))
  }

  @Test("Nothing") func nothing() {
    let world = World { $0.files["a.csv"] = [] }
    #expect(
      world.run("import -o - a.csv")
        == Consequences(.noInput, err: "skan: the input has no row of an event\n"))
  }

  @Test("Later installs") func laterInstalls() {
    let world = World {
      $0.files["a.csv"] = Array(
        """
        device,time,name
        a,1767225600,login
        a,1767236400,install
        b,1767225600,install
        b,1767225700,install

        """.utf8)
    }
    let run = world.run("import --check --json a.csv")
    #expect(run.code == .ok)
    #expect(run.out.contains(#""devices":{"all":2,"from_beginning":1}"#), "\(run.out)")
    #expect(run.out.contains(#""later_installs":2"#), "\(run.out)")
    #expect(run.out.contains(#""missing":null"#), "\(run.out)")
  }

  @Test("Advertising") func advertising() {
    let world = World {
      $0.files["a.csv"] = Array(
        "device,time,name,revenue,currency,ad_revenue\na,1767225600,ad,5,USD,true\na,1767225601,buy,5,USD,\n".utf8)
    }
    let out = world.run("import --check a.csv").out
    #expect(out.contains("event  \"ad\"  5 USD of advertising\n"), "\(out)")
    #expect(out.contains("event  \"buy\"  5 USD\n"), "\(out)")
  }

  private static let rows = """
    device,time,name,revenue,currency,transaction
    a,1767225600,install,,,
    a,1767225700,install,,,
    a,1767225702,buy,0,USD,t1
    a,1767225702,buy,0,USD,t1
    a,1767225702,buy,0,USD,t1

    """

  private func world(_ text: String) throws -> World {
    let world = try World.withModels()
    world["a.csv"] = text
    return world
  }

  @Test("Amounts of 0, duplicates and later installs are counted; one is singular")
  func counted() throws {
    let lines = try world(Self.rows).run("import --quiet --check --dedupe tx a.csv").out.split(separator: "\n")
    #expect(lines.contains("amounts of 0  3, which are no revenue"))
    #expect(lines.contains("              2 duplicate rows left out"))
    #expect(lines.contains("              1 install of a device that was there before, left out"))
    let more = try world(Self.rows + "a,1767225703,install,,,\n").run("import --quiet --check a.csv").out
    #expect(more.contains("\n              2 installs of a device that was there before, left out\n"))
    #expect(!more.contains("duplicate"))
  }

  @Test("Names that Singular cannot take, with why; of many names the first twenty")
  func names() throws {
    let long = String(repeating: "n", count: 33)
    let some = try world("device,time,name\na,1767225600,caf\u{E9}\na,1767225600,\(long)\n")
      .run("import --quiet --check a.csv").out
    #expect(
      some.contains("\ncannot be sent  \"caf\u{E9}\": name-not-ascii\n                \"\(long)\": name-too-long\n"))
    let rows = (10..<32).map { "a,1767225600,e\($0)\n" }.joined()
    let many = try world("device,time,name\n\(rows)").run("import --quiet --check a.csv").out
    #expect(many.hasSuffix("            \"e29\": 1\n            and 2 more\n"))
  }

  @Test("A model all of whose events are there lacks none")
  func complete() throws {
    let rows = ["__SESSION__", "purchase", "tutorial_done"].map { "a,1767225600,\($0)\n" }.joined()
    let out = try world("device,time,name\n\(rows)").run("import --quiet --check --model mixed.json a.csv").out
    #expect(out.contains("\nonly in the model  none\n"))
  }

  @Test(
    "What no row is, and the key that names such rows",
    arguments: [
      ("a,1767225600,install,\na,1767225601,__SESSION__,\n", []), ("a,1767225600,buy,\n", ["installs", "sessions"]),
      // The beginning is known without an install row.
      ("a,1767225600,buy,1767225500\n", ["sessions"]), ("a,1767225600,buy,1767000000\n", ["installs", "sessions"]),
      ("a,1767225600,__SESSION__,\n", ["installs"]), ("a,never,buy,\n", []),
    ])
  func unrecognized(rows: String, kinds: [String]) throws {
    let world = try world("device,time,name,installed\n\(rows)")
    let sought = ["installs": "\"install\" or \"first_open\"", "sessions": "\"__SESSION__\""]
    let lines = world.run("import --quiet --check a.csv").out.split(separator: "\n").filter {
      $0.contains("in a mapping file")
    }
    #expect(
      lines.map { $0.replacing("not found", with: "").trimmingPrefix { $0 == " " } }
        == kinds.map { kind in
          "\(kind): no row has \(sought[kind] ?? "") in name; if the export has some, \"\(kind.dropLast())\" in a mapping file names them"
        })
    world["m.json"] =
      #"{"format":1,"device":"device","time":"time","name":"name","session":{"column":"name","equals":["x","y"]}}"#
    let own = world.run("import --quiet --check --mapping m.json a.csv").out
    if kinds.contains("sessions") {
      #expect(
        own.contains(
          "installs: the mapping names none; if the export has some, \"install\" in a mapping file names them"))
      #expect(own.contains("sessions: no row has \"x\" or \"y\" in name; if"))
    }
  }

  @Test("Rates by day: the days of rows without one are named")
  func dailyRates() throws {
    let rows = [
      "05-01T23:59:59Z,EUR", "05-02T00:00:00Z,EUR", "05-03T23:59:59Z,EUR", "05-04T00:00:00Z,EUR", "05-06T00:00:00Z,EUR",
      "05-02T00:00:00Z,USD", "05-02T00:00:00Z,GBP", "05-01T00:00:00Z,JPY",
    ]
    for rows in [rows, rows.reversed()] {
      let world = try world(
        "device,time,name,revenue,currency\n" + rows.map { "a,2026-\($0.replacing(",", with: ",buy,1,"))\n" }.joined())
      world["daily.csv"] = "date,currency,rate\n2026-05-04,EUR,0.9\n2026-05-01,EUR,0.8\n2026-05-01,JPY,150\n"
      let out = world.run("import --quiet --check --rates daily.csv a.csv").out
      #expect(
        out.contains(
          """
          currencies  EUR: 5 rows, 3 without a rate: 2 from 2026-05-02 to 2026-05-03, 1 after 2026-05-04
                      GBP: 1 row, no rate
                      JPY: 1 row
                      USD: 1 row

          """), "\(out)")
      let json = world.run("import --quiet --check --json --rates daily.csv a.csv").out
      #expect(
        json.contains(
          #""currencies":[{"currency":"EUR","has_rate":false,"rows":5,"without_rate":{"after 2026-05-04":1,"from 2026-05-02 to 2026-05-03":2}},"#
            + #"{"currency":"GBP","has_rate":false,"rows":1,"without_rate":{}},{"currency":"JPY","has_rate":true,"rows":1,"without_rate":{}}"#
        ), "\(json)")
    }
  }

  @Test(
    "Tables of rates that cannot be used",
    arguments: [
      (
        "--check --rates wrong.csv a.csv", ExitCode.badData,
        "wrong.csv:4:16: rate must be a number above 0, such as 0.92\n"
      ),
      (
        "--check --rates wrong.csv a.csv", .badData,
        "wrong.csv:3:1: line 2 has a rate of EUR for this day already: keep one\n"
      ),
      (
        "--check --rates empty.csv a.csv", .badData,
        "empty.csv:1:1: it is empty; its first line names the columns: date,currency,rate\n"
      ),
      (
        "--check --rates semicolons a.csv", .badData,
        "semicolons:1:1: the columns are separated by \";\": save the table with commas\n"
      ),
      (
        "--check --rates none.csv a.csv", .noInput, "none.csv does not exist; it should hold exchange rates (--rates)\n"
      ),
      ("-o - --rates daily.csv a.csv", .usage, "--rates belongs to --check\n"),
    ])
  func wrongRates(line: String, code: ExitCode, message: String) throws {
    let world = try world(Self.rows)
    world["wrong.csv"] = "date,currency,rate\n2026-05-01,EUR,1\n2026-05-01,EUR,1\n2026-05-02,EUR,0\n"
    world["empty.csv"] = ""
    world["semicolons"] = "date;currency;rate\n"
    let run = world.run("import \(line)")
    #expect(run.code == code && run.out == "" && run.err.contains(message), "\(run)")
  }

  @Test("Rejected rows by their reasons, each with its first place")
  func places() throws {
    let rows = (0..<5).map { "a,never,\($0)\n" }.joined() + ",1767225600,x\n"
    let out = try world("device,time,name\n\(rows)").run("import --quiet --check a.csv").out
    #expect(out.contains("5: its time cannot be read, or is not between 2000 and 2100 (first at a.csv:2)"))
    #expect(out.contains("1: it names no device (first at a.csv:7)\n"))
  }

  @Test("A list is made anew, and goes into a pipe; a phone and received postbacks are not replaced")
  func replaced() throws {
    let world = try world(Self.rows)
    let list = world.run("import --quiet -o - a.csv").out
    world["out.jsonl"] = list
    #expect(world.run("import --quiet -o out.jsonl a.csv").code == .ok && world["out.jsonl"] == list)
    world.set { $0.streams["pipe"] = ["{\"format\":3}"] }
    #expect(world.run("import --quiet -o pipe a.csv").code == .ok && world["pipe"] == list)
    world.run("register")
    let run = world.run("import --quiet -o skan-state.json a.csv")
    #expect(run.code == .cannotWrite && run.changes.isEmpty)
  }

  @Test("Standard input is named so, and is read by its columns as a file is")
  func standardInput() throws {
    let world = try world("")
    world.set { $0.input = "device,time,name\na,1767225600,install\n" }
    #expect(world.run("import -o - -").err.hasPrefix("skan: standard input: read with preset plain, by its columns\n"))
    world.set { $0.input = "x\n" }
    let run = world.run("import --check -")
    #expect(run.code == .badData && run.err.hasPrefix("standard input:1: no preset has these columns: \"x\"; "))
  }

  @Test("A list that cannot be written whole leaves the file as it was; many steps are written in pieces")
  func written() throws {
    let world = try world(Self.rows)
    world["out.jsonl"] = "before\n"
    world.set { $0.fullFile = "out.jsonl" }
    #expect(
      world.run("import --quiet -o out.jsonl a.csv")
        == Consequences(.cannotWrite, err: "skan: cannot write out.jsonl: Input/output error\n"))
    let devices = (0..<4000).map { "d\($0),1767225600,install\n" }.joined()
    let many = try self.world("device,time,name\n\(devices)").run("import --quiet -o - a.csv")
    #expect(many.code == .ok && many.out.split(separator: "\n").count == 8000)
    #expect(Set(many.out.split(separator: "\n")).count == 8000)
  }
}
