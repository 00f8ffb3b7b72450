import SKANBase

/// The event list of a new project: the first days of one phone, with what each step must come to.
struct StartList {
  let plan: StartPlan

  var text: String {
    let events = plan.events.enumerated().map { index, name in
      step(
        "event", ["\"name\":\(JSONWriter.quoted(name))", "\"after\":\"10m\""],
        expecting: "\"outcome\":\"updated\",\"handler.fine\":\(plan.value(at: index)),\"handler.coarse\":0")
    }
    let last = JSONWriter.quoted(plan.events.last ?? "")
    let lines: [String] =
      [
        "# The first days of one phone. The model of skan.json answers, in virtual time; 'expect' is what must come of a step.",
        "# Run it:  skan replay --test \(StartPlan.lists)",
        step("device", ["\"label\":\"install\"", "\"ios\":\"17.4\"", "\"bundle_id\":\"com.example.app\""]),
        step("register", ["\"at\":\"2026-01-01T00:00:00Z\""], expecting: "\"outcome\":\"registered\",\"window\":0"),
        step(
          "session", ["\"after\":\"5s\""],
          expecting: "\"outcome\":\"updated\",\"handler.fine\":\(StartPlan.sessionValue),\"handler.coarse\":0"),
        "",
        "# The events, in the order in which a user mostly does them.",
      ] + events + [
        "",
        "# 9.20 EUR are 10 USD by \(StartPlan.rates). Revenue goes before its event.",
        step(
          "revenue", ["\"amount\":9.2", "\"currency\":\"EUR\"", "\"after\":\"1h\""], expecting: "\"outcome\":\"added\""),
        step(
          "event", ["\"name\":\(last)"],
          expecting: "\"outcome\":\"updated\",\"handler.fine\":55,\"handler.coarse\":1"),
        "",
        "# The second window: there is no fine value any more.",
        step("session", ["\"at\":\"+3d\""], expecting: "\"outcome\":\"updated\",\"window\":1,\"handler.coarse\":0"),
        step(
          "postbacks", ["\"at\":\"+40d\""],
          expecting: "\"postbacks.0.state\":\"sent\",\"postbacks.0.body.conversion-value\":55"),
      ]
    return lines.map { "\($0)\n" }.joined()
  }

  private func step(_ operation: String, _ members: [String], expecting expectations: String? = nil) -> String {
    let all = ["\"op\":\"\(operation)\""] + members + (expectations.map { ["\"expect\":{\($0)}"] } ?? [])
    return "{\(all.joined(separator: ","))}"
  }
}
