import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANServe

/// Numbers at the edges of what programs can hold, in every place of a request where a number can be. A place that traps ends
/// the test process.
@Suite("Extreme numbers, sent to the server")
struct ExtremeNumberTests {
  /// The endpoints of phones and of their apps' servers.
  private static let paths =
    [EndpointKind.conversionValue(.v1), .conversionValue(.v2)].map(\.path) + EndpointKind.reports.map(\.path) + [
      ReferenceService.testingPath
    ]
  /// Every parameter that a reference or the snippet names.
  private static let parameters = Set(QueryParameter.allCases.map(\.name))
    .union(RequestParameter.all.map(\.name)).union(StoreEntry.all.map(\.name)).sorted()

  private let service: TestService
  private let stream: Int

  init() throws {
    service = try TestService(hasPage: true)
    stream = try #require(try service.ask("/events").stream)
  }

  /// The number at a place: all come in turn over the places, and in more rounds each place gets all.
  private func number(_ place: Int, _ round: Int) -> String {
    ExtremeNumber.texts[(place + round) % ExtremeNumber.texts.count]
  }

  /// Reads all that the page reads of the phones so far.
  private func expectAlive() throws {
    _ = service.part(stream)
    for path in OpenAPI.pagePaths.map(\.key) where path != "/events" {
      #expect([200, 204, 400, 404].contains(try service.ask(path, "app=com.example.app&id=IDFV-1").status), "\(path)")
    }
    #expect(try service.ask("/healthz").status == 200)
    #expect(try service.ask("/page/phone", "app=com.example.app&id=IDFV-1").status == 200)
    #expect(try service.ask("/page/list").status == 200 && service.ask("/journal").status == 200)
  }

  @Test("Every parameter, one extreme and all of them", arguments: paths) func everyParameter(path: String) throws {
    let base = path.contains("v1/conversion") ? TestService.v1 : TestService.v2
    for round in Rounds.of(3) {
      for (place, name) in Self.parameters.enumerated() {
        let number = number(place, round)
        let sum = "%7B%22USD%22%3A\(number)%7D"
        for value in [number, sum] { _ = try service.ask(path, "\(base)&\(name)=\(value)") }
        _ = try service.ask(path, "\(name)=\(number)&\(base)")
      }
      let all = Self.parameters.enumerated().map { place, name in
        ["a", "i", "idfv"].contains(name) ? "" : "\(name)=\(number(round, place % 2))&"
      }
      _ = try service.ask(path, all.joined() + "a=K&i=com.example.app&idfv=IDFV-1")
      _ = service.part(stream)
    }
    _ = try service.ask(path, base)
    try expectAlive()
  }

  /// Pairs of times decide about windows, locks and order: each of two is extreme, and both are.
  @Test("Every pair of times", arguments: paths) func everyPair(path: String) throws {
    let times = StoreEntry.all.filter(\.isTimestamp).map(\.name)
    for one in times {
      for other in times where one != other {
        for number in ExtremeNumber.texts.prefix(Rounds.of(3).count) {
          _ = try service.ask(path, "p=iOS&i=com.example.app&idfv=IDFV-1&n=e&\(one)=\(number)&\(other)=5")
          _ = try service.ask(path, "p=iOS&i=com.example.app&idfv=IDFV-1&n=e&\(one)=5&\(other)=\(number)")
        }
      }
      _ = service.part(stream)
    }
    try expectAlive()
  }

  @Test("Every header that has a number") func everyHeader() throws {
    let run = try #require(service.part(stream).firstMatch(of: /"run":"([^"]*)"/)?.1)
    for number in ExtremeNumber.texts {
      for time in [number, "\(number).5"] {
        #expect([200, 400].contains(try service.askV2(time: time).status), "\(time)")
      }
      #expect(try service.askV2(fault: "status-\(number)").status == 400)
      let next = try #require(try service.ask("/events", lastEvent: "\(run)-\(number)").stream)
      // Zero is the number before the first line.
      #expect(service.part(next).contains("event: reset") == (number != "-0"), "\(number)")
      service.close(next)
    }
    try expectAlive()
  }

  @Test("Every parameter and every body of the page") func everyParameterEvery() throws {
    let own = RequestSite(host: "localhost", origin: "http://localhost")
    let names = ["app", "kind", "id"]
    for number in ExtremeNumber.texts {
      for path in OpenAPI.pagePaths.map(\.key) where path != "/events" {
        for name in names {
          let reply = try service.ask(path, "\(name)=\(number)", site: own)
          #expect(reply.status < 500, "\(path)?\(name)=\(number)")
        }
      }
      #expect(try service.ask("/page/trouble", "id=\(number)", method: "DELETE", site: own).status >= 400)
      for body in [#"{"delay":\#(number)}"#, #"{"fault":"status-\#(number)"}"#, number] {
        let reply = try service.ask("/page/trouble", method: "POST", site: own, body: body)
        #expect([200, 400].contains(reply.status), "\(body)")
      }
    }
    _ = try service.askV2()
    try expectAlive()
  }
}
