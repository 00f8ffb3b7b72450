import SKANDevice
import SKANBase

extension ReceivedRecord {
  /// Reads a line of the file, without its end.
  ///
  /// - Throws: everything that is wrong with it.
  package init(_ line: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(line), what: "a received postback", known: Self.keys)
    let time = reader.require(
      "received_at", reader.read("received_at", "an ISO 8601 instant") { $0.text.flatMap(Instant.init(iso8601:)) })
    let verdict = reader.require("signature", reader.choice("signature", ReceivedSignature.Verdict.self))
    let key = reader.isNull("key") ? nil : reader.choice("key", ReceivedSignature.Key.self)
    let why = reader.isNull("why") ? nil : reader.string("why")
    let address = reader.isNull("source_address") ? nil : reader.string("source_address")
    let repetition = reader.require("repetition", reader.choice("repetition", Repetition.self))
    let findings = reader.items("findings") { node, reader -> Finding? in
      var item = JSONObjectReader(node, what: "a finding", known: Finding.keys)
      let (code, message) = (item.require("code", item.string("code")), item.require("message", item.string("message")))
      reader.add(item.problems)
      return code.flatMap { code in message.map { Finding(code: code, message: $0) } }
    }
    let body = reader.require("body", reader.string("body"))
    let decoded =
      reader.isNull("decoded") ? nil : reader.node("decoded").flatMap { DecodedValue($0, in: &reader) }
    let campaign =
      reader.isNull("campaign") ? nil : reader.node("campaign").flatMap { CampaignMatch($0, in: &reader) }
    guard reader.problems.isEmpty, let time, let verdict, let repetition, let body else {
      throw SourceProblems(reader.problems)
    }
    self.init(
      receivedAt: time, sourceAddress: address, signature: ReceivedSignature(verdict, key: key, why: why),
      repetition: repetition, findings: findings, body: body)
    self.decoded = decoded
    self.campaign = campaign
  }
}

extension JSONObjectReader {
  /// A value of an enumeration, by its name.
  fileprivate mutating func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ key: JSONKey, _ type: Value.Type
  ) -> Value? {
    let names = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return read(key, "one of \(names)") { $0.text.flatMap(Value.init(rawValue:)) }
  }
}
