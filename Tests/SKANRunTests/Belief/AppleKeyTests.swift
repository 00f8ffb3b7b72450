import SKANBase
import Testing

@testable import SKANRun

@Suite("The key apple")
struct AppleKeyTests {
  private static let list = [
    #"{"op":"device","label":"installed"}"#,
    #"{"op":"details","label":"launched"}"#,
    #"{"op":"register","after":"1h","label":"registered"}"#,
    #"{"op":"session","after":"1h","label":"updated","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1,"skan_updated_lock_window_value":true}}}"#,
    #"{"op":"event","name":"n","after":"1h","label":"locked","answer":{"json":{"conversion_value":6}}}"#,
    #"{"op":"revenue","amount":1,"currency":"USD","label":"revenue"}"#, #"{"op":"relaunch","label":"relaunched"}"#,
    #"{"op":"update","ios":"17.5","label":"updated phone"}"#, #"{"op":"postbacks","after":"3d","label":"looked"}"#,
    #"{"op":"session","label":"refused","answer":{"json":{"conversion_value":7}},"framework_error":7}"#,
    #"{"op":"session","label":"unanswered","answer":{"error":"timed out"}}"#,
  ]
  private static let p0 = #""p0":{"coarse":"medium","fine":5,"locked_at":1767232800,"updated":true}"#
  private static let held = #""first_launch":1767225600,"first_update":1767229200,"latest_call""#

  @Test(
    "After each kind of step",
    arguments: [
      (0, #"{"says":null,"window":-1}"#), (1, #"{"first_launch":1767225600,"says":null,"window":-1}"#),
      (
        2,
        #"{\#(held):1767229200,"p0":{"fine":0,"fine_only":true,"updated":true},"says":"Apple holds the values for P0; the first call, which registers the install.","version":"4.0","window":0}"#
      ),
      (
        3,
        #"{\#(held):1767232800,\#(p0),"says":"Apple holds the values for P0; the window is locked now.","version":"4.0","window":0}"#
      ),
      (
        4,
        #"{\#(held):1767236400,\#(p0),"says":"P0 was locked at 2026-01-01T02:00:00Z, so Apple ignores the call and keeps the values of the lock.","version":"4.0","window":0}"#
      ),
      (5, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":0}"#),
      (6, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":0}"#),
      (7, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":0}"#),
      (8, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":1}"#),
      (
        9,
        #"{\#(held):1767236400,\#(p0),"says":"Apple refuses the call with SKANErrorDomain error 7 and holds what it held.","version":"4.0","window":1}"#
      ),
      (10, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":1}"#),
    ])
  func afterEachStep(index: Int, text: String) throws {
    let results = try runList(Self.list)
    #expect(results.count == Self.list.count)
    let apple = try #require(results[index].json.value(at: "apple"))
    #expect(JSONWriter.text(apple) == text)
  }

  @Test("Versions up to 3: one value and a timer, no window")
  func timer() throws {
    let results = try runList([
      #"{"op":"device","ad":{"version":"3.0"}}"#, #"{"op":"register"}"#,
      #"{"op":"session","after":"1h","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1}}}"#,
    ])
    let apple = try #require(results.last?.json.value(at: "apple"))
    #expect(
      JSONWriter.text(apple)
        == #"{"first_launch":1767225600,"first_update":1767225600,"latest_call":1767229200,"p0":{"fine":5,"updated":true},"says":"Apple holds the values for P0; versions up to 3 ignore the coarse value.","timer_start":1767229200,"version":"3.0","window":-1}"#
    )
  }

  @Test("An organic install: Apple holds nothing and says so")
  func organic() throws {
    let results = try runList([#"{"op":"device","ad":false}"#, #"{"op":"register"}"#])
    let apple = try #require(results.last?.json.value(at: "apple"))
    #expect(
      JSONWriter.text(apple)
        == #"{"first_launch":1767225600,"says":"no ad brought this install, so Apple takes the call and holds nothing.","window":-1}"#
    )
  }
}
