import Foundation
import SKANSystem
import Testing

@testable import SKANDevice

@Suite("Revenue")
struct RevenueTests {
  @Test(
    "SKAN 4 adds in single precision",
    arguments: [
      ([9.99], Double(Float(9.99))), ([0.1, 0.2], Double(Float(0.1) + Float(0.2))), ([16_777_216, 1], 16_777_216),
      ([16_777_216, 1, 1, 1], 16_777_216), ([1, 16_777_216], 16_777_216), ([5, -5], 0),
      ([4.99, -9.98], Double(Float(4.99) + Float(-9.98))),
      ([1e-50], 0), ([1.25, 2.5, -0.75], 3), ([3.4e38], Double(Float(3.4e38))), ([123_456_789], 123_456_792),
    ] as [([Double], Double)])
  func single(amounts: [Double], sum: Double) throws {
    for snippet in [SnippetVersion.skan4, .skan4Beta] {
      var device = Device.phone(snippet)
      for amount in amounts {
        #expect(
          try device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: moment(1)).outcome == .added)
      }
      #expect(device.kept.iapRevenue == RevenueTable([("USD", sum)]))
      #expect(device.kept.windowIAPRevenue[.p0] == RevenueTable([("USD", sum)]))
      #expect(device.kept.adRevenue == nil)
    }
  }

  @Test(
    "SKAN 3 narrows the old sum alone",
    arguments: [
      ([9.99], 9.99), ([0.1, 0.2], Double(Float(0.1)) + 0.2),
      ([0.1, 0.2, 0.3], Double(Float(Double(Float(0.1)) + 0.2)) + 0.3),
      ([16_777_216, 1], 16_777_217), ([16_777_216, 1, 1], 16_777_217), ([1e-50], 1e-50), ([1e-50, 1], 1), ([5, -5], 0),
    ] as [([Double], Double)])
  func mixed(amounts: [Double], sum: Double) throws {
    var device = Device.phone(.skan3)
    for amount in amounts { _ = try device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: moment(1)) }
    #expect(device.kept.iapRevenue == RevenueTable([("USD", sum)]))
  }

  @Test(
    "Which sums an amount goes into",
    arguments: [
      (60, .p0), (2 * day, .p1), (7 * day, .p2), (35 * day, nil), (-day, .p0),
    ] as [(Int64, ConversionWindow?)], [false, true])
  func indices(_ example: (seconds: Int64, window: ConversionWindow?), isAd: Bool) throws {
    var device = Device.phone()
    var expected = device.kept
    let report = try device.addRevenue(2.5, currency: "EUR", isAdMonetization: isAd, at: moment(example.seconds))
    let table = RevenueTable([("EUR", 2.5)])
    if isAd { expected.adRevenue = table } else { expected.iapRevenue = table }
    if let window = example.window {
      if isAd { expected.windowAdRevenue[window] = table } else { expected.windowIAPRevenue[window] = table }
    }
    #expect(device.kept == expected)
    #expect(report.codes == (example.window == nil ? ["revenue-outside-windows"] : []))
    #expect(report.framework == nil && report.handler == nil)
  }

  @Test("Never registered: the life-long sum alone; no iOS check; no lock, no poison")
  func unregistered() throws {
    var device = Device.phone(ios: IOSVersion(9, 0), registered: false)
    device.process.isLockHeld = true
    device.kept.fineValue = .string("x")
    let report = try device.addRevenue(1, currency: "USD", isAdMonetization: false, at: moment(0))
    #expect(report.outcome == .added)
    #expect(report.codes == ["revenue-outside-windows"])
    #expect(device.kept.iapRevenue == RevenueTable([("USD", 1)]))
    #expect(device.kept.windowIAPRevenue == PerWindow(repeating: nil))
  }

  @Test(
    "Ignored",
    arguments: [
      (.skan4, "17.4", 0, "USD"), (.skan4, "17.4", -0.0, "USD"), (.skan4, "17.4", 1, nil), (.skan4, "17.4", 0, nil),
      (.skan3, "17.4", 0, "USD"), (.skan3, "17.4", 1, nil), (.skan3, "13.7", 1, "USD"),
    ] as [(SnippetVersion, String, Double, String?)])
  func ignored(snippet: SnippetVersion, ios: String, amount: Double, currency: String?) throws {
    var device = Device.phone(snippet, ios: try #require(IOSVersion(ios)))
    let before = device
    #expect(
      try device.addRevenue(amount, currency: currency, isAdMonetization: false, at: moment(1)).outcome == .ignored)
    #expect(device == before)
  }

  @Test("SKAN 3 has one total, and no window", arguments: [60, 40 * day] as [Int64])
  func merged(seconds: Int64) throws {
    var device = Device.phone(.skan3)
    _ = try device.addRevenue(1, currency: "USD", isAdMonetization: false, at: moment(seconds))
    let report = try device.addRevenue(2, currency: "USD", isAdMonetization: true, at: moment(seconds))
    #expect(report.codes == ["ad-revenue-merged"])
    #expect(device.kept.iapRevenue == RevenueTable([("USD", 3)]))
    #expect(device.kept.adRevenue == nil)
  }

  @Test("Currencies are kept as given, and a sum of 0 stays")
  func currencies() throws {
    var device = Device.phone()
    for (currency, amount) in [("usd", 1.0), ("USD", 2), ("", 3), ("USD", -2), ("é", 4)] {
      _ = try device.addRevenue(amount, currency: currency, isAdMonetization: false, at: moment(1))
    }
    #expect(device.kept.iapRevenue == RevenueTable([("", 3), ("USD", 0), ("usd", 1), ("é", 4)]))
  }

  @Test(
    "What would make every later request crash is refused, and nothing is changed",
    arguments: [
      ([.nan], .amountNotFinite), ([.infinity], .amountNotFinite), ([-.infinity], .amountNotFinite),
      ([1e39], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
      ([-1e39], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
      ([3e38, 1e38], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
      ([-3e38, -1e38], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
    ] as [([Double], RevenueError)], SnippetVersion.allCases)
  func refused(_ example: (amounts: [Double], error: RevenueError), snippet: SnippetVersion) throws {
    var device = Device.phone(snippet)
    _ = try device.addRevenue(1, currency: "EUR", isAdMonetization: false, at: moment(1))
    for amount in example.amounts.dropLast() {
      _ = try device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: moment(1))
    }
    let before = device
    let last = try #require(example.amounts.last)
    #expect(throws: example.error) {
      try device.addRevenue(last, currency: "USD", isAdMonetization: false, at: moment(2))
    }
    #expect(device == before)
  }

  @Test("A window's sum can be too large while the life-long one is not")
  func windowSum() throws {
    var device = Device.phone()
    _ = try device.addRevenue(-3e38, currency: "USD", isAdMonetization: true, at: moment(1))
    _ = try device.addRevenue(3e38, currency: "USD", isAdMonetization: true, at: moment(3 * day))
    let before = device
    #expect(throws: RevenueError.sumTooLarge(entry: "p1_total_admon_revenue")) {
      try device.addRevenue(2e38, currency: "USD", isAdMonetization: true, at: moment(3 * day))
    }
    #expect(device == before)
  }
}

@Suite("Revenue tables")
struct RevenueTableTests {
  @Test(
    "As the request writes them",
    arguments: [
      ([], "{}"), ([("USD", 1)], #"{"USD":1}"#), ([("USD", 0)], #"{"USD":0}"#), ([("USD", -0.0)], #"{"USD":-0}"#),
      ([("EUR", Double(Float(9.99)))], #"{"EUR":9.9899997711181641}"#),
      ([("EUR", 9.99)], #"{"EUR":9.9900000000000002}"#),
      ([("USD", 1), ("EUR", 2.5)], #"{"EUR":2.5,"USD":1}"#),
      ([("usd", 1), ("USD", 2), ("", 3)], #"{"":3,"USD":2,"usd":1}"#),
      ([("é", 1), ("z", 2)], #"{"z":2,"é":1}"#), ([("a/b\"\\", 1)], #"{"a\/b\"\\":1}"#),
      ([("\n\r\t\u{8}\u{C}\u{1}\u{1F}", 1)], #"{"\n\r\t\b\f\u0001\u001f":1}"#),
      ([("\u{7F}\u{2028}", 1)], "{\"\u{7F}\u{2028}\":1}"),
      ([("A", -4.5), ("B", 0.1)], #"{"A":-4.5,"B":0.10000000000000001}"#), ([("A", 1e20)], #"{"A":1e+20}"#),
      ([("A", Double(Float.greatestFiniteMagnitude))], #"{"A":3.4028234663852886e+38}"#),
      ([("A", 123_456_789)], #"{"A":123456789}"#),
      ([("A", Double(Float(0.05)))], #"{"A":0.05000000074505806}"#), ([("A", 1e-7)], #"{"A":9.9999999999999995e-08}"#),
    ] as [([(String, Double)], String)])
  func requestText(sums: [(String, Double)], expected: String) {
    let table = RevenueTable(sums.map { (currency: $0.0, amount: $0.1) })
    #expect(table.requestText.utf8.elementsEqual(expected.utf8), "\(table.requestText)")
    var added = RevenueTable()
    for (currency, amount) in sums.reversed() { added[currency] = amount }
    #expect(added == table)
  }

  @Test("A sum is found among few and among many", arguments: [0, 1, 2, 7, 8, 9, 10, 31, 1000])
  func lookUp(count: Int) {
    let names = (0..<count).map { "\($0 * 2)" }
    let table = RevenueTable(names.enumerated().map { (currency: $1, amount: Double($0)) })
    for (index, name) in names.enumerated() { #expect(table[name] == Double(index)) }
    for index in 0...count { #expect(table["\(index * 2 + 1)"] == nil) }
    #expect(table[""] == nil && table["z"] == nil)
  }

  @Test("Entries are set, changed and removed, in code point order")
  func entries() {
    var table = RevenueTable()
    #expect(table["USD"] == nil)
    for (currency, amount) in [("USD", 1.0), ("EUR", 2), ("usd", 3), ("USD", 4), ("", 0)] { table[currency] = amount }
    #expect(table.sums.map(\.currency) == ["", "EUR", "USD", "usd"])
    #expect(table.sums.map(\.amount) == [0, 2, 4, 3])
    #expect(table["USD"] == 4)
    #expect(table["Usd"] == nil)
    table["EUR"] = nil
    table["GBP"] = nil
    #expect(table.sums.map(\.currency) == ["", "USD", "usd"])
  }

  @Test("Two spellings of one character are two currencies")
  func literal() {
    var table = RevenueTable()
    table["\u{E9}"] = 1
    table["e\u{301}"] = 2
    #expect(table.sums.count == 2)
    #expect(table["\u{E9}"] == 1)
    #expect(table != RevenueTable([("\u{E9}", 1), ("\u{E9}", 2)]))
  }

  @Test(
    "Numbers with 16 and 17 digits",
    arguments: [
      (1.7, "1.7", "1.7"), (5, "5", "5"), (-0.0, "-0", "-0"), (0.1, "0.1", "0.10000000000000001"),
      (Double(Float(9.99)), "9.989999771118164", "9.9899997711181641"), (1e100, "1e+100", "1e+100"),
      (1_234_567_890_123_456_768, "1.234567890123457e+18", "1.2345678901234568e+18"),
      (-1.797_693_134_862_315_7e308, "-1.797693134862316e+308", "-1.7976931348623157e+308"),
    ] as [(Double, String, String)])
  func digits(number: Double, sixteen: String, seventeen: String) {
    #expect(System.text(of: number, digits: 16) == sixteen)
    #expect(System.text(of: number, digits: 17) == seventeen)
  }

  @Test(
    "Read of the usual text of a request, and of no other",
    arguments: [
      (#"{"USD":9.99}"#, [("USD", 9.99)]), (#"{"USD":-3,"EUR":0.5}"#, [("EUR", 0.5), ("USD", -3)]),
      (#"{"EUR":0}"#, [("EUR", 0)]), ("{}", nil), ("", nil), (#"{"USD":1,"USD":2}"#, nil), (#"{"USD":1,}"#, nil),
      (#"{"USD":1}x"#, nil), (#"{"USD": 1}"#, nil), (#"{"usd":1}"#, nil), (#"{"USD":1e2}"#, nil), (#"{"USD":-0}"#, nil),
      (#"{"USD":"1"}"#, nil), (#"{"USD":1,"EUR":2,"GBP":3}"#, nil), (#"{"USD":1"#, nil),
    ] as [(String, [(String, Double)]?)])
  func plainText(text: String, sums: [(String, Double)]?) {
    var text = text
    let table = text.withUTF8 { unsafe RevenueTable(plain: $0) }
    #expect(table == sums.map { RevenueTable($0.map { (currency: $0.0, amount: $0.1) }) })
  }

  @Test func `Numbers as printf prints them`() {
    var numbers = [
      0.001, 0.001.nextDown, 0.0099999999999999985, 9.5, 99.995, 0.1.nextDown, 1.nextDown, 1e15, 1e15.nextDown,
    ]
    numbers += (0..<16).flatMap { digits in [1, 10, 100].map { pow(10, Double(digits)) - 1 / $0 } }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let size = pow(10, Double.random(in: -5...17, using: &generator))
      numbers += [size, Double(Float(size)), (size * 100).rounded() / 100, -size, (size * 8).rounded() / 8]
    }
    for number in numbers {
      #expect(System.text(of: number, digits: 16) == String(format: "%.16g", number), "\(number)")
      #expect(System.text(of: number, digits: 17) == String(format: "%.17g", number), "\(number)")
    }
  }
}

@Suite("Revenue that an app adds again")
struct RevenueAgainTests {
  private enum Step: Equatable {
    case add(Double, String = "USD", isAd: Bool = false)
    case event(Outcome, name: String = "buy")
    /// Added again for the event of this name.
    case again(Double, String = "USD", isAd: Bool = false, of: String = "buy")
  }

  /// Each step says what is expected of it.
  private static func run(_ steps: [Step], _ snippet: SnippetVersion = .skan4) throws {
    var device = Device.phone(snippet)
    for (index, step) in steps.enumerated() {
      switch step {
      case .event(let outcome, let name): device.note(event: name, outcome)
      case .add(let amount, let currency, let isAd), .again(let amount, let currency, let isAd, _):
        let report = try device.addRevenue(amount, currency: currency, isAdMonetization: isAd, at: moment(1))
        let found = report.warnings.filter { $0.kind == .revenueAgain }
        var expected: [Warning] = []
        if case .again(_, _, _, let event) = step { expected = [.revenueAgain(amount, currency, event: event)] }
        #expect(found == expected, "step \(index) of \(steps)")
        #expect(report.hasFinding == (!expected.isEmpty || currency.isEmpty))
        // Last of all, so that an expectation of another warning by its index holds.
        if !expected.isEmpty { #expect(report.warnings.last == expected.first) }
      }
    }
  }

  @Test("After an update that told the app of an error, and after no other", arguments: Outcome.allCases)
  func outcomes(outcome: Outcome) throws {
    let errors: Set<Outcome> = [.transportError, .unparsable, .serverError, .illegalValues, .frameworkError]
    for snippet in SnippetVersion.allCases {
      try Self.run([.add(5), .event(outcome), errors.contains(outcome) ? .again(5) : .add(5)], snippet)
    }
  }

  @Test("The same amount, currency and kind, until the event succeeds")
  func rules() throws {
    let failed = Step.event(.transportError)
    try Self.run([.add(5), failed, .add(5.01), .add(-5), .add(5, "EUR"), .add(5, isAd: true), .again(5)])
    try Self.run([.add(5, "usd"), failed, .add(5), .add(5, ""), .again(5, "usd")])
    try Self.run([.add(5, ""), failed, .add(5, "usd"), .again(5, "")])
    try Self.run([.add(5, isAd: true), failed, .add(5), .again(5, isAd: true)])
    try Self.run([.add(-5), failed, .again(-5)])
    // Two in a row are two purchases, and only the last one is the event's.
    try Self.run([.add(5), .add(5), failed, .again(5)])
    try Self.run([.add(3), .add(5), failed, .add(3), .again(5)])
    // A second try that fails, and one that succeeds; then it is a new purchase.
    try Self.run([.add(5), failed, .again(5), failed, .again(5), .event(.updated), .add(5), .event(.updated), .add(5)])
    try Self.run([.add(5), failed, .event(.noUpdate), .add(5)])
    try Self.run([.add(5), failed, .event(.notHigher), .add(5)], .skan3)
    // A drop or a crash says nothing of the event, and neither does another event.
    try Self.run([.add(5), failed, .event(.blocked), .again(5)])
    try Self.run([.add(5), failed, .event(.crashed), .event(.updated, name: "level"), .again(5)])
    try Self.run([.add(5), .event(.serverError, name: "a"), .add(7), failed, .again(5, of: "a"), .again(7)])
    // Revenue before another event is not that of the failed one.
    try Self.run([.add(5), .event(.updated, name: "level"), failed, .add(5)])
  }

  @Test("Many events that fail are remembered up to a bound")
  func bound() throws {
    var device = Device.phone()
    for amount in 1...100 {
      _ = try device.addRevenue(Double(amount), currency: "USD", isAdMonetization: false, at: moment(1))
      device.note(event: "buy", .transportError)
    }
    let codes = try [100.0, 94, 50].map {
      try device.addRevenue($0, currency: "USD", isAdMonetization: false, at: moment(1)).codes
    }
    #expect(codes == [["revenue-again"], ["revenue-again"], []])
  }

  @Test("The history of a device file has it, too")
  func history() throws {
    func event(_ kind: LifeEvent.Kind, _ outcome: Outcome) -> LifeEvent { LifeEvent(at: moment(1), kind, outcome) }
    let added = event(.revenue(amount: 5, currency: "USD", isAdMonetization: false), .added)
    let ignored = event(.revenue(amount: 5, currency: "USD", isAdMonetization: false), .ignored)
    let (failed, updated) = (event(.event("buy"), .transportError), event(.event("buy"), .updated))
    for (history, codes) in [
      ([added, failed], ["revenue-again"]), ([added, event(.session, .transportError)], []), ([ignored, failed], []),
      ([added, failed, updated], []), ([added, failed, event(.relaunch, .relaunched)], ["revenue-again"]), ([], []),
    ] {
      var device = Device.phone()
      device.recallRevenue(of: history)
      #expect(try device.addRevenue(5, currency: "USD", isAdMonetization: false, at: moment(1)).codes == codes)
    }
  }
}
