import SKANBase

/// The report of a closed loop, as the program prints it and as the phones imply it.
struct LoopReport {
  /// By network, campaign and window, each figure with its name.
  let groups: [String: [String: Int]]
  /// Duplicates, conflicts, invalid ones, and those that were not checked.
  let beside: [Int]

  init(_ text: String) throws {
    let report = try JSONReader.read(Array(text.utf8)).value
    groups = Dictionary(
      uniqueKeysWithValues: (report["simulated"]?["groups"]?.items ?? []).map { group in
        let names = ["network", "campaign", "window"].map { group["group"]?[$0]?.text ?? "" }
        return (names.joined(separator: " "), Self.figures(of: group))
      })
    beside = [
      ("simulated", "duplicates"), ("simulated", "conflicts"), ("unverified", "invalid"), ("unverified", "not_checked"),
    ]
    .map { report[$0.0]?["total"]?[$0.1]?.whole ?? 0 }
  }

  private static func figures(of group: JSON) -> [String: Int] {
    var figures: [String: Int] = [:]
    for name in [
      "postbacks", "installs", "redownloads", "not_won", "without_value", "decoded", "undecoded", "without_model",
    ] {
      figures[name] = group[name]?.whole
    }
    for value in group["fine_values"]?.items ?? [] {
      figures["fine \(value["value"]?.whole ?? -1)"] = value["postbacks"]?.whole
    }
    for window in 0...2 {
      for value in ["low", "medium", "high"] {
        let count = group["coarse_values"]?["p\(window)"]?[value]?.whole ?? 0
        if count > 0 { figures["coarse \(value)"] = count }
      }
    }
    for event in group["events"]?.items ?? [] { figures[event["event"]?.text ?? ""] = event["postbacks"]?.whole }
    for sum in group["revenue"]?.items ?? [] {
      figures["cents"] = sum["min"]?.cents
      figures["cents below"] = sum["below"]?.cents ?? 0
      figures["open-ended"] = sum["open_ended"]?.whole
    }
    return figures
  }

  /// What these postbacks come to.
  static func groups(of postbacks: [LoopPhone.Postback]) -> [String: [String: Int]] {
    var groups: [String: [String: Int]] = [:]
    for postback in postbacks {
      let name = "\(postback.network) \(postback.campaign) \(postback.window)"
      var figures =
        groups[name] ?? [
          "postbacks": 0, "installs": 0, "redownloads": 0, "not_won": 0, "without_value": 0, "decoded": 0,
          "undecoded": 0,
          "without_model": 0,
        ]
      func add(_ figure: String, _ count: Int = 1) { figures[figure, default: 0] += count }
      add("postbacks")
      let hasValue = postback.fine != nil || postback.coarse != nil
      if !postback.hasWon { add("not_won") } else if !hasValue { add("without_value") }
      if postback.window == 0, postback.hasWon { add(postback.isRedownload ? "redownloads" : "installs") }
      if let value = postback.fine { add("fine \(value)") }
      if let value = postback.coarse { add("coarse \(value)") }
      if hasValue { add("decoded") }
      if let event = postback.event { add(event) }
      if let (min, below) = postback.revenue {
        add("cents", min)
        add("cents below", below ?? 0)
        add("open-ended", below == nil ? 1 : 0)
      }
      groups[name] = figures
    }
    return groups
  }
}

extension JSON {
  fileprivate var items: [JSON]? { if case .array(let items) = self { items } else { nil } }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var whole: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

  fileprivate var cents: Int? {
    switch self {
    case .integer(let number): Int(number) * 100
    case .double(let number): Int((number * 100).rounded())
    default: nil
    }
  }
}
