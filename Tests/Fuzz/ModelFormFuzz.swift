import SKANBase

@testable import SKANModel

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
