/// Parts of a schema's text.
enum Schema {
  static func text(_ values: String..., three: String? = nil) -> String { text(values, three: three) }

  static func text(_ values: [String], two: String? = nil, three: String? = nil) -> String {
    let later = [("Two", two), ("Three", three)].compactMap { name, text in
      text.map { #","postbackWindow\#(name)":\#($0)"# }
    }
    return #"{"name":"properties/1","postbackWindowOne":{"postbackWindowSettingsEnabled":true,"conversionValues":["#
      + values.joined(separator: ",") + "]}" + later.joined() + "}"
  }

  static func value(_ fine: Int, coarse: String? = nil, lock: Bool = false, _ events: String...) -> String {
    #"{"fineValue":\#(fine),"# + (coarse.map { #""coarseValue":"COARSE_VALUE_\#($0)","# } ?? "")
      + (lock ? #""lockEnabled":true,"# : "") + #""eventMappings":[\#(events.joined(separator: ","))]}"#
  }

  static func event(_ name: String, count: (Int?, Int?) = (nil, nil), value: (Double?, Double?) = (nil, nil)) -> String
  {
    let members: [String?] = [
      #""eventName":"\#(name)""#, count.0.map { #""minEventCount":"\#($0)""# },
      count.1.map { #""maxEventCount":"\#($0)""# },
      value.0.map { #""minEventValue":\#($0)"# }, value.1.map { #""maxEventValue":\#($0)"# },
    ]
    return "{\(members.compactMap(\.self).joined(separator: ","))}"
  }
}
