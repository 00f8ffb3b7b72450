/// The events of a new project, and the value that its model gives each.
struct StartPlan: Sendable {
  /// More would leave no fine value for revenue.
  static let mostEvents = 40
  /// The fine value of a session.
  static let sessionValue = 1
  /// The fine values of revenue in US dollars: from, below and value.
  static let revenue: [(from: String, below: String?, value: Int)] = [
    ("0.01", "5", 50), ("5", "20", 55), ("20", nil, 60),
  ]

  let events: [String]

  /// The fine value of an event; a later event has a higher one.
  func value(at index: Int) -> Int { Self.sessionValue + (index + 1) * max(1, min(10, Self.mostEvents / events.count)) }

  /// The files, but for that of a pipeline, by their paths in the project's folder.
  var files: [(path: String, text: String)] {
    [
      ("skan.json", "{\n  \"model\": \"\(Self.model)\",\n  \"rates\": \"\(Self.rates)\"\n}\n"),
      (Self.model, StartModel(plan: self).text), (Self.rates, "{\"EUR\":0.92}\n"),
      ("\(Self.lists)/first-days.jsonl", StartList(plan: self).text),
    ]
  }

  static let model = "skan/model.json"
  static let rates = "skan/rates.json"
  static let lists = "skan/lists"
}
