import SKANHTTP

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
    "  note: Reading getSkanDetails right after the call, as the guide's sample does, gives the values before this "
    + "update. [details-stale]\n"
  /// What ends a run whose first finding is that.
  static let explainHandler = "Try 'skan explain handler-not-called'.\n"
  static let noHandler =
    "  finding: A request went out, and the completion handler was never called: code in it never runs. "
    + "[handler-not-called]\n"
  static let registered =
    "registered         First call to the framework with value 0; the three windows count from 2026-01-01T00:00:00Z.\n"
  static let nothing =
    "no-update          The answer is ok and has no conversion value: nothing to update, and the snippet never calls "
    + "the handler.\n"

  /// An update of the fine value alone.
  static func updated(_ change: String) -> String { "updated            Updated in P0: conversion value \(change).\n" }
}
