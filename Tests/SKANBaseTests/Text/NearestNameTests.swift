import Testing

@testable import SKANBase

@Suite("Nearest name")
struct NearestNameTests {
  static let known = ["device", "register", "session", "event", "revenue", "details", "relaunch", "update"]

  @Test(
    "One slip or two",
    arguments: [
      ("devise", "device"), ("regster", "register"), ("registre", "register"), ("sesion", "session"),
      ("sessions", "session"), ("evnet", "event"), ("EVENT", "event"), ("Revenue", "revenue"), ("revenu", "revenue"),
      ("detail", "details"), ("relanch", "relaunch"), ("updaet", "update"), ("upd", nil), ("update", "update"),
    ] as [(String, String?)])
  func slips(name: String, expected: String?) {
    #expect(nearestName(to: name, in: Self.known) == expected)
  }

  @Test("Nothing near", arguments: ["", "x", "postbacks", "zzzzzz", "ev", "registration_of_app", "漢字"])
  func nothing(name: String) {
    #expect(nearestName(to: name, in: Self.known) == nil)
  }

  @Test(
    "The first of equally near ones, the nearest of all",
    arguments: [
      ("at", ["op", "as", "an"], "as"), ("p1_coars", ["p0_coarse", "p1_coarse", "p2_coarse"], "p1_coarse"),
      ("idfx", ["idfv", "idfa"], "idfv"), ("idfa", ["idfv", "idfa"], "idfa"), ("a", ["b"], "b"), ("a", [], nil),
      ("ab", ["ba"], "ba"), ("", ["a"], "a"), ("tok", ["took"], "took"), ("app_verson", ["app_version"], "app_version"),
      ("appversion", ["app_version"], "app_version"), ("frameworkerror", ["framework_error"], "framework_error"),
    ] as [(String, [String], String?)])
  func nearest(name: String, known: [String], expected: String?) {
    #expect(nearestName(to: name, in: known) == expected)
  }

  @Test(
    "How far is too far: a third of the letters", arguments: [("abcdef", 2), ("abcdefghi", 3), ("abc", 1), ("ab", 1)])
  func threshold(name: String, allowed: Int) {
    for changes in 1...name.count {
      let changed = String(repeating: "#", count: changes) + name.dropFirst(changes)
      #expect((nearestName(to: changed, in: [name]) != nil) == (changes <= allowed), "\(changes) of \(name)")
    }
  }

  @Test("A name of any length takes no time")
  func long() {
    #expect(nearestName(to: String(repeating: "x", count: 5000), in: Self.known) == nil)
  }
}
