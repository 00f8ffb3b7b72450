import SKANBacktest

/// What the help of `skan import` tells besides its options.
enum ImportHelp {
  static let sections = [
    CommandSpec.Section(
      heading: "A mapping file is JSON; every key but format may be left out beside a preset:",
      rows: [
        ("format", "1"), ("preset", "the preset that it completes"),
        ("device, name", "a column, or several of which the first counts that is not empty"),
        ("time, installed", "a column, or {\"column\":…,\"unit\":\"s\"}, of s, ms, us, ns or text"),
        (
          "revenue",
          "a column, {\"column\":…,\"currency\":…}, or several; \"currency_code\":\"USD\", \"unit\":\"micros\", \"key\" in JSON"
        ), ("admon", "{\"column\":…,\"equals\":…}, or names: the revenue is of advertising"),
        ("session, install", "the same: which rows are sessions, and installs or first openings"),
        ("revenue_only", "the same: which rows are revenue without an event"),
        ("where", "{\"column\":…,\"equals\":…} or \"not_equals\", or several that must all hold"),
        ("rename", "{\"name in the export\":\"name in the app\"}"), ("transaction", "the column of --dedupe tx"),
        ("timezone, currency", "as the options"),
      ]),
    CommandSpec.Section(
      heading: "Packed input:",
      rows: [
        ("gzip", "is unpacked by the program gzip on the PATH"),
        ("Parquet", "is for DuckDB: see the last example"),
      ]),
  ]
}
