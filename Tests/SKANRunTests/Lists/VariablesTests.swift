import SKANBase
import Testing

@testable import SKANRun

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
      (#"{"a":${name}}"#, "a variable stands in a string: \"${NAME}\"", 5..<12),
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

  @Test("Of many variables the first twenty are named")
  func many() {
    let variables = Variables(Dictionary(uniqueKeysWithValues: (10..<33).map { ("v\($0)", "") }))
    guard case .failure(let problems) = replaced(#"{"a":"${zzzzzz}"}"#, variables) else {
      Issue.record("no problem")
      return
    }
    let names = (10..<30).map { "v\($0)" }.joined(separator: ", ")
    #expect(problems.problems.map(\.message) == ["there is no variable \"zzzzzz\"; known: \(names) and 3 more"])
  }
}
