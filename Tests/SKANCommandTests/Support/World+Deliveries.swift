import SKANHTTP
import SKANBase
import Synchronization

extension World {
  /// A phone whose first two windows have values: its postbacks leave on 2026-01-04 and 2026-01-09.
  static func measured(_ options: String...) -> World {
    let world = World()
    let install = ["install", "--at", "\(start)"] + options
    world.run("", arguments: install)
    world.run("register --at \(start)")
    for time in ["+1h", "+3d"] {
      world.run("session --at \(time) --answer", Answer.value("12", "\"skan_updated_coarse_value\":2"))
    }
    _ = world.takeLog()
    return world
  }

  /// From here on the postbacks are answered with these statuses in turn, and then with the last of them.
  func takePostbacks(_ statuses: Int...) {
    let count = Mutex(0)
    set {
      $0.post = { post in
        let index = count.withLock { count in
          defer { count += 1 }
          return min(count, statuses.count - 1)
        }
        return .success(HTTPExchange(HTTPResponse(status: statuses[index]), url: post.url))
      }
    }
  }

  /// From here on no postback is answered.
  func takeNoPostbacks(_ failure: TransportFailure) { set { $0.post = { _ in .failure(failure) } } }

  /// The attempts in the device file, as `INDEX RECIPIENT HOURS ENDING`.
  var deliveries: [String] {
    guard let text = self["skan-state.json"], let file = try? JSONReader.read(Array(text.utf8)).value,
      case .array(let items)? = file["deliveries"]
    else { return [] }
    return items.map { item in
      let hours: Int64
      if case .integer(let at)? = item["at"] { hours = (at - Int64(Self.start)) / 3600 } else { hours = -1 }
      let fields = ["sequence_index", "recipient", "status", "error"].map { name in
        switch item[name] {
        case .integer(let number): "\(number)"
        case .string(let text): text
        default: ""
        }
      }
      return "\(fields[0]) \(fields[1]) \(hours) \(fields[2])\(fields[3])"
    }
  }
}
