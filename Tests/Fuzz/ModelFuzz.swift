import SKANBase

@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANModel

// Drives the model reader with anything at all: nothing may crash, a model that is read can be checked, explained and
// evaluated, and what it gives stays in range.

private func evaluate(_ model: ConversionModel) {
  _ = model.problems
  _ = model.tables
  let events = NameIndex(model.eventNames)
  let plan = ModelPlan(model, events)
  var windows = PerWindow<[String: Int64]>(repeating: [:])
  for window in ConversionWindow.allCases { windows[window] = ["a": 2, "__SESSION__": 1] }
  var counts = EventCounts(windows)
  counts.use(events)
  for window in ConversionWindow.allCases {
    let phone = PhoneHistory(
      now: .listStart, elapsed: TimeSpan(seconds: 3600 as Int64), window: window,
      revenue: WindowRevenue(iap: RevenueTable([("USD", 9.99)]), ads: RevenueTable([("EUR", 1)])),
      event: events.index(of: "a"), currentFine: 7)
    guard let verdict = try? plan.verdict(on: phone, &counts, ExchangeRates()) else { continue }
    precondition((7...63).contains(verdict.fine), "a fine value below the current one, or out of range")
    precondition(window == .p0 || verdict.fine == 7, "a fine value after the first window")
  }
}

/// What is read can be evaluated, and is the same when it is written and read again.
func fuzzModel(_ bytes: [UInt8]) {
  guard let model = value(of: bytes, { (bytes) throws(SourceProblems) in try ConversionModel(bytes) }) else { return }
  evaluate(model)
}

// Drives the reference endpoint with any query: nothing may crash, and what it answers is one of the documented answers.

private let model = """
  {"fineGrainedConversionValueMappings":[{"fineGrainedConversionValue":9,"conversionValueMapping":{"mappedEvents":[
  {"mappedEventName":"a","currencyCode":"EUR","eventRevenueRange":{"minEventRevenue":1}}]}}],
  "postbackMappings":[{"coarseGrainedConversionValueMappings":{"lowConversionValueMapping":{"mappedEvents":[
  {"mappedEventName":"__REVENUE__"}]}},"lockWindowEvent":"a"}]}
  """

private let endpoint: ReferenceEndpoint? = (try? ConversionModel(Array(model.utf8))).map {
  ReferenceEndpoint(defaultModel: $0)
}

/// The first byte says which version of the endpoint is asked, and when.
func fuzzQuery(_ bytes: [UInt8]) {
  guard let endpoint else { preconditionFailure("the model cannot be read") }
  guard let first = bytes.first else { return }
  let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
  let api: EndpointAPI = first & 1 == 0 ? .v2 : .v1
  let now = Instant(microseconds: 1_767_225_600_000_000 + Int64(first) * 20_000_000_000)
  guard let sent = SentParameters(text) else { return }
  let query = ConversionQuery(sent, api: api)
  var memory = InstallMemory.none
  let reply = endpoint.reply(to: query, at: now, memory: &memory)
  precondition((try? JSONReader.read(reply.body))?.isObject == true, "the answer is no object")
  precondition(!reply.explanation(event: query.eventName).isEmpty)
  if case .values(let values) = reply { precondition((0...63).contains(values.verdict.fine)) }
  var line = JSONWriter()
  sent.writeRedacted(to: &line)
  precondition((try? JSONReader.read(line.bytes, dialect: .phone))?.isObject == true, "the journal's line is no object")
  _ = query.install.utf8.count
}

// The other forms of a model: what is made of them is a model of ours.

private func check(_ model: ConversionModel) {
  let written = Array(JSONWriter.text(model.json).utf8)
  guard let again = value(of: written, { (bytes) throws(SourceProblems) in try ConversionModel(bytes) }) else {
    preconditionFailure("the model that was made cannot be read: \(written.text)")
  }
  precondition(JSONWriter.text(again.json) == written.text, "written and read again it is another")
}

func fuzzSchema(_ bytes: [UInt8]) {
  _ = ModelSourceKind(bytes)
  let converted = value(of: bytes) { (bytes) throws(SourceProblems) in
    try AnalyticsSchema(bytes).converted(currency: "EUR")
  }
  guard let converted else { return }
  for remark in converted.remarks { precondition(remark.range.lowerBound <= bytes.count && !remark.message.isEmpty) }
  check(converted.model)
}

func fuzzTable(_ bytes: [UInt8]) {
  let model = located(of: bytes) { (bytes) throws(SourceNotes) in
    try ModelTable.read(bytes, currency: "USD", hint: "")
  }
  if let model { check(model) }
}
