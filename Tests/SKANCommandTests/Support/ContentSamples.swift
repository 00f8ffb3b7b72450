import SKANBase

@testable import SKANCommand
@testable import SKANCommandLine

/// Files of every kind that the program knows.
enum ContentSamples {
  struct Sample: Sendable {
    let kind: ContentKind
    let name: String
    let bytes: [UInt8]

    init(_ kind: ContentKind, _ name: String, _ bytes: [UInt8]) {
      (self.kind, self.name, self.bytes) = (kind, name, bytes)
    }

    init(_ kind: ContentKind, _ text: String) { self.init(kind, text, Array(text.utf8)) }
  }

  /// One file of every kind at least.
  static let all: [Sample] = fixtures + phones + texts

  /// The first file of each kind, for tests that cross the kinds with something else.
  static let one: [Sample] = ContentKind.allCases.compactMap { kind in all.first { $0.kind == kind } }

  private static let fixtures: [Sample] = paths.flatMap { kind, names in
    names.compactMap { name in World.fixtures["fixtures/\(name)"].map { Sample(kind, name, $0) } }
  }

  private static let paths: [(ContentKind, [String])] = [
    (.eventList, ["life-cycle/session.jsonl", "first-month.jsonl"]),
    (.model, ["models/mixed.json", "models/sample.json"]), (.rates, ["models/rates.json", "models/rates-by-day.csv"]),
    (.mapping, ["backtest/mapping.json"]), (.campaigns, ["fuzz/campaigns/all"]), (.projectFile, ["fuzz/project/all"]),
    (.details, ["fuzz/details/phone"]), (.journal, ["traffic/journal.ndjson"]),
    (.postbacks, ["postbacks/apple-4.0-fine.json", "postbacks/aak-development.json"]),
    (.har, ["traffic/chrome.har", "traffic/charles.har", "traffic/mitmproxy.har", "traffic/proxyman.har"]),
    (
      .accessLog,
      [
        "traffic/combined.log", "traffic/alb.log", "traffic/cloudfront.log", "traffic/combined-bots.log",
        "traffic/nginx.ndjson", "traffic/docker.ndjson", "traffic/google-cloud.ndjson", "traffic/cloudflare.ndjson",
        "traffic/cloudfront-realtime.tsv", "traffic/cloudfront.ndjson", "traffic/cloudfront-blanks.log",
        "traffic/iis.log", "traffic/elb-classic.log",
      ]
    ), (.urls, ["traffic/urls.txt"]),
    (
      .export,
      [
        "exports/plain.tsv", "exports/adjust.csv", "exports/amplitude.ndjson", "exports/appsflyer-locker.csv",
        "exports/appsflyer.csv", "exports/branch.csv", "exports/firebase.ndjson", "exports/mixpanel.ndjson",
        "exports/segment.csv", "exports/singular.csv",
      ]
    ), (.table, ["backtest/may.csv"]), (.part, ["fuzz/partial/may", "fuzz/partial/divided", "fuzz/partial/shard"]),
    (.publicKey, ["postbacks/simulated-public.pem"]), (.gzip, ["backtest/june.csv.gz"]),
  ]

  /// A phone, one that breaks off, and one on a single line.
  private static var phones: [Sample] {
    let text = World.registered()["skan-state.json"] ?? ""
    let line = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    return [text, String(text.prefix(text.count / 2)), line, String(line.prefix(30))].map { Sample(.deviceFile, $0) }
  }

  /// A model in UTF-16.
  private static let utf16: [UInt8] = #"{"postback_mappings":[]}"#.utf8.flatMap { [$0, 0] }

  /// Worths of no value but a null's.
  static let worth: String = {
    let mean = #"{"devices":1,"mean_micros":1,"worth_micros":1,"low_micros":1,"high_micros":1}"#
    let horizons = ["day_2", "day_7", "day_35", "end"].map { "\"\($0)\":\(mean)" }.joined(separator: ",")
    let numbers = [String](repeating: "1", count: 20).joined(separator: ",")
    let parts: [String] = [
      #"{"format":1,"currency":"USD","model":"m.json","model_hash":"0","seed":1,"resamples":20,"shrink_below":0,"#,
      #""least_devices":1,"by":null,"input":{"devices":1,"from":null,"to":null,"until":null,"small_groups":0},"#,
      #""worth":[{"group":null,"values":[{"window":0,"kind":"null","value":null,"tiers":[0],"meaning":null,"#,
      horizons, #","deviation_micros":0,"skewness":0,"top_1_percent":null,"distribution":[],"resampled_micros":["#,
      numbers, "]}],\"held_out\":[]}]}\n",
    ]
    return parts.joined()
  }()

  private static let texts: [Sample] = [
    Sample(.worth, worth), Sample(.spend, "network,campaign,day,cost,currency\nn,c,2026-05-01,1,USD\n"),
    Sample(.eventList, "# a life\n\n{\"op\":\"register\"}\n"),
    Sample(.model, #"{"results":[{"customerSkAdNetworkConversionValueSchema":{"schema":{}}}],"fieldMask":"x"}"#),
    Sample(
      .accessLog, #"[{"timestamp":1,"httpRequest":{"requestMethod":"GET","requestUrl":"/a"}}]"#),
    Sample(
      .accessLog, "#Software: Microsoft Internet Information Services 10.0\n#Fields: time c-ip\n00:00:00 1.2.3.4\n"),
    Sample(.model, #"{"postback_mappings":[]}"#), Sample(.modelTable, "window,value,coarse,event\n0,1,,__SESSION__\n"),
    Sample(.analyticsSchema, #"{"postbackWindowOne":{"conversionValues":[]}}"#),
    Sample(.pairs, "idfv=random\nname=x\n"), Sample(.pairs, "# of events\nfirst open=__START__\n"),
    Sample(.projectFile, #"{"model":"m.json","options":{"max-time":"2s"}}"#),
    Sample(.answers, "{\"json\":{\"conversion_value\":5}}\n{\"status\":500,\"text\":\"x\"}\n"),
    Sample(.receivedFile, #"{"received_at":"2026-06-01T00:00:00Z","source_address":null,"body":"{}"}"# + "\n"),
    Sample(.postbacks, #"[{"version":"4.0","transaction-id":"6aafb7a5-0170-41b5-bbe4-fe71dedf1e28"}]"#),
    Sample(.counts, #"{"simulated":{"total":{"installs":1}}}"#),
    Sample(.privateKey, "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n"),
    Sample(
      .plist,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">\n<plist/>\n"
    ),
    Sample(.utf16, "a model in UTF-16", [0xFF, 0xFE] + utf16),
    Sample(.utf16, "a model without a mark", utf16),
    Sample(.zip, "an archive", Array("PK\u{3}\u{4}....".utf8)),
  ]
}
