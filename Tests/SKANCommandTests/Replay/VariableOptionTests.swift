import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("Variables on a command line")
struct VariableOptionTests {
  /// What the variable `name` is in a replay of one list.
  private func name(_ options: String, environment: String? = nil, file: String? = nil) -> String {
    let world = World {
      $0.variables["SKAN_VARIABLE_name"] = environment
      $0.files["values"] = file.map { Array($0.utf8) }
    }
    world["a.jsonl"] = #"{"op":"details","label":"<${name}>"}"#
    let result = world.run("replay a.jsonl --json \(options)")
    return result.out.firstMatch(of: /"label":"<(.*?)>"/).map { String($0.output.1) } ?? result.err
  }

  @Test("The option counts before the file, the file before the environment")
  func precedence() {
    #expect(name("", environment: "env") == "env")
    #expect(name("--variable @values", environment: "env", file: "name=file") == "file")
    #expect(name("--variable @values", environment: "env", file: "other=file") == "env")
    #expect(name("--variable name=option --variable @values", environment: "env", file: "name=file") == "option")
    #expect(name("--variable name=option", environment: "env") == "option")
    #expect(name("--variable name=", environment: "env") == "")
  }

  @Test(
    "What may stand in a file",
    arguments: [
      ("name=a=b", "a=b"), ("# c\n\n \t\nname=a\n", "a"), ("name=a\r\nx=y\r\n", "a"), ("name= a ", " a "),
      ("name=ä", "ä"), ("name=#a", "#a"),
    ])
  func file(text: String, value: String) {
    #expect(name("--variable @values", file: text) == value)
  }

  @Test("idfv=random is a new UUID in each run and list, and the same wherever a list names it")
  func randomIdentifier() {
    let world = World()
    let list =
      #"{"op":"device","device":"a","idfv":"${idfv}"}"# + "\n"
      + #"{"op":"device","device":"b","idfv":"${idfv}"}"# + "\n" + #"{"op":"register","device":"a","label":"${idfv}"}"#
    world["a.jsonl"] = list
    world["b.jsonl"] = list
    func identifiers() -> [Substring] {
      let run = world.run("replay a.jsonl b.jsonl --json --variable idfv=random")
      #expect(run.code == .ok)
      return run.out.matches(of: /"label":"([0-9A-F-]{36})"/).map(\.output.1)
    }
    let (first, second) = (identifiers(), identifiers())
    #expect(first.count == 2 && Set(first + second).count == 4)
    world.set { $0.variables["SKAN_VARIABLE_idfv"] = "random" }
    #expect(world.run("timeline a.jsonl --device a").code == .ok)
    #expect(
      world.run("replay a.jsonl --variable idfv=randon")
        == .usage("the variable idfv: \"randon\" is not an identifier; did you mean random?", command: "replay"))
    // Another variable of that value is plain.
    world["a.jsonl"] = #"{"op":"details","label":"<${other}>"}"#
    #expect(world.run("replay a.jsonl --json --variable other=random").out.contains("<random>"))
  }

  @Test("Several options, each its own variable; names of the environment that are none are passed over")
  func several() {
    let world = World {
      $0.variables["SKAN_VARIABLE_"] = "x"
      $0.variables["SKAN_VARIABLE_a b"] = "x"
      $0.variables["SKAN_VARIABLE_c"] = "3"
    }
    world["a.jsonl"] = #"{"op":"details","label":"${a}${b.x}${c}"}"#
    let result = world.run("replay a.jsonl --json --variable a=1 --variable b.x=2")
    #expect(result.out.contains(#""label":"123""#))
    world["a.jsonl"] = #"{"op":"details","label":"${zzz}"}"#
    let refused = world.run("replay a.jsonl --variable a=1")
    #expect(refused.code == .badData)
    #expect(refused.err.hasPrefix("a.jsonl:1:26: there is no variable \"zzz\"; known: a, c\n"))
  }

  @Test(
    "Refused",
    arguments: [
      ("--variable name", "--variable must be NAME=VALUE, the name of letters, digits and _ - ., it is \"name\""),
      ("--variable =x", "--variable must be NAME=VALUE, the name of letters, digits and _ - ., it is \"=x\""),
      ("--variable n}=x", "--variable must be NAME=VALUE, the name of letters, digits and _ - ., it is \"n}=x\""),
      ("--variable a=1 --variable a=2", "--variable is given twice for \"a\""),
    ])
  func refused(options: String, words: String) {
    let world = World()
    world["a.jsonl"] = #"{"op":"details"}"#
    #expect(world.run("replay a.jsonl \(options)") == .usage(words, command: "replay"))
  }

  @Test("A file with mistakes: all of them, with their locations")
  func badFile() {
    let world = World()
    world["a.jsonl"] = #"{"op":"details"}"#
    world["values"] = "a=1\nnonsense\n# c\na=2\n=x\n"
    #expect(
      world.run("replay a.jsonl --variable @values")
        == Consequences(
          .badData,
          err: """
            values:2:1: a line is NAME=VALUE, the name of letters, digits and _ - .
              nonsense
              ^^^^^^^^
            values:4:1: the variable a is given twice
              a=2
              ^^^
            values:5:1: a line is NAME=VALUE, the name of letters, digits and _ - .
              =x
              ^^

            """))
    #expect(
      world.run("replay a.jsonl --variable @none")
        == Consequences(
          .noInput, err: "skan: none does not exist; it should hold variables, one NAME=VALUE per line\n"))
  }
}
