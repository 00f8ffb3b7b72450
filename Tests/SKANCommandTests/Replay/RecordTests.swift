import SKANBase
import SKANCommand
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommandLine

@Suite("--record")
struct RecordTests {
  private static let list = #"""
    # Recorded ${nothing} here.
    {"op":"device","device":"a"}

    {"op":"register","device":"a"}
    {"op":"session","device":"a","label":"first","after":"1h","expect":{"outcome":"updated"}}
    { "op" : "event" , "device":"a", "name":"${name}" }
    {"op":"session","device":"a","answer":{"json":{"conversion_value":9}}}
    {"op":"session","device":"a","skip":"later"}
    {"op":"details","device":"a"}

    """#

  /// A network with these answers, one after the other, whatever is asked.
  private static func world(
    _ list: String = list, answers: @escaping @Sendable (_ url: String) -> Result<HTTPExchange, TransportFailure>
  ) -> World {
    let world = World {
      $0.network = { url, _ in answers(url) }
    }
    world["a.jsonl"] = list
    return world
  }

  private static func body(_ text: String, status: Int = 200) -> Result<HTTPExchange, TransportFailure> {
    .success(HTTPExchange(HTTPResponse(status: status, body: Array(text.utf8)), url: "http://h"))
  }

  private static let options = "--endpoint http://h --variable name=gold"

  @Test("Every line as it was, with the answer in the steps that asked for one")
  func lines() {
    let world = Self.world { url in
      url.contains("n=gold") ? .failure(.noSuchHost) : Self.body(#"{"conversion_value":5, "status":"ok"}"#)
    }
    let result = world.run("replay -q a.jsonl --record b.jsonl \(Self.options)")
    #expect(
      result.code == .unavailable && result.err.hasPrefix("a.jsonl:6: the endpoint failed on a: transport-error: "))
    #expect(
      world["b.jsonl"] == #"""
        # Recorded ${nothing} here.
        {"op":"device","device":"a"}

        {"op":"register","device":"a"}
        {"op":"session","device":"a","label":"first","after":"1h","expect":{"outcome":"updated"},"answer":{"status":200,"json":{"conversion_value":5, "status":"ok"}}}
        { "op" : "event" , "device":"a", "name":"${name}" ,"answer":{"error":"no such host: h"}}
        {"op":"session","device":"a","answer":{"json":{"conversion_value":9}}}
        {"op":"session","device":"a","skip":"later"}
        {"op":"details","device":"a"}

        """#)
  }

  @Test("The answer to a report is recorded among its settings, and gives the same value again")
  func reports() {
    let list = #"""
      {"op":"register"}
      {"op":"session","forward":true,"label":"a"}
      {"op":"event","name":"x","answer":{"json":{"conversion_value":3}},"forward" : {"parameters":{"c":"wifi"}} }
      {"op":"s2s","kind":"session"}

      """#
    let world = Self.world(list) { url in
      Self.body(
        url.contains("launch")
          ? #"{"conversion_value":7,"status":"ok"}"#
          : url.contains("evt") ? #"{"status":"ok"}"# : #"{"conversion_value":5,"status":"ok"}"#)
    }
    let live = world.run("replay --json a.jsonl --record b.jsonl --endpoint http://h")
    #expect(
      world["b.jsonl"] == #"""
        {"op":"register"}
        {"op":"session","forward":{"answer":{"status":200,"json":{"conversion_value":7,"status":"ok"}}},"label":"a","answer":{"status":200,"json":{"conversion_value":5,"status":"ok"}}}
        {"op":"event","name":"x","answer":{"json":{"conversion_value":3}},"forward" : {"parameters":{"c":"wifi"},"answer":{"status":200,"json":{"status":"ok"}}} }
        {"op":"s2s","kind":"session","answer":{"status":200,"json":{"conversion_value":7,"status":"ok"}}}

        """#)
    let again = world.run("replay --json b.jsonl")
    let values = { (text: String) in text.matches(of: /"skan_current_conversion_value":"\d+"/).map { "\($0.output)" } }
    #expect(values(live.out) == values(again.out) && values(live.out).contains { $0.contains("7") })
  }

  private static let contract = [
    WarningCode.statusNot200, .unknownAnswerKey, .statusNotOK, .answerNotJSON, .contentTypeNotJSON,
  ].map { JSON?.some(.string($0.name)) }

  /// The results of a replay, but for the address that was asked and who answered.
  private func results(_ world: World, _ line: String) throws -> [JSON] {
    let result = world.run(line)
    // What a server fails ends the run so, and what a list brings does not.
    #expect(result.code == .ok || result.code == .badAnswer && line.contains("--endpoint"), "\(result)")
    return try result.out.split(separator: "\n").map { line in
      guard case .object(let members) = try JSONReader.read(Array(line.utf8)).value else { return .null }
      return .object(
        members.compactMap { member in
          if ["file", "answered_by"].contains(member.key) { return nil }
          // What breaks the contract is a finding about a server, and a note about a list.
          if member.key == "warnings", case .array(let warnings) = member.value {
            return (member.key, .array(warnings.filter { !Self.contract.contains($0["code"]) }))
          }
          guard member.key == "request", case .object(let parts) = member.value else { return member }
          return (member.key, .object(parts.filter { $0.key != "url" }))
        })
    }
  }

  @Test(
    "Recorded and run again without an endpoint: the same results",
    arguments: [
      #"{"conversion_value":5,"status":"ok"}"#, #"{"conversion_value":64}"#, "", "oops", "[]",
      "{\n \"conversion_value\": 3}",
      #"{"conversion_value":1,"conversion_value":2}"#, #"{"conversion_value":5.0}"#, #"{"reason":"${name} $${x}"}"#,
      #"{"conversion_value":null}"#, "\u{FEFF}{\"conversion_value\":5}", #"{"a":"ü\u00e9\/"}"#, "\"", "\0",
    ], [200, 500, 999])
  func again(body: String, status: Int) throws {
    let list = Self.list.replacing(#","expect":{"outcome":"updated"}"#, with: "")
    let world = Self.world(list) { _ in Self.body(body, status: status) }
    let online = try results(world, "replay --json a.jsonl --record b.jsonl \(Self.options)")
    #expect(online.count == 7)
    #expect(try results(world, "replay --json b.jsonl --variable name=gold") == online)
  }

  @Test("Bytes that are no text are kept, too")
  func bytes() throws {
    let world = Self.world(#"{"op":"register"}"# + "\n" + #"{"op":"session"}"#) { url in
      .success(HTTPExchange(HTTPResponse(body: [0xFF, 0x00, 0x7B]), url: url))
    }
    let online = try results(world, "replay --json a.jsonl --record b.jsonl --endpoint http://h")
    #expect(world["b.jsonl"]?.contains(#""answer":{"base64":"/wB7","status":200}"#) == true)
    #expect(try results(world, "replay --json b.jsonl") == online)
  }

  @Test("The key is nowhere in the file, in whatever form it came back")
  func key() throws {
    let key = "se+cret/key&x"
    let world = Self.world { url in
      Self.body(
        #"{"reason":"no \#(key), se%2Bcret%2fkey%26x, se+cret\/key\u0026x or \"se+cret\\/key\\u0026x\"","url":"\#(url)"}"#
      )
    }
    world.set { $0.variables["SKAN_SDK_KEY"] = key }
    world["a.jsonl"] = Self.list.replacing(#","expect":{"outcome":"updated"}"#, with: "")
    let run = world.run("replay -q a.jsonl --record b.jsonl \(Self.options)")
    #expect(run.code == .badAnswer)
    let text = try #require(world["b.jsonl"]) + run.err
    #expect(text.contains("REDACTED"))
    for form in ["cret", "key", "0026x", "26x"] { #expect(!text.contains(form), "\(text)") }
  }

  @Test("A redirect to an address with the key in it is recorded without the key")
  func redirect() throws {
    let world = Self.world { _ in .failure(.redirectRefused(to: "http://other/s3cret")) }
    world.set { $0.variables["SKAN_SDK_KEY"] = "s3cret" }
    world["a.jsonl"] = Self.list.replacing(#","expect":{"outcome":"updated"}"#, with: "")
    let run = world.run("replay -q a.jsonl --record b.jsonl \(Self.options)")
    #expect(run.code == .unavailable)
    let text = try #require(world["b.jsonl"]) + run.err
    #expect(text.contains("http://other/REDACTED") && !text.contains("s3cret"))
  }

  @Test("A model's answers are kept as well, and includes are written out")
  func model() throws {
    let world = try World.withModels()
    world["a.jsonl"] = #"{"op":"include","file":"_start.jsonl"}"# + "\n" + #"{"op":"event","name":"purchase"}"# + "\n"
    world["_start.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"session"}"# + "\n"
    let online = try results(world, "replay --json a.jsonl --model mixed.json --record b.jsonl")
    let text = try #require(world["b.jsonl"])
    #expect(!text.contains("include") && text.components(separatedBy: #""answer":{"status":200,"json":"#).count == 3)
    let offline = try results(world, "replay --json b.jsonl")
    #expect(offline.map { $0["details"] } == online.map { $0["details"] })
    #expect(offline.map { $0["answer"] } == online.map { $0["answer"] })
  }

  @Test("Expectations that fail do not keep the list from being written; what stops the run does")
  func failing() {
    let world = Self.world { _ in Self.body("") }
    #expect(world.run("replay -q a.jsonl --record b.jsonl \(Self.options)").code == .expectationFailed)
    #expect(world["b.jsonl"]?.contains(#""answer":{"status":200,"text":""}"#) == true)
    world["b.jsonl"] = "before"
    #expect(world.run("replay -q --fail-fast a.jsonl --record b.jsonl \(Self.options)").code == .expectationFailed)
    #expect(world["b.jsonl"] == "before")
    world.set { $0.isInterrupted = true }
    #expect(world.run("replay -q a.jsonl --record b.jsonl \(Self.options)").code == .interrupted)
    #expect(world["b.jsonl"] == "before")
  }

  @Test("An answer that makes too long a line is an error")
  func tooLong() {
    let world = Self.world { _ in Self.body(String(repeating: "x", count: 1 << 20)) }
    let result = world.run("replay -q a.jsonl --record b.jsonl \(Self.options)")
    #expect(
      result
        == Consequences(
          .cannotWrite, err: "skan: cannot write b.jsonl: the answer to a.jsonl:5 makes a line longer than 1 MiB\n"))
  }

  private static let value = #"{"conversion_value":5}"#

  @Test("To standard output")
  func output() {
    let world = Self.world(#"{"op":"register"}"# + "\n" + #"{"op":"session"}"#) { _ in Self.body(Self.value) }
    #expect(
      world.run("replay -q a.jsonl --record - --endpoint http://h")
        == Consequences(
          out: #"{"op":"register"}"# + "\n" + #"{"op":"session","answer":{"status":200,"json":\#(Self.value)}}"# + "\n")
    )
  }

  @Test(
    "Refused",
    arguments: [
      ("a.jsonl --record b", "--record keeps the answers of an --endpoint or a --model"),
      ("a.jsonl a.jsonl --record b --endpoint http://h", "--record goes with exactly one list"),
      ("a.jsonl --record - --endpoint http://h", "--record - needs --quiet: the list goes to standard output"),
    ])
  func refused(arguments: String, words: String) {
    let world = Self.world { _ in Self.body("") }
    #expect(world.run("replay \(arguments)") == .usage(words, command: "replay"))
  }
}
