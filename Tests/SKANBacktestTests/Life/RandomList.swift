import SKANDevice

/// A list of many phones with sessions, events and revenue, in the order of time; the same seed gives the same one.
struct RandomList {
  private var random: SplitMix64
  private(set) var lines: [String] = []

  init(seed: UInt64, phones: Int, steps: Int) {
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
    lines = (0..<phones).map { #"{"op":"device","device":"\#(seed)-\#($0)"}"# } + all.map(\.line)
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
      return
        #"{"op":"revenue",\#(head),"amount":\#(Double(cents) / 100),"currency":"USD","ad_monetization":\#(isAd)}"#
    }
  }

  var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}
