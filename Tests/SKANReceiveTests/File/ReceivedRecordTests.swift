import SKANDevice
import SKANBase
import SKANReceive
import Testing

@Suite("A line of the received file")
struct ReceivedRecordTests {
  @Test("It reads back as it was, with a body that is no ASCII and has line ends")
  func roundTrip() throws {
    var record = Samples.record("{\n  \"a\": \"\u{e9}\\u0000\u{2028}\"\r\n}", .conflict)
    record.findings = [ReceivedRecord.Finding(code: "null-field", message: "\"a\" is null.")]
    record.decoded = DecodedValue(model: "a.json", window: .p0, value: .fine(12), undecoded: "not in it")
    record.campaign = CampaignMatch(id: "7", name: "spring", country: "DE")
    #expect(record.line.last == UInt8(ascii: "\n") && record.line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(try ReceivedRecord(record.line.dropLast()) == record)
    let unchecked = ReceivedRecord(
      receivedAt: Instant(microseconds: 0), sourceAddress: nil,
      signature: ReceivedSignature(.notChecked, why: "it has no signature"), repetition: .first, findings: [],
      body: "{}")
    #expect(try ReceivedRecord(unchecked.line.dropLast()) == unchecked)
    #expect(
      String(decoding: unchecked.line, as: UTF8.self)
        == #"{"received_at":"1970-01-01T00:00:00Z","source_address":null,"signature":"not-checked","key":null,"#
        + #""why":"it has no signature","repetition":"first","findings":[],"decoded":null,"campaign":null,"body":"{}"}"#
        + "\n")
  }

  @Test(
    "What is wrong with one",
    arguments: [
      (
        #""repetition":"first""#, #""repetition":"second""#,
        #""repetition" must be one of "first", "duplicate", "conflict""#
      ),
      (#""repetition":"first","#, "", #"needs the key "repetition""#),
      (#""key":"apple""#, #""key":"pear""#, #""key" must be one of "apple", "development", "simulated""#),
      (#""why":null"#, #""wyh":null"#, #"did you mean "why""#),
      ("2026-06-01T", "yesterday", #""received_at" must be an ISO 8601 instant"#),
      (#""findings":[]"#, #""findings":[{"code":"x"}]"#, #"needs the key "message""#),
      (#""body":"{}""#, #""body":{}"#, #""body" must be a string"#),
      (#""decoded":null"#, #""decoded":{"model":"a.json"}"#, #"a decoded value needs the key "window""#),
      (#""campaign":null"#, #""campaign":{"id":7}"#, #""id" must be a string"#),
    ])
  func problems(old: String, new: String, message: String) throws {
    let text = String(decoding: Samples.record("{}").line.dropLast(), as: UTF8.self)
    #expect(text.contains(old))
    let error = #expect(throws: SourceProblems.self) {
      try ReceivedRecord(Array(text.replacing(old, with: new).utf8))
    }
    #expect(error?.problems.first?.message.contains(message) == true, "\(error?.problems.first?.message ?? "")")
  }
}
