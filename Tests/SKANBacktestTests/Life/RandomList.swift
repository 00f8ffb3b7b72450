import SKANDevice

/// A list of many phones with sessions, events and revenue, in the order of time; the same seed gives the same one.
struct RandomList {
  /// The keys of the phones' installs, one after the other.
  static let kinds = [
    "", #","ios":"14.5""#, #","ios":"15.4""#, #","ios":"16.0""#, #","snippet":"skan4-beta""#,
    #","ios":"15.0","snippet":"skan3""#, #","snippet":"skan3""#,
    #","settings":{"clock-start":"first_launch","window-edges":"end_included"}"#,
    #","settings":{"coarse-without":"keep","carry-over":"yes","fine-only-calls":"every_window"}"#,
    #","settings":{"coarse-without":"literal_none","after-lock":"error_10","after-windows":"error_10"}"#,
    #","ios":"16.0","settings":{"fine-only-calls":"every_window","carry-over":"yes","register-again":"ignored"}"#,
  ]

  private var random: SplitMix64
  private let currencies: [String]
  private(set) var lines: [String] = []

  /// - Parameters:
  ///   - kinds: those of the phones; only the usual one without them.
  ///   - currencies: those of amounts.
  init(seed: UInt64, phones: Int, steps: Int, kinds: [String] = [""], currencies: [String] = ["USD"]) {
    self.currencies = currencies
    random = SplitMix64(seed: seed)
    let start = 1_767_225_600
    var all: [(time: Int, line: String)] = []
    for phone in 0..<phones {
      let name = "\(seed)-\(phone)"
      let begin = start + Int(random.next(through: 86_400 * 10))
      all.append((begin, #"{"op":"register","device":"\#(name)","at":\#(begin)}"#))
      for _ in 0..<Int(random.next(through: UInt64(steps))) {
        // Most happens in the first days.
        let share = Double(random.next(through: 1000)) / 1000
        let time = begin + 1 + Int(share * share * 37 * 86_400)
        all.append((time, step(name, time)))
      }
    }
    all.sort { ($0.time, $0.line) < ($1.time, $1.line) }
    let installs = (0..<phones).map { #"{"op":"device","device":"\#(seed)-\#($0)"\#(kinds[$0 % kinds.count])}"# }
    lines = installs + all.map(\.line)
  }

  private mutating func step(_ name: String, _ time: Int) -> String {
    let head = #""device":"\#(name)","at":\#(time)"#
    let kind = random.next(through: 9)
    switch kind {
    case 0...3: return #"{"op":"session",\#(head)}"#
    case 4...6:
      let event = ["purchase", "tutorial_done", "level_up", "share"][Int(random.next(through: 3))]
      return #"{"op":"event",\#(head),"name":"\#(event)"}"#
    default:
      let cents = Int(random.next(through: 4000)) - 200
      let isAd = kind == 9
      let currency =
        currencies.count == 1 ? currencies[0] : currencies[Int(random.next(through: UInt64(currencies.count - 1)))]
      return
        #"{"op":"revenue",\#(head),"amount":\#(Double(cents) / 100),"currency":"\#(currency)","ad_monetization":\#(isAd)}"#
    }
  }

  var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}
