import Foundation
import SKANBase
import SKANHTTP
import SKANSigning
import Synchronization
import TestSupport

@testable import SKANCommand
@testable import SKANCommandLine

extension World {
  /// 2026-01-01T00:00:00Z, when the phones of the tests are registered.
  static let start = 1_767_225_600

  /// A phone with the defaults, registered at ``start`` in virtual time.
  static func registered(_ options: String = "") -> World {
    let world = World()
    world.run("register --at \(start) \(options)")
    _ = world.takeLog()
    return world
  }

  /// A registered phone whose endpoint answers every request with this body.
  static func answering(_ body: String, status: Int = 200) -> World {
    let world = registered()
    world.answer(body, status: status)
    return world
  }

  /// From here on every request is answered with this body.
  func answer(_ body: String, status: Int = 200) {
    set {
      $0.network = { url, _ in
        .success(HTTPExchange(HTTPResponse(status: status, body: Array(body.utf8)), url: url))
      }
    }
  }

  /// From here on no request is answered.
  func fail(_ failure: TransportFailure) { set { $0.network = { _, _ in .failure(failure) } } }
}

/// Answers for `--answer`.
enum Answer {
  /// `{"json":{"conversion_value":VALUE…,"status":"ok"}}`.
  static func value(_ value: String, _ more: String = "") -> String {
    #"{"json":{"conversion_value":\#(value)\#(more.isEmpty ? "" : ",\(more)"),"status":"ok"}}"#
  }

  static let ok = #"{"json":{"status":"ok"}}"#
  static let poison = value("\"5\"")
  static let illegal = value("64")
  static let empty = #"{"text":""}"#
  static let timedOut = #"{"error":"The request timed out."}"#
}

/// Lines that many results have.
enum Line {
  static let stale =
    "  note: Reading getSkanDetails right after the call, as the guide's sample does, returns the values from before "
    + "this "
    + "update. [details-stale]\n"
  /// What ends a run whose first finding is that.
  static let explainHandler = "Try 'skan explain handler-not-called'.\n"
  static let noHandler =
    "  finding: A request was sent, and the completion handler was never called: code in it never runs. "
    + "[handler-not-called]\n"
  static let registered =
    "registered         First call to the framework with value 0; the three windows count from 2026-01-01T00:00:00Z.\n"
  static let nothing =
    "no-update          The answer is ok and has no conversion value: nothing to update, and the snippet never calls "
    + "the handler.\n"

  /// An update of the fine value alone.
  static func updated(_ change: String) -> String { "updated            Updated in P0: conversion value \(change).\n" }
}

extension World {
  /// The example postbacks and the key that signed them, under their names; each postback alone as `N.json`, too.
  static func withPostbacks() throws -> World {
    let world = World { $0.signatures = .platform() }
    let folder = Checkout.fixtures.appending(path: "postbacks")
    let read = { (name: String) in try String(contentsOf: folder.appending(path: "simulated-\(name)"), encoding: .utf8)
    }
    world["public.pem"] = try read("public.pem")
    var all = ""
    for (number, name) in names.enumerated() {
      let text = try read("\(name).json")
      world["\(number + 1).json"] = text
      all += text
    }
    world["simulated.jsonl"] = all
    world["apple.jsonl"] = try ["4.0-fine", "4.0-coarse", "3.0", "3.0-not-won", "2.2", "2.1"].map { name in
      try String(contentsOf: folder.appending(path: "apple-\(name).json"), encoding: .utf8)
    }.joined()
    return world
  }

  private static let names = [
    "4.0-first", "4.0-second", "4.0-third", "4.0-not-won", "3.0", "3.0-not-won", "2.2", "2.1", "2.0",
  ]

  /// Whether signatures can be checked on this machine.
  static let canCheckSignatures: Bool = {
    #if canImport(CryptoKit)
      true
    #else
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return path.split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/openssl")
      }
    #endif
  }()

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

  /// Puts a fixture of captured traffic into the world.
  func addCapture(_ name: String, as other: String? = nil) throws {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "traffic/\(name)"), encoding: .utf8)
    self[other ?? name] = text
  }
}

/// A HAR of GET requests to Singular, one a second from 2026-01-01T00:00:00Z on.
///
/// - Parameter entries: path and query of each, and the body of its answer; nil for none.
func capturedHAR(_ entries: [(target: String, answer: String?)]) -> String {
  let texts = entries.enumerated().map { index, entry in
    let host = entry.target.contains("conversion_value") ? "sdk-api-v1" : "s2s"
    let answer =
      entry.answer.map { "{\"status\":200,\"content\":{\"text\":\(JSONWriter.quoted($0))}}" } ?? "{\"status\":0}"
    return """
      {"startedDateTime":"2026-01-01T00:00:0\(index)Z","request":{"method":"GET","url":"https://\(host).singular.net\(entry.target)"},\
      "response":\(answer)}
      """
  }
  return "{\"log\":{\"version\":\"1.2\",\"entries\":[\n\(texts.joined(separator: ",\n"))\n]}}"
}

extension World {
  /// A world with the example models under their names, and some that are wrong.
  static func withModels(registered: Bool = false) throws -> World {
    let world = registered ? World.registered() : World()
    for name in ["sample", "mixed", "engagement", "iap-revenue"] {
      world["\(name).json"] = try Workspace.exampleModel(name)
    }
    world["bad.json"] = #"{"app_idd":"1","measurement_window_hours":-1}"#
    world["odd.json"] =
      #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1},"#
      + #"{"fine_grained_conversion_value":1}]}"#
    world["rates.json"] = #"{"EUR":0.5}"#
    world["bad-rates.json"] = #"{"eur":1}"#
    return world
  }

  /// The same, with the export `may.csv` and its mapping.
  static func withBacktest() throws -> World {
    let world = try withModels()
    for name in ["may.csv", "mapping.json"] {
      world[name] = try String(contentsOf: Checkout.fixtures.appending(path: "backtest/\(name)"), encoding: .utf8)
    }
    return world
  }
}

extension Workspace {
  /// The text of a model under `fixtures/models`.
  static func exampleModel(_ name: String) throws -> String {
    let folder = Checkout.fixtures.appending(path: "models")
    return String(decoding: try Data(contentsOf: folder.appending(path: "\(name).json")), as: UTF8.self)
  }
}

/// A key made for these tests.
enum SigningKey {
  static let privatePEM = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIDUL6BpcV5jK4shPH1GWjmyFBj7FYPbIncVSFFxQZ1JGoAoGCCqGSM49
    AwEHoUQDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSx
    I3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==
    -----END EC PRIVATE KEY-----

    """
  static let publicBase64 =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46ig=="
}

extension ExitCode {
  /// The line on stderr of a command that ends with this code and says nothing else.
  var line: String { "skan: exit code \(rawValue): \(meaning)\n" }
}

extension Consequences {
  /// Whether stderr is empty, or for a failed check has the counts alone.
  var saysCountsAlone: Bool {
    let counts = #/skan: [0-9]+ errors?, [0-9]+ warnings?, [0-9]+ notes?\n/#
    return code == .ok ? err.isEmpty : err.wholeMatch(of: counts) != nil
  }
}
