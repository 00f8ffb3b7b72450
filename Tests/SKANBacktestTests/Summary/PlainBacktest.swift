import SKANBase
import SKANDevice
import SKANRun

@testable import SKANBacktest
@testable import SKANModel

/// A second evaluation of a backtest, from the rules of the article "Backtests" alone: each device is run row by row, and
/// each number of the report, the CSV and the list of devices is counted from the rows.
struct PlainBacktest {
  static let rates = ["USD": 1.0, "EUR": 0.5]
  static let session = "__SESSION__"
  static let day = 86_400
  static let ends = [2 * day, 7 * day, 35 * day]
  /// From the end of a window to the middle of the time in which its postback leaves.
  private static let delays = [36 * 3600, 84 * 3600, 84 * 3600]

  struct Row {
    /// Seconds after the install.
    var age: Int
    /// Empty for revenue without an event.
    var name: String
    /// In millionths of the currency.
    var amount: Int?
    var currency = "USD"

    /// The amount in millionths of a dollar.
    var micros: Int { amount.map { Int(Double($0) / (PlainBacktest.rates[currency] ?? 0)) } ?? 0 }
  }

  struct Device {
    let name: String
    let group: String
    /// Unix seconds.
    let install: Int
    /// In order of time.
    var rows: [Row]
  }

  let models: [ConversionModel]
  let names: [String]
  /// The end of what was observed, in Unix seconds.
  let until: Int
  /// The numbers of the report by path, those of groups behind `[group]`.
  private var groups: [String: [String: Int]] = [:]
  private(set) var input: [String: Int] = [:]
  /// The rows of the list of devices.
  private(set) var lines: Set<String> = []

  init(_ devices: [Device], _ models: [ConversionModel], until: Int) {
    (self.models, self.until) = (models, until)
    names = Set(models.flatMap(\.eventNames)).subtracting([Self.session]).sorted()
    for device in devices { count(device) }
  }

  // MARK: A device

  /// The values that Apple and the app hold of a device at its end.
  private struct Life {
    var fine = 0
    var coarse = [0, 0, 0]
    var leaves = [true, false, false]
    var locked: [Int?] = [nil, nil, nil]
    /// The app's values, which know no locks.
    var kept = (fine: 0, coarse: [Int?](repeating: nil, count: 3))
    /// Events by path: `all.seen_p0`.
    var events: [String: Int] = [:]
  }

  private static func window(_ age: Int) -> Int? { ends.firstIndex { age < $0 } }

  /// The time from the install to the beginning, which the first session makes if nothing else comes before it.
  static func offset(_ device: Device) -> Int {
    let first = device.rows.first { $0.age >= 0 && $0.name != "install" }
    return first.map { $0.name == session && $0.age <= 3600 ? $0.age : 0 } ?? 0
  }

  private func run(_ model: ConversionModel, _ rows: [Row], _ ended: Int, locks: Bool = true) -> Life {
    var life = Life()
    var counts = [[String: Int]](repeating: [:], count: 3)
    var revenue = [0, 0, 0]
    for row in rows {
      let window = Self.window(row.age)
      if ended < 3, window ?? 3 >= ended { continue }
      if !row.name.isEmpty {
        let place = window.map { life.locked[$0] == nil ? "seen_p\($0)" : "after_lock" } ?? "after_windows"
        for name in ["all", row.name] { life.events["\(name).\(place)", default: 0] += 1 }
      }
      guard let window else { continue }
      revenue[window] += row.micros
      let hours = row.age / 3600
      if row.name.isEmpty || hours >= model.measurementHours ?? .max { continue }
      counts[window][row.name, default: 0] += 1
      func holds(_ mapping: ValueMapping) -> Bool {
        guard hours >= mapping.minHours ?? .min, hours < mapping.maxHours ?? .max else { return false }
        return mapping.events.allSatisfy { event in
          let count = Int64(counts[window][event.name] ?? 0)
          let isPaid = event.revenue?.holds(Double(revenue[window]) / 1e6)
          return event.isRevenueOnly
            ? isPaid ?? (revenue[window] > 0)
            : count >= event.occurrence?.min ?? 1 && count <= event.occurrence?.max ?? .max && isPaid ?? true
        }
      }
      let stated = window == 0 ? model.coarseByFine[life.kept.fine].map { Int($0) } : life.kept.coarse[window]
      if window == 0 {
        life.kept.fine = model.fine.filter { holds($0.mapping) }.map { Int($0.value) }.reduce(life.kept.fine, max)
      }
      let place = ConversionWindow.allCases[window]
      let classes = model.windows[place].coarse.filter { holds($0.mapping) }.map { Int($0.value.number) }
      let coarse = (classes + [stated].compactMap(\.self)).max()
      life.kept.coarse[window] = coarse
      if life.locked[window] != nil { continue }
      if window == 0 { life.fine = life.kept.fine }
      (life.coarse[window], life.leaves[window]) = (coarse.map { $0 + 1 } ?? 0, true)
      let reached =
        switch model.windows[place].lock {
        case .fine(let least)?: life.kept.fine >= least
        case .coarse(let least)?: coarse ?? -1 >= least.number
        case .event(let name)?: row.name == name
        case nil: false
        }
      if locks, reached { life.locked[window] = row.age }
    }
    return life
  }

  // MARK: Counts

  private mutating func count(_ device: Device) {
    let offset = Self.offset(device)
    let start = device.install + offset
    let actions = device.rows.filter { $0.name != "install" }
    var rows = actions.filter { $0.age >= offset }
    for index in rows.indices { rows[index].age -= offset }
    rows.removeAll { start + $0.age > until }
    let ended = Self.ends.count { start + $0 <= until }
    for (name, number) in [
      ("rows", device.rows.count), ("devices", 1), ("rows_before_beginning", actions.count { $0.age < offset }),
      ("revenues", actions.count { $0.amount != nil }), ("devices_unfinished", ended < 3 ? 1 : 0),
    ] { input[name, default: 0] += number }
    let lives = models.map { run($0, rows, ended) }
    let total = (0..<3).map { window in rows.filter { Self.window($0.age) == window }.reduce(0) { $0 + $1.micros } }
    for group in ["", device.group] {
      var counts = groups[group] ?? [:]
      for (index, model) in models.enumerated() {
        let place = index == 0 ? "with_model" : "with_others[\(index - 1)]"
        count(model, lives[index], run(model, rows, ended, locks: false), rows, total, start, ended) { path, number in
          counts["\(place).\(path)", default: 0] += number
        }
        if index > 0 {
          for (path, isDifferent) in Self.changes(lives[0], lives[index]) where isDifferent {
            counts["changes[\(index - 1)].\(path)", default: 0] += 1
          }
        }
      }
      groups[group] = counts
    }
    list(device, lives, total, start, ended)
  }

  private static func changes(_ one: Life, _ two: Life) -> [(path: String, isDifferent: Bool)] {
    [
      ("any", one.fine != two.fine || one.coarse != two.coarse), ("fine_higher", two.fine > one.fine),
      ("fine_lower", two.fine < one.fine),
    ] + (0..<3).map { ("coarse.p\($0)", one.coarse[$0] != two.coarse[$0]) }
  }

  /// The sum to which a value is decoded.
  private func decoded(_ mapping: ValueMapping?) -> Int? {
    guard let range = mapping?.events.compactMap(\.revenue).first else { return nil }
    return Int((range.max.map { (range.min + $0) / 2 } ?? range.min) * 1e6)
  }

  private func decoded(_ model: ConversionModel, fine: Int) -> Int? {
    decoded(model.fine.first { $0.value == Int64(fine) }?.mapping)
  }

  private func decoded(_ model: ConversionModel, _ coarse: Int, in window: Int) -> Int {
    let mappings = model.windows[ConversionWindow.allCases[window]].coarse
    return decoded(mappings.first { $0.value.number == Int64(coarse - 1) }?.mapping) ?? 0
  }

  /// The fine values that a report lists: those of mappings, and those that users have.
  private func listed(_ model: ConversionModel, _ users: (Int) -> Bool) -> [Int] {
    (0..<64).filter { value in users(value) || model.fine.contains { $0.value == Int64(value) } }
  }

  private func count(
    _ model: ConversionModel, _ life: Life, _ free: Life, _ rows: [Row], _ total: [Int], _ start: Int, _ ended: Int,
    _ add: (String, Int) -> Void
  ) {
    add("devices", 1)
    if ended == 0 { return }
    let told = decoded(model, fine: life.fine) ?? 0
    for (window, count) in (0..<ended).map({ ($0, total[...$0].reduce(0, +)) }) {
      let days = ["48h", "7d", "35d"][window]
      for path in ["revenue_\(days)_micros", "fine \(life.fine) revenue_\(days)_micros"] { add(path, count) }
      add("fine \(life.fine) \(window == 0 ? "users" : "users_\(days)")", 1)
    }
    for path in ["", "fine \(life.fine) "] {
      add("\(path)decoded_micros", told)
      add("\(path)error_micros", abs(told - total[0]))
    }
    if life.fine == 0 { add("at_zero", 1) }
    if Int64(life.fine) == model.fine.map(\.value).max() { add("at_highest", 1) }
    for (tier, coarse) in [0, life.coarse[0], 0, 0].enumerated() {
      let kind = tier > 1 ? "fine" : coarse > 0 ? "coarse" : "without_value"
      let left = tier > 1 ? told : tier == 1 ? decoded(model, coarse, in: 0) : 0
      add("tiers[\(tier)].\(kind)", 1)
      add("tiers[\(tier)].decoded_micros", left)
      add("tiers[\(tier)].error_micros", abs(left - total[0]))
    }
    for window in 0..<ended {
      let own = rows.filter { Self.window($0.age) == window }
      add("devices_by_window.p\(window)", 1)
      add("gross_revenue_micros.p\(window)", own.reduce(0) { $0 + max(0, $1.micros) })
      let cell = "coarse_values.p\(window).\(["none", "low", "medium", "high"][life.coarse[window]])"
      let told = decoded(model, life.coarse[window], in: window)
      add("\(cell).users", 1)
      add("\(cell).revenue_micros", total[window])
      add("\(cell).decoded_micros", told)
      add("\(cell).error_micros", abs(told - total[window]))
      if life.leaves[window] {
        let leaves = (life.locked[window] ?? Self.ends[window]) + Self.delays[window]
        add("postbacks.p\(window).postbacks", 1)
        add("postbacks.p\(window).seconds", leaves)
        add("postbacks_by_day.\(Instant.date(of: (start + leaves) / Self.day))[\(window)]", 1)
      }
      guard let locked = life.locked[window] else { continue }
      add("locks.p\(window).locks", 1)
      add("locks.p\(window).seconds_gained", Self.ends[window] - locked)
      add("locks.p\(window).revenue_after_micros", own.filter { $0.age > locked }.reduce(0) { $0 + $1.micros })
      if life.coarse[window] != free.coarse[window] || window == 0 && life.fine != free.fine {
        add("locks.p\(window).values_changed", 1)
      }
    }
    for (path, count) in life.events where (["all"] + names).contains(where: { path.hasPrefix("\($0).") }) {
      add("events.\(path)", count)
    }
  }

  private mutating func list(_ device: Device, _ lives: [Life], _ total: [Int], _ start: Int, _ ended: Int) {
    func cells(_ cell: (Int) -> String) -> [String] { (0..<3).map { $0 < ended ? cell($0) : "" } }
    let values = lives.map { life in
      [ended > 0 ? "\(life.fine)" : ""] + cells { ["none", "low", "medium", "high"][life.coarse[$0]] }
        + cells { life.locked[$0].map { "\($0)" } ?? "" }
    }
    let revenue = cells { Self.money(total[...$0].reduce(0, +)) }
    let beginning = "\(Instant(microseconds: Int64(start) * 1_000_000))"
    lines.insert(
      ([device.name, device.group] + values[0] + revenue + [beginning] + values.dropFirst().joined())
        .joined(separator: ","))
  }

  /// An amount of quarters with six decimals.
  private static func money(_ micros: Int) -> String {
    "\(micros < 0 ? "-" : "")\(abs(micros) / 1_000_000).\(["00", "25", "50", "75"][abs(micros) / 250_000 % 4])0000"
  }

  // MARK: The report

  /// The numbers of the report by path, without zeros.
  var report: [String: Int] {
    var report = Dictionary(uniqueKeysWithValues: input.map { ("input.\($0.key)", $0.value) })
    for (index, name) in groups.keys.sorted().enumerated() {
      let place = index == 0 ? "total" : "groups[\(index - 1)].counts"
      for (path, number) in groups[name] ?? [:] where !path.contains("fine ") { report["\(place).\(path)"] = number }
      for (index, model) in models.enumerated() {
        let own = index == 0 ? "with_model" : "with_others[\(index - 1)]"
        let counts = groups[name] ?? [:]
        for (row, value) in listed(model, { counts["\(own).fine \($0) users"] != nil }).enumerated() {
          let path = "\(place).\(own).fine_values[\(row)]"
          (report["\(path).value"], report["\(path).decodes_to_micros"]) = (value, decoded(model, fine: value))
          for (key, number) in counts where key.hasPrefix("\(own).fine \(value) ") {
            report["\(path).\(key.split(separator: " ")[2])"] = number
          }
        }
        for tier in 0..<4 { report["\(place).\(own).tiers[\(tier)].tier"] = tier }
      }
    }
    return report.filter { $0.value != 0 }
  }

  /// A number of all devices.
  private func number(_ path: String) -> Int { groups[""]?[path] ?? 0 }

  /// The sum of the errors of all three postbacks of each model, and the sum of their averages.
  var errors: [(sum: Int, average: Double)] {
    models.indices.map { index in
      let own = index == 0 ? "with_model" : "with_others[\(index - 1)]"
      let errors = (0..<3).map { window in
        window == 0
          ? number("\(own).error_micros")
          : ["none", "low", "medium", "high"].reduce(0) {
            $0 + number("\(own).coarse_values.p\(window).\($1).error_micros")
          }
      }
      let average = (0..<3).reduce(0.0) { sum, window in
        let devices = number("\(own).devices_by_window.p\(window)")
        return devices == 0 ? sum : sum + Double(errors[window]) / Double(devices)
      }
      return (errors.reduce(0, +), average)
    }
  }
}
