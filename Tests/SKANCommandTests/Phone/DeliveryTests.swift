import Foundation
import SKANDevice
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("postbacks --send: attempts")
struct DeliveryTests {
  private static let send = "--send http://localhost:8080/postback"
  private static let network = "http://localhost:8080/postback"
  private static let developer = "http://localhost:8080/.well-known/skadnetwork/report-attribution/"

  @Test("What has left by now goes to the ad network, and a copy to the developer; never again after 200")
  func arrives() {
    let world = World.measured()
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +3d1h \(Self.send)").code == .ok)
    #expect(world.posts == [] && world.deliveries == [])
    #expect(world.run("postbacks --at +4d \(Self.send)").code == .ok)
    #expect(world.posts.map(\.url) == [Self.network, Self.developer])
    #expect(world.posts.map(\.recipient) == ["network", "developer"])
    #expect(world.posts[0].body == world.posts[1].body)
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .ok)
    #expect(world.run("postbacks --at +90d \(Self.send)").code == .ok)
    #expect(world.deliveries == ["0 network 89 200", "0 developer 89 200", "1 network 203 200", "1 developer 203 200"])
    #expect(world.posts.count == 4)
  }

  @Test("With -v what went over the wire is shown, without the key and with no more of a body than fits")
  func verboseAnswer() {
    let world = World.measured()
    world.set {
      $0.variables["SKAN_SDK_KEY"] = "sekret-key"
      $0.post = { post in
        .success(
          HTTPExchange(
            HTTPResponse(status: 200, headers: [HTTPField("X-A", "sekret-key")], body: Array("ok\nthen".utf8)),
            url: post.url))
      }
    }
    let run = world.run("postbacks -v --at +4d \(Self.send) --developer none")
    #expect(run.code == .ok)
    #expect(run.err.hasPrefix("> POST /postback\n> Host: localhost:8080\n"), "\(run.err)")
    #expect(run.err.contains("\n< HTTP 200\n< X-A: REDACTED\n<\n< ok\\nthen\n"), "\(run.err)")
    #expect(!run.err.contains("sekret"))
  }

  @Test(
    "Anything but 200 is tried again a day later, and is exit code 76", arguments: [201, 204, 301, 404, 500])
  func refused(status: Int) {
    let world = World.measured()
    world.takePostbacks(status)
    #expect(world.run("postbacks --at +4d \(Self.send) --developer none").code == .badAnswer)
    #expect(world.run("postbacks --at +4d \(Self.send) --developer none").code == .badAnswer)
    #expect(world.deliveries == ["0 network 89 \(status)"], "not before a day has gone by")
    #expect(world.run("postbacks --at +6d \(Self.send) --developer none").code == .badAnswer)
    #expect(world.deliveries.count == 3)
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +7d \(Self.send) --developer none").code == .ok)
    let statuses = [status, status, status, 200]
    #expect(world.deliveries == statuses.enumerated().map { "0 network \(89 + 24 * $0) \($1)" })
    #expect(world.run("postbacks --at +8d \(Self.send) --developer none").code == .ok)
    #expect(world.deliveries.count == 4)
  }

  @Test("No answer at all is exit code 69, and reported with the address")
  func unreachable() {
    let world = World.measured()
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    let run = world.run("postbacks --at +4d \(Self.send) --developer none")
    #expect(run.code == .unavailable)
    #expect(run.out.contains("  2026-01-04T17:09:26Z  to the ad network at \(Self.network): "))
    // The one that answered wrongly counts less than the one that did not answer.
    world.takePostbacks(500)
    #expect(world.run("postbacks --at +4d \(Self.send)").code == .unavailable)
    #expect(world.run("postbacks --at +5d \(Self.send)").code == .badAnswer)
  }

  @Test("Nine times again over nine days, and then no more")
  func givenUp() {
    let world = World.measured()
    world.takePostbacks(500)
    let run = world.run("postbacks --at +60d \(Self.send)")
    #expect(run.code == .badAnswer)
    #expect(world.posts.count == 40)
    for (index, first) in [(0, 89), (1, 203)] {
      for recipient in ["network", "developer"] {
        let own = world.deliveries.filter { $0.hasPrefix("\(index) \(recipient)") }
        #expect(own == (0...9).map { "\(index) \(recipient) \(first + 24 * $0) 500" })
      }
    }
    #expect(run.out.contains("    given up: no attempt to the ad network arrived\n"))
    #expect(run.out.contains("    given up: no attempt to the developer arrived\n"))
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +90d \(Self.send)").code == .badAnswer)
    #expect(world.posts.count == 40)
  }

  @Test("Attempts are made in the order of the phone's time")
  func order() {
    let world = World.measured()
    world.takePostbacks(500)
    world.run("postbacks --at +60d \(Self.send)")
    let hours = world.deliveries.compactMap { Int($0.split(separator: " ")[2]) }
    #expect(hours.count == 40 && hours == hours.sorted())
  }

  @Test("The file is saved before and after each attempt, under its lock")
  func saved() {
    let world = World.measured()
    world.takePostbacks(500, 200)
    world.run("postbacks --at +5d \(Self.send)")
    let write = "replace skan-state.json"
    #expect(
      world.takeLog() == [
        "read skan-state.json", "lock skan-state.json 30.0", "read skan-state.json", write, "post", write, write,
        "post", write, write, "post",
        write, write, "unlock skan-state.json",
      ])
    world.takePostbacks(200)
    world.set { $0.failures[write] = .cannotWrite(file: "skan-state.json", reason: "disk full") }
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .cannotWrite)
    #expect(world.posts.count == 3, "nothing is sent that could not be kept")
  }

  @Test("One in the midst of which the program is ended is an attempt, made again a day later")
  func killed() {
    let world = World.measured()
    let left = Mutex("")
    world.set { state in
      state.post = { post in
        left.withLock { $0 = world["skan-state.json"] ?? "" }
        return .success(HTTPExchange(HTTPResponse(), url: post.url))
      }
    }
    #expect(world.run("postbacks --at +4d --developer none \(Self.send)").code == .ok)
    #expect(world.deliveries == ["0 network 89 200"])
    // As a kill leaves it.
    world["skan-state.json"] = left.withLock { $0 }
    let unknown = "broken off before it was known whether it arrived"
    #expect(world.deliveries == ["0 network 89 \(unknown)"])
    let again = world.run("postbacks --at +4d --developer none \(Self.send)")
    #expect(again.code == .unavailable && again.out.contains(": \(unknown)\n") && world.posts.count == 1)
    #expect(world.run("postbacks --at +5d --developer none \(Self.send)").code == .ok)
    #expect(world.deliveries == ["0 network 89 \(unknown)", "0 network 113 200"])
  }

  @Test("With --verbose: what went over the wire")
  func verbose() {
    let world = World.measured()
    world.set {
      $0.post = { _ in .success(HTTPExchange(HTTPResponse(status: 500, body: Array("no\n".utf8)), url: "")) }
    }
    let run = world.run("postbacks --at +4d --developer none -v -q \(Self.send)?id=1")
    let body = world.posts.first?.body ?? ""
    #expect(
      run.err
        == "> POST /postback?id=1\n> Host: localhost:8080\n> X-SKAN-Simulated: network\n>\n> \(body)\n< HTTP 500\n<\n< no\\n\n"
        + "skan: 1 of 1 delivery did not arrive, the first 2026-01-04T17:09:26Z  to the ad network at "
        + "http://localhost:8080/postback: HTTP 500\n"
    )
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    #expect(world.run("postbacks --at +5d --developer none -v -q \(Self.send)").err.contains("\n* "))
  }

  @Test("One that is interrupted may have arrived: it is an attempt, and the next is made a day later")
  func interrupted() {
    let world = World.measured()
    world.takeNoPostbacks(.interrupted)
    let run = world.run("postbacks --at +60d \(Self.send)")
    #expect(
      run.code == .interrupted && run.err == "skan: interrupted; what was done before is saved in skan-state.json\n")
    #expect(world.deliveries == ["0 network 89 interrupted before an answer came"])
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +4d \(Self.send) --developer none").code == .unavailable)
    #expect(world.posts.count == 1)
    #expect(world.run("postbacks --at +5d \(Self.send) --developer none").code == .ok)
    #expect(world.deliveries.last == "0 network 113 200")
  }
}
