import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

/// A life with the older snippet, whose requests have names of their own.
@Suite("The life of a phone with SKAN 3")
struct SKAN3LifeTests {
  private static let start: Int64 = 1_767_225_600
  private static let idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334"

  /// A request for the next value, some hours after the first call.
  private func ask(_ hour: Double, _ name: String, value: String, last: Double, answer: String) -> CapturedRequest {
    request(
      hour, "https://sdk-api-v1.singular.net/api/v1/conversion_value",
      "a=k&p=iOS&i=com.example.app&app_v=1.0&idfv=\(Self.idfv)&n=\(name)&conversion_value=\(value)"
        + "&total_revenue_by_currency=%7B%7D&first_call_to_skadnetwork_timestamp=\(Self.start)"
        + "&last_call_to_skadnetwork_timestamp=\(Self.seconds(last))", answer)
  }

  /// A report of the app's server.
  private func report(
    _ hour: Double, _ name: String, value: String?, last: Double, more: String = ""
  ) -> CapturedRequest {
    let common =
      "a=k&p=iOS&i=com.example.app&ip=172.58.29.235&ve=15.0&idfv=\(Self.idfv)&att_authorization_status=0"
      + "&utime=\(Self.seconds(hour))\(value.map { "&skan_conversion_value=\($0)" } ?? "")"
      + "&skan_first_call_timestamp=\(Self.start)&skan_last_call_timestamp=\(Self.seconds(last))\(more)"
    return name == "launch"
      ? request(
        hour, "https://s2s.singular.net/api/v1/launch",
        common + "&ma=Apple&mo=iPhone14,5&lc=en_US&bd=19A346&app_v=1.0&install=false", #"{"status":"ok"}"#)
      : request(hour, "https://s2s.singular.net/api/v1/evt", "\(common)&n=\(name)", #"{"status":"ok"}"#)
  }

  private func request(_ hour: Double, _ url: String, _ query: String, _ answer: String) -> CapturedRequest {
    CapturedRequest(
      .get("\(url)?\(query)"), at: Instant(unixSeconds: Self.seconds(hour)),
      answer: .response(status: 200, body: Array(answer.utf8)), location: CaptureLocation(file: "a", entry: 0, line: 0))
  }

  private static func seconds(_ hour: Double) -> Int64 { start + Int64(hour * 3600) }

  private func findings(_ requests: [CapturedRequest]) throws -> [String] {
    try Checked(
      requests.enumerated().map { index, request in
        var request = request
        request.location = CaptureLocation(file: "a", entry: index + 1, line: index + 1)
        return request
      }
    ).text
  }

  private func value(_ number: Int) -> String { #"{"conversion_value":\#(number),"status":"ok"}"# }

  /// Two updates, each reported.
  private var life: [CapturedRequest] {
    [
      ask(1, "__SESSION__", value: "", last: 0, answer: value(3)), report(1.001, "launch", value: "3", last: 1),
      ask(2, "level", value: "3", last: 1, answer: value(5)), report(2.001, "level", value: "5", last: 2),
      ask(3, "level", value: "5", last: 2, answer: #"{"status":"ok"}"#), report(3.001, "level", value: "5", last: 2),
    ]
  }

  @Test("In order it has no finding") func orderHas() throws { #expect(try findings(life) == []) }

  @Test("A value that the next request does not show") func valueNext() throws {
    var requests = life
    requests[4] = ask(3, "level", value: "3", last: 1, answer: #"{"status":"ok"}"#)
    let found = try findings(requests)
    #expect(found.contains("5 answer-not-shown: the answer at entry 3 gave value 5."), "\(found)")
  }

  @Test("A value that no answer gave") func valueNo() throws {
    var requests = life
    requests[2] = ask(2, "level", value: "9", last: 1, answer: value(10))
    let found = try findings(requests)
    #expect(found.contains("3 value-never-answered: the value is 9, which no answer gave."), "\(found)")
  }

  @Test("An update a day after the last one comes too late") func updateDay() throws {
    let late = [ask(28, "level", value: "5", last: 2, answer: #"{"status":"ok"}"#)]
    let found = try findings(life + late + [report(28.001, "level", value: "5", last: 2)])
    #expect(found == ["7 request-after-windows: the last call was 26 hours before."])
    // The server goes on after the last window, and the app has no reason to ask.
    #expect(try findings(life + [report(28, "level", value: "5", last: 2)]) == [])
    let early = try findings(
      life + [report(20, "level", value: "5", last: 2), report(22, "launch", value: "5", last: 2)])
    // What came in the last minute may still be answered.
    #expect(early == ["7 event-not-updated: conversion_value was not asked with level."])
  }

  @Test("The names of the other snippet") func namesOther() throws {
    var requests = life
    requests[3] = report(
      2.001, "level", value: nil, last: 2,
      more: "&skan_current_conversion_value=5&skan_first_call_to_skadnetwork_timestamp=\(Self.start)"
        + "&skan_last_call_to_skadnetwork_timestamp=\(Self.seconds(2))")
    requests[3].request.target.query = requests[3].request.query?.replacing(
      /&skan_(first|last)_call_timestamp=\d+/, with: "")
    let found = try findings(requests)
    #expect(found.contains { $0.hasPrefix("4 metadata-names: ") }, "\(found)")
  }

  @Test("As a list it is a phone with SKAN 3") func asList() {
    let list = CapturedList(life)
    let lines = list.text.split(separator: "\n")
    #expect(list.phones == 1 && list.leftOut == [])
    #expect(lines.first?.contains(#""snippet":"skan3""#) == true, "\(list.text)")
    #expect(lines.filter { $0.contains(#""op":"event""#) }.count == 2)
    // A value that is sent empty is not set.
    #expect(lines.count > 2 && !lines[1].contains("skan_conversion_value"), "\(list.text)")
    #expect(lines.count > 2 && lines[2].contains(#""skan_conversion_value":"3""#), "\(list.text)")
  }
}
