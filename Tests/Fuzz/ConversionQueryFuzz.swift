import SKANBase

@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANModel

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
