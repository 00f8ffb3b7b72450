import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Writing a step")
struct StepWriterTests {
  @Test(
    "Members in their documented order, those at their default left out",
    arguments: [
      (#"{"op":"details"}"#, nil), (#"{ "op":"relaunch", "device":"", "expect":{} }"#, #"{"op":"relaunch"}"#),
      (
        #"{"skip":"later","expect":{"outcome":"read","at":{"$between":[1,2.0]}},"label":"é","device":"a","after":90,"op":"details"}"#,
        #"{"op":"details","after":"1m30s","device":"a","label":"é","expect":{"outcome":"read","at":{"$between":[1,2.0]}},"skip":"later"}"#
      ),
      (#"{"op":"postbacks","at":1767225600}"#, #"{"op":"postbacks","at":"2026-01-01T00:00:00Z"}"#),
      (#"{"op":"details","at":1767225600.25}"#, #"{"op":"details","at":"2026-01-01T00:00:00.25Z"}"#),
      (
        #"{"op":"details","at":"2026-01-01T01:00:00+01:00"}"#, #"{"op":"details","at":"2026-01-01T00:00:00Z"}"#
      ),
      (#"{"op":"details","at":"+51h"}"#, #"{"op":"details","at":"+2d3h"}"#),
      (#"{"op":"details","after":"1m250ms"}"#, #"{"op":"details","after":"60.250000s"}"#),
      (#"{"op":"register","framework_error":10}"#, nil),
      (
        #"{"no_handler":false,"took":2.5,"answer":{"json":{"conversion_value":5.0}},"op":"session"}"#,
        #"{"op":"session","answer":{"status":200,"json":{"conversion_value":5.0}},"took":"2.500000s"}"#
      ),
      (
        #"{"op":"event","name":"$${x}","no_handler":true,"framework_error":-1,"answer":{"error":"timed out"}}"#,
        #"{"op":"event","name":"$${x}","answer":{"error":"timed out"},"framework_error":-1,"no_handler":true}"#
      ),
      (
        #"{"ad_monetization":true,"currency":null,"amount":5,"op":"revenue"}"#,
        #"{"op":"revenue","amount":5.0,"currency":null,"ad_monetization":true}"#
      ),
      (#"{"op":"revenue","amount":9.99,"currency":"USD"}"#, nil),
      (#"{"op":"update","ios":"17.4.0","app_version":"2","snippet":"skan3"}"#, nil),
      (#"{"op":"update","app_version":"2"}"#, nil),
      (#"{"op":"aak-update","fine":5}"#, nil),
      (#"{"op":"aak-update","fine":5,"coarse":"low","lock":true,"types":["install","reengagement"],"tag":"t.1"}"#, nil),
      // What an ad is of which nothing is said depends on the phone's clock.
      (#"{"op":"aak-reengage","url":"https://a.b/","eligible":false,"tag":"t"}"#, nil),
      (
        #"{"op":"aak-reengage","url":"https://a.b/","eligible":false,"tag":"t","tier":3}"#,
        #"{"op":"aak-reengage","url":"https://a.b/","eligible":false,"tag":"t","network":"example.adattributionkit","app_id":525463029,"source_identifier":"5239","publisher_id":1234567891,"marketplace":"com.apple.AppStore","tier":3}"#
      ),
      (#"{"op":"include","skip":"later","file":"a.jsonl"}"#, #"{"op":"include","skip":"later","file":"a.jsonl"}"#),
    ] as [(String, String?)])
  func lines(line: String, written: String?) throws {
    #expect(StepWriter(try listStep(line)).line == written ?? line)
  }

  @Test("A device step says its whole profile")
  func device() throws {
    let step = try listStep(#"{"op":"device","device":"a","ios":"18.0.0","idfv":null,"settings":{"tier2-digits":4}}"#)
    #expect(
      StepWriter(step).line
        == #"{"op":"device","device":"a","snippet":"skan4","ios":"18.0.0","bundle_id":"com.example.app","app_version":"1.0","idfv":null,"idfa":null,"build":"appstore","ad":{"version":"4.0","network":"com.example","app_id":525463029,"source_identifier":"5239","source_app_id":1234567891,"fidelity":1,"won":true,"redownload":false,"tier":3},"clock":"production","seed":0,"settings":{"tier2-digits":"4"}}"#
    )
  }

  @Test("A body as deep as a document may be goes out as text, where the line would be too deep")
  func depth() throws {
    for depth in [509, 510, 511, 512] {
      let body = #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
      var step = Step(.session(Step.Update()))
      step = step.answered(.response(status: 200, body: Array(body.utf8)))
      let line = StepWriter(step).line
      #expect(line.contains(#""json":"#) == (depth <= 510))
      #expect(try listStep(line).facts == step.facts)
    }
  }

  @Test("Every operation has one row, and writes a step that its row reads")
  func rows() throws {
    #expect(Set(OperationSpec.names).count == OperationSpec.all.count)
    let own = [
      "event": #","name":"n""#, "revenue": #","amount":1,"currency":"USD""#, "update": #","ios":"18.0""#,
      "include": #","file":"a","skip":"s""#, "s2s": #","kind":"event","name":"n""#,
      "aak-update": #","fine":5"#, "aak-reengage": #","url":"https://a.b/""#,
    ]
    for spec in OperationSpec.all {
      #expect("\(spec.subject)" == "a step with op \"\(spec.name)\"")
      let step = try listStep(#"{"op":"\#(spec.name)"\#(own[spec.name] ?? "")}"#)
      #expect(step.operation.name == spec.name)
      #expect(spec.takesPhone == step.operation.takesPhone)
    }
  }

  @Test("What is written of every step under fixtures reads back as the same step", arguments: FixtureListTests.lists)
  func fixtures(list: String) throws {
    let text = String(decoding: try Data(contentsOf: FixtureListTests.fixtures.appending(path: list)), as: UTF8.self)
    let steps = try read(text).compactMap(\.step)
    #expect(!steps.isEmpty)
    let written = steps.map { StepWriter($0).line }.joined(separator: "\n")
    #expect(try read(written).map { $0.step?.facts } == steps.map(\.facts))
  }

  @Test("A step at the time at which it runs has none in a list")
  func now() {
    #expect(StepWriter(Step(.details, time: .now)).line == #"{"op":"details"}"#)
  }
}

@Suite("Random steps, written and read again")
struct StepPropertyTests {
  @Test("The same step, and the same text the second time", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = RandomStep(seed: seed)
    for _ in Rounds.of(25) {
      let line = random.line()
      let step = try listStep(line)
      let written = StepWriter(step).line
      let again = try listStep(written)
      #expect(again.facts == step.facts, "\(line)\n\(written)")
      #expect(StepWriter(again).line == written, "\(line)")
    }
  }

  @Test("Every operation and every key comes, each of the forms of a time and an answer")
  func coverage() throws {
    var random = RandomStep(seed: 7)
    var seen: Set<String> = []
    for _ in 0..<1000 {
      let step = try listStep(random.line())
      let members = StepWriter(step).members
      seen.formUnion(members.map(\.key) + [step.operation.name])
      if let answer = members.first(where: { $0.key == "answer" })?.value {
        seen.formUnion(["json", "text", "base64", "error"].filter { answer.contains("\"\($0)\":") })
      }
      if let forward = members.first(where: { $0.key == "forward" })?.value {
        seen.formUnion(StepKey.names.filter { forward.contains("\"\($0)\":") })
      }
      switch step.time {
      case .at: seen.insert("instant")
      case .sinceFirst: seen.insert("since first")
      case .after, .now, nil: break
      }
    }
    let forms = ["json", "text", "base64", "error", "instant", "since first"]
    #expect(Set(StepKey.names + OperationSpec.names + forms).subtracting(seen) == [])
  }
}

/// Random lines of lists: every operation, every key, in every form that a list may have.
struct RandomStep {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  /// The members of a step, and whether each is there, are drawn one by one.
  mutating func line() -> String {
    let op = pick(OperationSpec.names)
    var members = [#""op":"\#(op)""#]
    func add(_ member: String?) { if let member { members.append(member) } }
    if op == "include" {
      return "{\(members[0]),\"file\":\(nonEmptyText()),\"skip\":\(nonEmptyText())}"
    }
    add(time())
    add(maybe { #""device":\#($0.text())"# })
    add(maybe { #""label":\#($0.text())"# })
    add(maybe { #""skip":\#($0.nonEmptyText())"# })
    add(maybe { #""expect":\#($0.expectations())"# })
    switch op {
    case "device": for member in profile() { add(member) }
    case "s2s":
      let isSession = isHeads()
      add(isSession ? #""kind":"session""# : #""kind":"event","name":\#(text())"#)
      for member in report(hasRevenue: !isSession) { add(member) }
    case "aak-update":
      add(#""fine":\#(pick(["0", "63", "64", "-1"]))"#)
      add(maybe { #""coarse":"\#($0.pick(["low", "medium", "high"]))""# })
      add(maybe { #""lock":\#($0.flag())"# })
      add(maybe { #""types":\#($0.pick([#"["install"]"#, #"["reengagement","install"]"#]))"# })
      add(maybe { #""tag":"\#($0.pick(["t1", "a-b_c.d~e"]))""# })
    case "impression":
      let isView = isHeads()
      add(#""ad":{"fidelity":\#(isView ? 0 : 1),"network":\#(nonEmptyText())}"#)
      if isView { add(maybe { #""seconds":\#($0.pick(["0", "2.5", "86399"]))"# }) }
    case "aak-development":
      add(#""interaction":"\#(pick(["click", "view"]))""#)
      add(#""conversion":"\#(pick(["download", "redownload", "re-engagement"]))""#)
      add(#""tiers":\#(pick(["[0]", "[3,2,1]"]))"#)
      add(maybe { #""tag":"\#($0.pick(["t1", "a-b_c.d~e"]))""# })
      add(maybe { #""country":"\#($0.pick(["US", "MT"]))""# })
    case "download": add(maybe { #""redownload":\#($0.flag())"# })
    case "aak-reengage":
      add(#""url":"\#(pick(["https://a.b/", #"https:\/\/a.b\/c?d=e%20"#]))""#)
      add(maybe { #""eligible":\#($0.flag())"# })
      add(maybe { #""tag":"\#($0.pick(["t1", "2"]))""# })
      add(maybe { #""network":\#($0.nonEmptyText())"# })
      add(maybe { #""source_identifier":"\#($0.pick(["0000", "5239"]))""# })
      add(maybe { #""app_id":\#($0.pick(["0", "9007199254740993"]))"# })
      add(maybe { #""publisher_id":\#($0.pick(["0", "7"]))"# })
      add(maybe { #""marketplace":\#($0.nonEmptyText())"# })
      add(maybe { #""tier":\#($0.pick(["0", "1", "2", "3"]))"# })
      add(maybe { #""country":"\#($0.pick(["US", "DE"]))""# })
    case "register": add(frameworkError())
    case "session": for member in update() { add(member) }
    case "event": for member in [#""name":\#(text())"#] + update() { add(member) }
    case "revenue":
      add(#""amount":\#(pick(["0", "-0", "-0.0", "5", "5.0", "9.99", "1e-50", "5e-324", "3.4e38", "-17", "1e2"]))"#)
      add(#""currency":\#(pick(["null", #""USD""#, text()]))"#)
      add(maybe { #""ad_monetization":\#($0.flag())"# })
    case "update":
      let own = [#""ios":"\#(ios())""#, #""app_version":\#(text())"#, #""snippet":"\#(pick(snippets))""#]
      let first = Int(numbers.next(through: 2))
      for (index, member) in own.enumerated() where index == first || isHeads() { add(member) }
    default: break
    }
    return "{\(members.shuffled(using: &numbers).joined(separator: pick([",", " , "])))}"
  }

  private let snippets = SnippetVersion.allCases.map(\.rawValue)

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(numbers.next(through: UInt64(values.count - 1)))]
  }

  private mutating func isHeads() -> Bool { numbers.next(through: 1) == 1 }

  private mutating func flag() -> String { pick(["true", "false"]) }

  private mutating func maybe(_ make: (inout RandomStep) -> String) -> String? { isHeads() ? make(&self) : nil }

  /// A JSON string: empty, long, with escapes, hidden characters, what is none of a variable, and letters in two
  /// spellings.
  private mutating func text() -> String {
    let parts = [
      "", "a", "purchase", "é", "e\u{301}", "😀", "漢", #"\""#, #"\\"#, #"\n\t\u0000"#, "\u{7F}\u{202E}\u{FEFF}", "$${",
      "$$${",
      #"$\u007b"#, "$", "}", #"\ud83d\ude00"#, "\u{2028}", "/", #"\/"#, "#", "0123456789abcdef0123456789",
    ]
    return "\"\((0...numbers.next(through: 4)).map { _ in pick(parts) }.joined())\""
  }

  private mutating func nonEmptyText() -> String { "\"x" + text().dropFirst() }

  /// A duration in units, exact to the microsecond or finer.
  private mutating func units() -> String {
    let fraction = pick(["", ".5", ".000001", ".123456", ".9999994"])
    return pick([
      "\(number(2_000_000))d", "\(number(30))d\(number(23))h", "\(number(90))m\(number(59))\(fraction)s",
      "\(number(1000))ms", "\(number(10))\(fraction)h", "\(number(300_000_000_000))\(fraction)s", "0s",
    ])
  }

  private mutating func number(_ limit: UInt64) -> String { String(numbers.next(through: limit)) }

  private mutating func seconds() -> String {
    pick([
      "0", "-0.0", number(100), "\(number(1_000_000)).\(number(999_999))",
      "\(number(310_000_000_000)).\(number(999_999))",
      "1e-3", "1e-7", "2.5E+3",
    ])
  }

  private mutating func span() -> String { isHeads() ? seconds() : "\"\(units())\"" }

  private mutating func time() -> String? {
    let day = pick(["0001-01-01", "1969-12-31", "2026-02-28", "2024-02-29", "9999-12-31"])
    let fraction = pick(["", ".5", ".000001", ".1234567"])
    return pick([
      nil, #""at":"+\#(units())""#, #""after":\#(span())"#, #""at":\#(pick(["", "-"]))\#(number(60_000_000_000))"#,
      #""at":\#(pick(["", "-"]))\#(number(60_000_000_000)).\#(number(9_999_999))"#,
      #""at":"\#(day)T23:59:59\#(fraction)\#(day == "9999-12-31" ? "Z" : pick(["Z", "+00:00", "-02:30"]))""#,
    ])
  }

  private mutating func frameworkError() -> String? {
    maybe { #""framework_error":\#($0.pick(["0", "10", "-1", "9223372036854775807"]))"# }
  }

  private mutating func update() -> [String] {
    [
      maybe { #""answer":\#($0.answer())"# }, maybe { #""took":\#($0.span())"# },
      maybe { #""completion_took":\#($0.span())"# }, frameworkError(),
      maybe { #""no_handler":\#($0.flag())"# },
      maybe { random in
        let settings = random.report(hasRevenue: random.isHeads())
        return #""forward":\#(settings.isEmpty ? "true" : "{\(settings.joined(separator: ","))}")"#
      },
    ].compactMap(\.self)
  }

  /// The settings of a report of the app's server.
  private mutating func report(hasRevenue: Bool) -> [String] {
    let revenue = #""amount":9.99,"currency":\#(text()),"ad_monetization":\#(flag())"#
    return [
      hasRevenue ? maybe { _ in revenue } : nil, maybe { #""api":"\#($0.pick(["v1", "v2"]))""# },
      maybe { #""post":\#($0.flag())"# }, maybe { #""stale":\#($0.flag())"# },
      maybe { #""reapply":\#($0.flag())"# },
      maybe { #""parameters":{"p":\#($0.text()),"q":null}"# }, maybe { #""answer":\#($0.answer())"# },
    ].compactMap(\.self)
  }

  private mutating func answer() -> String {
    let json = [
      "{}", "[]", "null", "5", "64.0", "1e1", "-0", #""x""#, #"{ "conversion_value" : 64.0 , "a":[1, 2.50 ]}"#,
      #"{"\u0061":"\/\u00e9é😀$${x}"}"#, #"{"a":{"b":[{}]}}"#, "{\"a\":\t1}", #"{"n":18446744073709551616}"#,
    ]
    let body = pick([
      #""json":\#(pick(json))"#, #""text":\#(text())"#, #""text":"{\"a\":1,\"a\":2}""#, #""text":"{\n}""#,
      #""text":"{\"a\": \"\\u0041\"}""#, #""base64":"""#, #""base64":"/wA=""#, #""base64":"e30=""#,
      #""base64":"77u/e30=""#,
    ])
    switch numbers.next(through: 3) {
    case 0: return #"{"error":\#(text())}"#
    case 1: return "{\(body)}"
    default: return #"{"status":\#(pick(["100", "200", "503", "999"])),\#(body)}"#
    }
  }

  private mutating func expectations() -> String {
    let all = [
      #""outcome":"updated""#, #""details.p0_coarse":"1""#, #""handler":null"#,
      #""details.p0_window_lock":{"$exists":false}"#, #""explanation":{"$matches":"^Up\\d+"}"#,
      #""handler.fine":{"$between":[0,63.0]}"#, #""query.p0_coarse":{"$approx":9.99,"within":0.01}"#,
      #""warnings":{"$contains":{"code":"odd-type"}}"#, #""label":\#(text())"#, #""at":1767225600.0"#,
      #""details.skan_total_revenue_by_currency":{"z":1,"a":[18446744073709551615,1.5,{"$matches":"x"}]}"#,
      #""query":{"$contains":{"n":\#(text())}}"#,
      #""answer":{"status":200,"text":\#(text())}"#,
    ]
    let count = Int(numbers.next(through: 4))
    return "{\(all.shuffled(using: &numbers).prefix(count).joined(separator: ","))}"
  }

  private mutating func ios() -> String { pick(["17.4", "17.4.0", "14", "16.1.2", "18.0"]) }

  private mutating func profile() -> [String] {
    let developer = #""ios":"\#(pick(["18.0", "18.0.1"]))","clock":"developer""#
    let isDeveloper = numbers.next(through: 4) == 0
    return [
      maybe { #""snippet":"\#($0.pick($0.snippets))""# },
      isDeveloper ? developer : maybe { #""ios":"\#($0.ios())""# }, maybe { #""bundle_id":\#($0.text())"# },
      maybe { #""app_version":\#($0.text())"# }, maybe { #""idfv":\#($0.pick(["null", #""A-B""#, $0.text()]))"# },
      maybe { #""idfa":\#($0.pick(["null", #""""#, $0.text()]))"# },
      maybe { #""build":"\#($0.pick(["appstore", "development"]))""# }, maybe { #""ad":\#($0.ad())"# },
      maybe { #""seed":\#($0.pick(["0", "-1", "9223372036854775807"]))"# },
      maybe { #""settings":\#($0.settings())"# },
      maybe { #""attribution_windows":{"n":{"install":{"view":\#($0.number(9))}}}"# },
      maybe { #""plist":{"copies":{"skadnetwork":"https://a.b/"},"findings":[\#($0.text())]}"# },
      maybe { #""att_status":\#($0.number(3))"# },
    ].compactMap(\.self) + serverTexts()
  }

  /// What only the app's server reports.
  private mutating func serverTexts() -> [String] {
    ["ip", "make", "model", "locale", "os_build", "sdid"].compactMap { key in maybe { #""\#(key)":\#($0.text())"# } }
  }

  private mutating func ad() -> String {
    if numbers.next(through: 4) == 0 { return "false" }
    let version = pick(AdAttribution.versions)
    let members = [
      #""version":"\#(version)""#, maybe { #""network":\#($0.text())"# },
      maybe { #""app_id":\#($0.number(.max >> 1))"# },
      maybe { version == "4.0" ? #""source_identifier":"0012""# : #""campaign":\#($0.pick(["1", "100"]))"# },
      pick([nil, #""source_app_id":7"#, #""source_domain":\#(text())"#]), maybe { #""fidelity":\#($0.number(1))"# },
      maybe { #""won":\#($0.flag())"# }, maybe { #""redownload":\#($0.flag())"# },
      maybe { #""tier":\#($0.number(3))"# },
    ]
    return "{\(members.compactMap(\.self).joined(separator: ","))}"
  }

  private mutating func settings() -> String {
    let all = FrameworkSetting.allCases.map { #""\#($0.name)":"\#(pick($0.values))""# }
    return "{\(all.shuffled(using: &numbers).prefix(Int(numbers.next(through: 5))).joined(separator: ","))}"
  }
}

/// The step that a list holds whose only line this is, variables replaced.
func listStep(_ line: String) throws -> Step {
  let lines = try read(line)
  guard lines.count == 1, let step = lines.first?.step else {
    throw SourceProblems(lines.flatMap { $0.problems.map(\.problem) })
  }
  return step
}

extension Step {
  /// Everything that a list says of the step, each part by its exact value: `17.4` and `17.4.0`, `5` and `5.0`, and two
  /// spellings of one letter are different.
  var facts: [[UInt8]] {
    var text = ""
    dump((operation, label, skip, time, expectations, device), to: &text)
    return text.split(separator: "\n").map { Array($0.utf8) }
  }
}
