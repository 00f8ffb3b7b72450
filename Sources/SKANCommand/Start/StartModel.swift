import SKANBase

/// The conversion model of a new project: a fine value for a session, each event and three ranges of revenue, and in every
/// window a coarse value for a session and for revenue.
struct StartModel {
  let plan: StartPlan

  var text: String {
    let events = plan.events.enumerated().map { fine(plan.value(at: $0), "{\"mapped_event_name\":\(quoted($1))}") }
    let revenue = StartPlan.revenue.map { fine($0.value, Self.revenue(from: $0.from, below: $0.below)) }
    let values = [fine(StartPlan.sessionValue, Self.session)] + events + revenue
    return """
      {
        "fine_grained_conversion_value_mappings": [
      \(values.joined(separator: ",\n"))
        ],
        "postback_mappings": [
      \((0...2).map(window).joined(separator: ",\n"))
        ]
      }

      """
  }

  private static let session = "{\"mapped_event_name\":\"__SESSION__\"}"

  private static func revenue(from: String, below: String?) -> String {
    let end = below.map { ",\"max_event_revenue\":\($0)" } ?? ""
    return "{\"mapped_event_name\":\"__REVENUE__\",\"currency_code\":\"USD\","
      + "\"event_revenue_range\":{\"min_event_revenue\":\(from)\(end)}}"
  }

  private func quoted(_ name: String) -> String { JSONWriter.quoted(name) }

  private func fine(_ value: Int, _ event: String) -> String {
    "    {\"fine_grained_conversion_value\":\(value),\"conversion_value_mapping\":{\"mapped_events\":[\(event)]}}"
  }

  private func window(_ index: Int) -> String {
    let values = [
      ("low", Self.session), ("medium", Self.revenue(from: "0.01", below: "20")),
      ("high", Self.revenue(from: "20", below: nil)),
    ]
    let mappings = values.map { "      \"\($0)_conversion_value_mapping\":{\"mapped_events\":[\($1)]}" }
    return """
          {"postback_sequence_index":\(index),"coarse_grained_conversion_value_mappings":{
      \(mappings.joined(separator: ",\n"))
          }}
      """
  }
}
