import SKANDevice
import SKANReceive
import SKANSigning

/// Postbacks whose signature nothing looks at.
enum Samples {
  static func text(
    id: String = "17eea21e", network: String = "com.example", index: Int = 0, value: Int? = 12, more: String = ""
  ) -> String {
    let value = value.map { #","conversion-value":\#($0)"# } ?? ""
    return #"{"version":"4.0","ad-network-id":"\#(network)","source-identifier":"5239","app-id":525463029,"#
      + #""transaction-id":"\#(id)","redownload":false,"fidelity-type":1,"did-win":true"#
      + #","postback-sequence-index":\#(index)\#(value)\#(more)}"#
  }

  static func document(_ text: String) throws -> PostbackDocument { try PostbackDocument(Array(text.utf8)) }

  static func record(_ body: String, _ repetition: Repetition = .first) -> ReceivedRecord {
    ReceivedRecord(
      receivedAt: Instant(microseconds: 1_780_315_200_250_000), sourceAddress: "192.0.2.1",
      signature: ReceivedSignature(.valid, key: .apple), repetition: repetition, findings: [], body: body)
  }
}
