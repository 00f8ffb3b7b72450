import SKANDevice

/// Lives of every kind, the same on every run.
enum RandomLives {
  private static let names = [
    "purchase", "level_up", "a<b>&\\\"c", "x\\u0001y", "日本語のイベント", "👩‍👩‍👧 family", "\\u202Egnp",
    String(repeating: "WMm", count: 60), "", "naïve",
  ]
  private static let installs = [
    #""snippet":"skan4""#, #""snippet":"skan4-beta""#, #""snippet":"skan3""#, #""ios":"18.0","clock":"developer""#,
    #""ad":false"#,
    #""build":"development""#, #""ios":"15.5""#, #""ios":"16.0""#, #""ad":{"version":"3.0","campaign":4}"#,
    #""ad":{"version":"4.0","won":false}"#, #""ios":"12.0""#, #""settings":{"coarse-without":"literal_none"}"#,
    #""settings":{"empty-window":"send_without_value"}"#,
  ]
  private static let answers = [
    #"{"json":{"status":"ok"}}"#, #"{"error":"no network"}"#, #"{"text":"<html>"}"#,
    #"{"json":{"conversion_value":64,"status":"ok"}}"#, #"{"json":{"conversion_value":"7","status":"ok"}}"#,
    #"{"json":{"conversion_value":null,"status":"ok"}}"#,
  ]

  static func list(seed: UInt64) -> String {
    var random = Numbers(generator: SplitMix64(seed: seed))
    var lines = [Line.install(random.one(of: installs))]
    var time = 0
    let steps = [1, 3, 12, 60, 300][random.next(5)]
    let paces: [[Int]] = [[0, 1, 5], [30, 90, 600], [3600, 7200, 1], [86_400, 43_200, 10], [86_400 * 9, 2]]
    let pace = random.one(of: paces)
    if random.next(5) > 0 { lines.append(Line.register) }
    for _ in 0..<steps {
      time += random.one(of: pace)
      lines.append(step(time, &random))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func step(_ time: Int, _ random: inout Numbers) -> String {
    let at = "\"at\":\(1_767_225_600 + time - (random.next(40) == 0 ? 500 : 0))"
    switch random.next(12) {
    case 0: return #"{"op":"relaunch",\#(at)}"#
    case 1: return #"{"op":"register",\#(at)}"#
    case 2, 3:
      let currency = random.one(of: ["USD", "", "a<\\u0002"])
      return
        #"{"op":"revenue",\#(at),"amount":\#(random.one(of: ["4.99", "-1e20", "1e-12"])),"currency":"\#(currency)"}"#
    case 4:
      return #"{"op":"event",\#(at),"name":"\#(random.one(of: names))","answer":\#(random.one(of: answers))}"#
    case 5: return #"{"op":"update",\#(at),"ios":"\#(random.one(of: ["15.0", "17.4"]))"}"#
    default:
      let values = #""conversion_value":\#(random.next(64)),"skan_updated_coarse_value":\#(random.next(3))"#
      let lock = random.next(9) == 0
      let answer = #"{"json":{\#(values),"skan_updated_lock_window_value":\#(lock),"status":"ok"}}"#
      return #"{"op":"event",\#(at),"name":"\#(random.one(of: names))","answer":\#(answer)}"#
    }
  }

  private struct Numbers {
    var generator: SplitMix64

    mutating func next(_ below: Int) -> Int { Int(generator.next() % UInt64(below)) }

    mutating func one<Value>(of values: [Value]) -> Value { values[next(values.count)] }
  }
}
