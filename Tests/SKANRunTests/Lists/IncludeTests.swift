import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Lists that include others", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct IncludeTests {
  /// Reads a list of these files.
  private func read(
    _ name: String, _ files: [String: String], _ change: (inout ListReader.Options) -> Void = { _ in }
  ) throws -> [ReadLine] {
    var options = ListReader.Options()
    options.open = { path throws(SourceFailure) in
      guard let text = files[path] ?? files[Self.plain(path)] else { throw .missing }
      return Self.source(text, of: path)
    }
    change(&options)
    return try readAll(ListReader(name, Self.source(try #require(files[name]), of: name), options))
  }

  /// Another path to the same file.
  private static func plain(_ path: String) -> String { String(path.drop { "./".contains($0) }) }

  /// A file whose identity does not hang on the path that led to it.
  private static func source(_ text: String, of path: String) -> ByteSource {
    let source = ByteSource(Array(text.utf8))
    let number = plain(path).utf8.reduce(into: UInt64(7)) { $0 = $0 &* 31 &+ UInt64($1) }
    return ByteSource(
      isRegular: true, size: source.size, identity: ByteSource.Identity(device: 1, number: number), read: source.read)
  }

  private func include(_ name: String, _ more: String = "") -> String { #"{"op":"include","file":"\#(name)"\#(more)}"# }

  private let details = #"{"op":"details"}"#

  @Test("The steps of the other list come in its place, reported with their own places")
  func indices() throws {
    let lines = try read(
      "a", ["a": "\(details)\n\(include("b"))\n# c\n\(details)", "b": "\n\(include("c"))\n\(details)\n", "c": details])
    #expect(lines.map { "\($0.file):\($0.line)" } == ["a:1", "c:1", "b:3", "a:4"])
    #expect(lines.allSatisfy { $0.step != nil })
  }

  @Test(
    "Where a list is looked for: beside the one that includes it",
    arguments: [
      ("a", "b", "b"), ("x/a", "b", "x/b"), ("x/a", "y/b", "x/y/b"), ("x/a", "../b", "x/../b"), ("x/a", "/b", "/b"),
      ("/x/a", "b", "/x/b"), ("x/y/a", "./b", "x/y/./b"),
    ])
  func relative(from: String, name: String, path: String) throws {
    #expect(try read(from, [from: include(name), path: details]).map(\.file) == [path])
  }

  @Test("Lists that include two others each, and those two others, come to an end")
  func explosion() throws {
    var files: [String: String] = [:]
    for depth in 0..<18 { files["l\(depth)"] = "\(include("l\(depth + 1)"))\n\(include("l\(depth + 1)"))\n" }
    files["l18"] = details
    let lines = try read("l0", files)
    #expect(lines.filter { $0.step != nil }.count < 10_000)
    #expect(lines.flatMap { $0.problems.map(\.problem.message) } == ["more than 10000 lists are included"])
  }

  @Test("As many lists as may be, one inside another and one after another, and one more")
  func limits() throws {
    func messages(_ name: String, _ files: [String: String]) throws -> [String] {
      try read(name, files).flatMap { $0.problems.map(\.problem.message) }
    }
    try expectLimit(64, "lists inside each other") { count in
      var files = ["c\(count)": details]
      for depth in 0..<count { files["c\(depth)"] = include("c\(depth + 1)") }
      let messages = try messages("c0", files)
      #expect([[], ["more than 64 lists include each other"]].contains(messages))
      return messages.isEmpty
    }
    try expectLimit(10_000, "lists after each other") { count in
      let all = Array(repeating: include("b"), count: count).joined(separator: "\n")
      return try messages("a", ["a": all, "b": details]).isEmpty
    }
  }

  @Test("A list that may not be included, and one that cannot be read to its end")
  func refused() throws {
    let words = "x is not below the list's own folder; --allow-include DIR lets lists include what is below DIR"
    let refused = try read("a", ["a": "\(include("x"))\n\(details)"]) { $0.mayInclude = { path, _ in path != "x" } }
    #expect(refused.flatMap { $0.problems.map(\.problem.message) } == [words])
    let broken = try read("a", ["a": "\(include("b"))\n\(details)"]) {
      $0.openIncluded = { _ throws(SourceFailure) in
        ByteSource(isRegular: true) { _ throws(SourceFailure) in throw .unreadable("Input/output error") }
      }
    }
    #expect(broken.flatMap { $0.problems.map(\.problem.message) } == ["cannot read on: Input/output error"])
    #expect(broken.first?.file == "b")
  }

  @Test("A list may be included twice, an empty one too")
  func twice() throws {
    let lines = try read("a", ["a": "\(include("b"))\n\(include("e"))\n\(include("b"))", "b": details, "e": ""])
    #expect(lines.map(\.file) == ["b", "b"])
  }

  @Test(
    "Cycles, whatever path leads back",
    arguments: [
      (["a": "a"], "a → a"), (["a": "b", "b": "a"], "a → b → a"), (["a": "b", "b": "c", "c": "b"], "a → b → c → b"),
      (["a": "./a"], "a → ./a"), (["a": "b", "b": "././a"], "a → b → ././a"),
    ])
  func cycles(names: [String: String], chain: String) throws {
    let lines = try read("a", names.mapValues { include($0) })
    #expect(lines.flatMap(\.problems).map(\.problem.message) == ["the list includes itself: \(chain)"])
  }

  @Test("A problem is reported with the chain that led to it, and reading goes on")
  func chain() throws {
    let bad = #"{"op":"detials"}"#
    let lines = try read("a", ["a": "#\n\(include("x/b"))\n\(details)", "x/b": include("c"), "x/c": "\(bad)\n\(bad)"])
    let problems = lines.flatMap(\.problems)
    #expect(problems.map { "\($0.file):\($0.line)" } == ["x/c:1", "x/c:2"])
    for problem in problems {
      #expect(problem.includedFrom.map { "\($0.file):\($0.line)" } == ["x/b:1", "a:2"])
      #expect(problem.problem.range == 6..<15)
    }
    #expect(lines.last?.file == "a" && lines.last?.step != nil)
  }

  @Test(
    "What cannot be included",
    arguments: [
      ("none", "none does not exist; an included list is looked for beside the one that includes it"),
      ("-", "standard input cannot be included, only files"), ("locked", "cannot read locked: Permission denied"),
      ("pipe", "pipe is not a file, and only files are included"),
    ])
  func refused(name: String, words: String) throws {
    let lines = try read("a", ["a": include(name)]) { options in
      options.open = { path throws(SourceFailure) in
        switch path {
        case "locked": throw .unreadable("Permission denied")
        case "pipe": ByteSource(isRegular: false) { _ throws(SourceFailure) in 0 }
        default: throw .missing
        }
      }
    }
    let problem = try #require(lines.first?.problems.first?.problem)
    #expect(problem.message == words)
    #expect(problem.range.count == name.utf8.count + 2)
  }

  @Test(
    "Its keys",
    arguments: [
      (#"{"op":"include"}"#, "a step with op \"include\" needs the key \"file\""),
      (#"{"op":"include","file":""}"#, "\"file\" must name a list"),
      (#"{"op":"include","file":5}"#, "\"file\" must be a string, this is 5"),
      (#"{"op":"include","file":"b","label":"x"}"#, "a step with op \"include\" has no key \"label\""),
      (#"{"op":"include","file":"b","skip":""}"#, "\"skip\" must say why"),
    ])
  func keys(line: String, words: String) {
    #expect(problems(line).first?.hasPrefix(words) == true, "\(problems(line))")
  }

  @Test("A skipped include is a step that does not run; its list need not be there")
  func skipped() throws {
    let step = try #require(try read("a", ["a": include("none", #","skip":"later""#)]).first?.step)
    #expect(step.skip == "later")
    guard case .include("none") = step.operation else {
      Issue.record("\(step.operation)")
      return
    }
  }

  @Test("Its name may have variables")
  func variables() throws {
    let lines = try read("a", ["a": include("${which}"), "b": details]) { $0.variables = Variables(["which": "b"]) }
    #expect(lines.map(\.file) == ["b"])
  }

  @Test("Phones and times go on across lists")
  func goesOn() throws {
    let lines = try read(
      "a",
      [
        "a": "\(include("phones"))\n"
          + #"{"op":"session","device":"x","after":"1h"}"# + "\n" + include("later") + "\n"
          + #"{"op":"details","device":"x"}"#,
        "phones": #"{"op":"device","device":"x"}"# + "\n"
          + #"{"op":"register","device":"x","at":"2026-03-01T00:00:00Z"}"#,
        "later": #"{"op":"details","device":"x","at":"+2d"}"#,
      ])
    let phones = ListPhones(StepRunner())
    let results = try lines.map { try phones.run(try #require($0.step)) }
    #expect(
      results.map(\.at.description) == [
        "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z", "2026-03-03T00:00:00Z",
        "2026-03-03T00:00:00Z",
      ])
  }

  @Test("A phone that no list declares is reported in the list that names it")
  func undeclared() throws {
    let lines = try read(
      "a", ["a": #"{"op":"device","device":"x"}"# + "\n" + include("b"), "b": #"{"op":"details","device":"y"}"#])
    #expect(lines.last?.file == "b")
    #expect(lines.last?.problems.first?.problem.message.hasPrefix("no device step before this one declares") == true)
  }

  @Test(
    "Why an included list cannot be read",
    arguments: [
      (SourceFailure.missing, "b does not exist; an included list is looked for beside the one that includes it"),
      (.unreadable("permission denied"), "cannot read b: permission denied"),
      (.programMissing("gzip"), "cannot read b: it is packed, and gzip is not on the PATH"),
      (.interrupted, "interrupted"),
    ])
  func unreadable(failure: SourceFailure, message: String) throws {
    let lines = try read("a", ["a": include("b")]) { $0.open = { _ throws(SourceFailure) in throw failure } }
    #expect(lines.flatMap { $0.problems.map(\.problem.message) } == [message])
  }
}

@Suite("Variables in lists")
struct VariablesTests {
  private static let values = Variables(["name": "gold", "quote": "a\"b\\\n", "empty": "", "a.b-c_1": "x"])

  /// The line with its values, nil when nothing was to be replaced, or what is wrong.
  private func replaced(_ line: String, _ variables: Variables = values) -> Result<String?, SourceProblems> {
    Array(line.utf8).withUnsafeBufferPointer { bytes in
      do throws(SourceProblems) {
        return .success(try variables.replaced(in: bytes).map { String(decoding: $0, as: UTF8.self) })
      } catch {
        return .failure(error)
      }
    }
  }

  @Test(
    "Replaced",
    arguments: [
      (#"{"name":"${name}"}"#, #"{"name":"gold"}"#), (#"{"a":"${name}-${name}"}"#, #"{"a":"gold-gold"}"#),
      (#"{"${name}":1}"#, #"{"gold":1}"#), (#"{"a":"<${empty}>"}"#, #"{"a":"<>"}"#),
      (#"{"a":"${a.b-c_1}"}"#, #"{"a":"x"}"#),
      // As a JSON string writes it.
      (#"{"a":"${quote}"}"#, #"{"a":"a\"b\\\n"}"#),
      // The sign itself.
      (#"{"a":"$${name}"}"#, #"{"a":"${name}"}"#), (#"{"a":"$$${name}"}"#, #"{"a":"$${name}"}"#),
      (#"{"a":"$5 ${name} $"}"#, #"{"a":"$5 gold $"}"#),
      // Quotes that do not end the string.
      (#"{"a":"\"${name}\""}"#, #"{"a":"\"gold\""}"#), (#"{"a":"\\","b":"${name}"}"#, #"{"a":"\\","b":"gold"}"#),
    ])
  func replacing(line: String, expected: String) throws {
    #expect(try replaced(line).get() == expected)
  }

  @Test(
    "Nothing to replace",
    arguments: [
      #"{"a":"$"}"#, #"{"a":"$name"}"#, #"{"a":"{name}"}"#, #"{"a":"$ {name}"}"#, "# ${nobody}", "", "  ",
      #"{"$exists":true}"#,
    ])
  func plain(line: String) throws {
    #expect(try replaced(line).get() == nil)
  }

  @Test("A value is not looked at again")
  func once() throws {
    #expect(try replaced(#"{"a":"${a}"}"#, Variables(["a": "${b}", "b": "c"])).get() == #"{"a":"${b}"}"#)
  }

  @Test(
    "Problems",
    arguments: [
      (
        #"{"a":"${nmae}"}"#, "there is no variable \"nmae\"; did you mean \"name\"? known: a.b-c_1, empty, name, quote",
        6..<13
      ),
      (
        #"{"a":"${zzzzzz}"}"#, "there is no variable \"zzzzzz\"; known: a.b-c_1, empty, name, quote", 6..<15
      ),
      (#"{"a":"${}"}"#, "there is no variable \"\"; known: a.b-c_1, empty, name, quote", 6..<9),
      (#"{"a":${name}}"#, "a variable must be inside a string: \"${NAME}\"", 5..<12),
      (
        #"{"a":"${name"}"#, "\"${\" begins a variable and needs a \"}\"; a plain \"${\" is written \"$${\"", 6..<8
      ),
    ])
  func problems(line: String, message: String, range: Range<Int>) {
    #expect(throws: [SourceProblem(message, at: range)] as SourceProblems) { try replaced(line).get() }
  }

  @Test("Without any")
  func none() {
    #expect(
      throws: [SourceProblem("there is no variable \"a\": none is given (--variable NAME=VALUE)", at: 6..<10)]
        as SourceProblems
    ) {
      try replaced(#"{"a":"${a}"}"#, Variables()).get()
    }
  }

  @Test(
    "Names",
    arguments: [
      ("a", true), ("A_b-c.9", true), ("", false), ("a b", false), ("ä", false), ("a}", false), ("a=b", false),
      ("$a", false),
    ])
  func names(text: String, isName: Bool) { #expect(Variables.isName(text) == isName) }

  @Test("What is wrong behind a value is shown with the value in its place")
  func indices() throws {
    var options = ListReader.Options()
    options.variables = Variables(["name": "gold"])
    let problem = try #require(try read(#"{"op":"event","name":"${name}","tok":1}"#, options).first?.problems.first)
    #expect(String(decoding: problem.text, as: UTF8.self) == #"{"op":"event","name":"gold","tok":1}"#)
    #expect(problem.problem.range == 28..<33)
  }

  @Test("Values that make a line longer than a line may be")
  func tooLong() throws {
    let variables = Variables(["a": String(repeating: "x", count: 100_000)])
    let line = Array("{\"x\":\"\(String(repeating: "${a}", count: 5000))\"}".utf8)
    let error = #expect(throws: SourceProblems.self) {
      try line.withUnsafeBufferPointer { line throws(SourceProblems) in _ = try variables.replaced(in: line) }
    }
    #expect(
      error?.problems.map(\.message) == ["with the values of its variables the line is longer than 1 MiB"])
  }

}

@Suite("Steps that are skipped")
struct SkipTests {
  @Test("The reason is kept; a skipped step is checked as any other")
  func reading() throws {
    #expect(try step(#"{"op":"session","skip":"not ready yet"}"#).skip == "not ready yet")
    #expect(try step(#"{"op":"session"}"#).skip == nil)
    #expect(problems(#"{"op":"session","skip":""}"#) == ["\"skip\" must say why"])
    #expect(problems(#"{"op":"session","skip":true}"#) == ["\"skip\" must be a string, this is true"])
    #expect(problems(#"{"op":"sesion","skip":"x"}"#) == ["there is no op \"sesion\"; did you mean \"session\"?"])
    #expect(problems(#"{"op":"event","skip":"x"}"#) == ["a step with op \"event\" needs the key \"name\""])
  }

  @Test("Nothing of it happens, and no time goes by")
  func living() throws {
    let phones = ListPhones(StepRunner())
    var results: [StepResult] = []
    for line in [
      #"{"op":"register"}"#, #"{"op":"session","after":"5d","skip":"why"}"#, #"{"op":"details"}"#,
    ] {
      let step = try step(line)
      if step.skip == nil { results.append(try phones.run(step)) } else { phones.skip(step) }
    }
    #expect(results.map(\.report.outcome) == [.registered, .read])
    #expect(results[1].at == .listStart)
  }

  @Test("A phone that is first met in a skipped step keeps its place")
  func indices() throws {
    let list = [
      #"{"op":"device","device":"a","ios":"12.0","snippet":"skan3","skip":"why"}"#,
      #"{"op":"device","device":"b","ios":"16.4"}"#,
      #"{"op":"details","device":"b"}"#, #"{"op":"details","device":"a"}"#,
    ]
    let phones = ListPhones(StepRunner())
    var results: [StepResult] = []
    for line in try read(list.joined(separator: "\n")) {
      let step = try #require(line.step)
      if step.skip == nil { results.append(try phones.run(step)) } else { phones.skip(step) }
    }
    // The skipped install has not happened: its phone is the one with the defaults.
    #expect(results.map(\.device.profile.ios.text) == ["16.4", "16.4", "17.4"])
    #expect(results[2].device.profile == DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: "a")))
  }
}
