import SKANCommand
import Testing

/// Mistakes that were mended, so that they stay so.
@Suite("Mended: the commands")
struct CommandRegressionTests {
  @Test("Amounts that are no finite number are not options", arguments: ["-inf", "-nan", "-infinity", "-.", "-0x10"])
  func negativeAmount(amount: String) {
    #expect(
      World.registered().run("revenue \(amount) USD")
        == .usage("AMOUNT must be a finite number such as 9.99, it is \"\(amount)\"", command: "revenue"))
  }

  @Test("A mistyped key of an answer is one mistake")
  func answerKey() {
    let world = World.registered()
    #expect(
      world.run("session --answer", "{\"conversion_value\":5}")
        == .usage(
          "--answer: an answer has no key \"conversion_value\"; known: status, json, text, base64, error; a body goes "
            + "inside, as in {\"json\":{\"conversion_value\":5}}", command: "session"))
    world["a.json"] = "{\"jsn\":{}}\n"
    #expect(
      world.run("session --answer @a.json")
        == Consequences(
          .badData,
          err: """
            a.json:1:2: an answer has no key "jsn"; did you mean "json"?
              {"jsn":{}}
               ^^^^^

            """))
  }

  @Test("The outcomes of a replay stand in one column, down to milliseconds")
  func alignment() {
    let world = World()
    world["a.jsonl"] = ["0", "0.5", "0.25", "0.125"].map { #"{"op":"relaunch","at":\#($0)}"# + "\n" }
      .joined()
    let columns = world.run("replay a.jsonl").out.split(separator: "\n").prefix(4).map { line in
      line.firstRange(of: "relaunched").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(columns).count == 1, "\(columns)")
  }
}
