/// One of many phones of a list, and what a receiver must make of its postbacks, worked out from what the list says and
/// `fixtures/models/mixed.json`, without the program.
struct LoopPhone {
  private let number: Int

  init(_ number: Int) { self.number = number }

  var name: String { "p\(number)" }
  private var isOrganic: Bool { number % 20 == 19 }
  private var isOld: Bool { number % 8 == 6 }
  private var hasWon: Bool { number % 10 != 8 }
  private var isRedownload: Bool { number % 7 == 3 }
  private var tier: Int { number / 3 % 4 }
  private var network: String { number % 2 == 0 ? "a.example" : "b.example" }
  /// Days after the first with a session, and whether something is bought then.
  private var laterDays: [(day: Int, buys: Bool)] {
    (number % 3 == 0 ? [(3, number % 6 == 0)] : []) + (number % 5 == 0 ? [(10, number % 10 == 0)] : [])
  }

  /// What happens on the first day: the event with its revenue, and the values that the model has for it.
  private var firstDay: (event: String?, revenue: Int?, fine: Int, coarse: String) {
    switch number % 5 {
    case 0: (nil, nil, 1, "low")
    case 1: ("tutorial_done", nil, 10, "low")
    case 2: ("purchase", 3, 12, "medium")
    case 3: ("purchase", 10, 20, "medium")
    default: ("purchase", 30, 40, "high")
    }
  }

  /// Its steps, the last of which lists its postbacks.
  var steps: [String] {
    let source = isOld ? #""campaign":42"# : #""source_identifier":"5239""#
    let ad =
      isOrganic
      ? "false"
      : #"{"version":"\#(isOld ? "3.0" : "4.0")","network":"\#(network)","app_id":1234567890,\#(source),"tier":\#(tier),"won":\#(hasWon)"#
        + #","redownload":\#(isRedownload)}"#
    func step(_ text: String) -> String { "{\"device\":\"\(name)\",\(text)}" }
    var steps = [
      step(#""op":"device","ios":"17.4","ad":\#(ad)"#), step(#""op":"register","at":"2026-01-01T00:00:00Z""#),
      step(#""op":"session","after":"1m""#),
    ]
    func buy(_ amount: Int) { steps.append(step(#""op":"revenue","amount":\#(amount),"currency":"USD""#)) }
    if let amount = firstDay.revenue { buy(amount) }
    if let event = firstDay.event { steps.append(step(#""op":"event","name":"\#(event)","after":"1m""#)) }
    for (day, buys) in laterDays {
      steps.append(step(#""op":"session","at":"+\#(day)d""#))
      if buys {
        buy(25)
        steps.append(step(#""op":"event","name":"purchase","after":"1m""#))
      }
    }
    return steps + [step(#""op":"postbacks","at":"+45d""#)]
  }

  /// The postbacks that leave it.
  var postbacks: [Postback] {
    if isOrganic { return [] }
    var first = Postback(network: network, window: 0, hasWon: hasWon, isRedownload: isRedownload)
    first.campaign = isOld ? "42" : ["39", "39", "239", "5239"][tier]
    if hasWon, tier >= 2 { first.fine = firstDay.fine }
    if hasWon, tier == 1, !isOld { first.coarse = firstDay.coarse }
    if isOld || !hasWon || tier == 0 { return [first] }
    return [first]
      + laterDays.map { day, buys in
        var later = Postback(network: network, window: day < 7 ? 1 : 2, hasWon: true, isRedownload: isRedownload)
        later.coarse = buys ? "high" : "low"
        return later
      }
  }

  /// A postback as a report counts it.
  struct Postback: Hashable {
    let network: String
    var campaign = "39"
    let window: Int
    let hasWon: Bool
    let isRedownload: Bool
    var fine: Int?
    var coarse: String?

    /// The revenue that its value stands for, in cents; no upper end for a range without one.
    var revenue: (min: Int, below: Int?)? {
      switch (fine, coarse) {
      case (12?, _): (1, 500)
      case (20?, _): (500, 2000)
      case (40?, _), (_, "high"?): (2000, nil)
      case (_, "medium"?): (1, 2000)
      default: nil
      }
    }

    /// The event that its value stands for.
    var event: String? {
      switch (fine, coarse) {
      case (1?, _), (_, "low"?): "__SESSION__"
      case (10?, _): "tutorial_done"
      case (.some, _): "purchase"
      default: nil
      }
    }
  }
}
