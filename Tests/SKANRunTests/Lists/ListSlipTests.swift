import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("A list says the first thing that is wrong")
struct FirstMistakeTests {
  /// Steps of two phones, which are right behind a `device` step for each.
  private static let rest = ["a", "b", "a", "b"].map { "{\"op\":\"session\",\"device\":\"\($0)\"}" }

  /// A `device` step for `a` with one mistake.
  private static let mistakes: [String] =
    DeviceProfile.keys.map { "{\"op\":\"device\",\"device\":\"a\",\"\($0)\":[5]}" }
    + StepKey.common.filter { $0 != .op && $0 != .device }.map {
      "{\"op\":\"device\",\"device\":\"a\",\"\($0.text)\":[]}"
    }
    + [
      #"{"op":"device","device":"a","oddity":1}"#, #"{"op":"device","device":"a","ios":"17.4",}"#,
      #"{"op":"device","device":"a"} # the phone"#, #"{"op":"device","device":"a"} // the phone"#,
      "{“op”:\"device\",\"device\":\"a\"}", "{\"op\":“device”,\"device\":\"a\"}", "{'op':'device','device':'a'}",
      #"{"op":"device","device":"a","idfv":"${idfv}"}"#, #"{"op":"device","device":"${phone}"}"#,
      #"{"op":"devcie","device":"a"}"#, #"{"op":"install","device":"a"}"#, #"{"op":"device","device":5}"#,
      #"{"device":"a"}"#, #"[{"op":"device","device":"a"}]"#, #"{"op":"include","file":"phones.jsonl"}"#,
      "{\"op\":\"device\",\"device\":\"a\",\"label\":\"\(String(repeating: "x", count: LineReader.longest))\"}",
    ]

  @Test("A device step that cannot be read has no follow-up mistakes, whatever is wrong with it")
  func devices() throws {
    for mistake in Self.mistakes {
      let list = [mistake, #"{"op":"device","device":"b"}"#] + Self.rest
      let lines = try Set(check(list.joined(separator: "\n")).map(\.line))
      #expect(lines == [1], "\(mistake.prefix(100))")
    }
  }

  @Test("The same of a device step that breaks off at any byte")
  func broken() throws {
    let line = #"{"op":"device","device":"a","ios":"17.4"}"#
    for length in 1..<line.count {
      let list = [String(line.prefix(length)), #"{"op":"device","device":"b"}"#] + Self.rest
      let lines = try Set(check(list.joined(separator: "\n")).map(\.line))
      #expect(lines == [1], "\(length)")
    }
  }

  @Test("A mistake in any other step hides no phone that is not declared")
  func others() throws {
    for operation in OperationSpec.names where !["device", "include"].contains(operation) {
      let list =
        [#"{"op":"device","device":"b"}"#, "{\"op\":\"\(operation)\",\"device\":\"b\",\"oddity\":1}"] + Self.rest
      let lines = try check(list.joined(separator: "\n")).map(\.line).filter { $0 > 2 }
      #expect(lines == [3, 5], "\(operation)")
    }
  }

  @Test("An unknown variable idfv names its option, whether others are known or none")
  func idfv() throws {
    for values in [[:], ["name": "x"]] {
      var options = ListReader.Options()
      options.variables = Variables(values)
      let lines = try read(#"{"op":"device","idfv":"${idfv}"}"#, options)
      #expect(
        lines[0].problems.map(\.problem.message) == [
          "there is no variable \"idfv\": --variable idfv=random makes one for each list"
        ])
    }
  }
}

@Suite("Slips of lists that people write")
struct ListSlipTests {
  private static let comment = "a comment must be on its own line, and # must be the first character"

  @Test(
    "What stands in the place of JSON is named",
    arguments: [
      (#"// the first day"#, 0, comment), (#"  # the first day"#, 2, comment), (#"/* the first day */"#, 0, comment),
      (#"{"op":"session"} # the first day"#, 17, comment), (#"{"op":"session"} // the first day"#, 17, comment),
      (#"{"op":"session",/* now */"at":5}"#, 16, comment),
      ("{“op”:\"session\"}", 1, "not JSON: “ is a typographic quote, where JSON has \""),
      ("{\"op\":“session”}", 6, "not JSON: “ is a typographic quote, where JSON has \""),
      ("{\"op”:\"session\"}", 4, "not JSON: ” is a typographic quote, where JSON has \""),
      ("{\"op\":\"session”}", 14, "not JSON: ” is a typographic quote, where JSON has \""),
      ("{\"op\":\"session\",‘at’:5}", 16, "not JSON: ‘ is a typographic quote, where JSON has \""),
      ("{'op':'session'}", 1, "not JSON: a single quote, where JSON has \""),
      ("{\"op\":\"revenue\",\"amount\":–5}", 25, "not JSON: – is a typographic dash, where JSON has -"),
      ("{\"op\":\"revenue\",\"amount\":−5}", 25, "not JSON: − is a typographic dash, where JSON has -"),
    ])
  func named(line: String, offset: Int, message: String) throws {
    let problems = try check(line).map(\.problem)
    #expect(problems.map(\.message) == [message])
    #expect(problems.first?.range.lowerBound == offset)
  }

  @Test("In strings every character is right")
  func strings() throws {
    for text in ["“x”", "a – b", "# x", "// x", "it's"] {
      #expect(try check("{\"op\":\"event\",\"name\":\"\(text)\"}").isEmpty)
    }
    // A mistake behind them is what it is.
    #expect(
      try check("{\"op\":\"event\",\"name\":\"“x”\" 5}").first?.problem.message == "not JSON: expected a comma or \"}\""
    )
  }

  @Test("A key that stands for another step names that step, whatever the operation")
  func keys() throws {
    for spec in OperationSpec.all {
      for name in OperationSpec.names where !StepKey.names.contains(name) {
        let message = try check("{\"op\":\"\(spec.name)\",\"\(name)\":5}").map(\.problem.message).joined()
        #expect(
          message.contains("; \(name) is a step of its own, as in {\"op\":\"\(name)\""), "\(spec.name): \(message)")
      }
      for key in ["amount", "currency", "ad_monetization"] {
        guard let index = StepKey.names.firstIndex(of: key), !spec.allowed.contains(index) else { continue }
        let message = try check("{\"op\":\"\(spec.name)\",\"\(key)\":5}").map(\.problem.message).joined()
        #expect(message.contains("; revenue is a step of its own, as in"), "\(spec.name): \(message)")
      }
    }
  }

  @Test("A whole number with a fraction is shown as it is written")
  func fractions() throws {
    for number in ["24.5", "1e30", "-3.25"] {
      let problems = try check("{\"op\":\"register\",\"framework_error\":\(number)}").map(\.problem.message)
      #expect(problems == ["\"framework_error\" must be a whole number, this is \(number)"])
    }
    for number in ["24.0", "2.4e1", "-3.0"] {
      #expect(try check("{\"op\":\"register\",\"framework_error\":\(number)}").isEmpty)
    }
  }

  @Test("A byte order mark in front of a list, or of one that it includes, is no part of its first line")
  func byteOrderMark() throws {
    for line in [#"{"op":"register"}"#, "# a comment", "", #"  {"op":"register","at":5}"#] {
      let list = "\u{FEFF}\(line)\n{\"op\":\"session\"}\n"
      #expect(try check(list).isEmpty, "\(line)")
      var options = ListReader.Options()
      options.open = { _ throws(SourceFailure) in ByteSource(Array(list.utf8)) }
      let steps = try read("{\"op\":\"include\",\"file\":\"x\"}\n", options)
      #expect(steps.flatMap(\.problems).isEmpty && steps.count == (line.contains("op") ? 2 : 1), "\(line)")
    }
    // Only the first line of a file can begin with one.
    #expect(try check("{\"op\":\"session\"}\n\u{FEFF}{\"op\":\"session\"}\n").map(\.line) == [2])
    let problems = try check("\u{FEFF}{\"op\":5}")
    #expect(problems.first?.problem.range == 6..<7)
  }

  @Test("A key at the end of a path suggests the path, for every path of a result")
  func paths() throws {
    func leaves(_ form: JSONForm, _ path: [String], _ depth: Int) -> [[String]] {
      if depth == 0 { return [] }
      switch form.withoutNull {
      case .object(let members, _, _):
        return members.flatMap { [path + [$0.key]] + leaves($0.form, path + [$0.key], depth - 1) }
      case .list(let item): return leaves(item, path + ["0"], depth - 1)
      default: return []
      }
    }
    let paths = leaves(.result(more: []), [], 3)
    let top = Set(paths.filter { $0.count == 1 }.map { $0[0] })
    #expect(paths.count > 50)
    var seen: Set<String> = []
    for path in paths {
      guard let key = path.last, !top.contains(key), seen.insert(key).inserted else { continue }
      let shortest = paths.filter { $0.last == key }.map(\.count).min() ?? 0
      let fitting = paths.filter { $0.last == key && $0.count == shortest }.map { $0.joined(separator: ".") }
      let messages = try check("{\"op\":\"session\",\"expect\":{\"\(key)\":null}}").map(\.problem.message)
      #expect(
        messages.count == 1 && fitting.contains { messages[0].contains("did you mean \"\($0)\"?") },
        "\(key): \(messages)")
    }
    #expect(
      try check(#"{"op":"session","expect":{"fine":1}}"#)[0].problem.message.contains("did you mean \"handler.fine\"?"))
  }
}
