import SKANJSON

/// The framework's memory of an install in a device file: what is set, and nothing else.
extension AppleFramework {
  package static let keys = JSONKeys([
    "first_launch", "first_update", "latest_call", "version", "timer_start", "p0", "p1", "p2",
  ])

  package var json: JSON {
    let instants = [
      ("first_launch", firstLaunch), ("first_update", firstUpdate), ("latest_call", latestCall),
      ("timer_start", timerStart),
    ].compactMap { name, instant in instant.map { (name, $0.json) } }
    let windows = [ConversionWindow.p0, .p1, .p2].compactMap { window in
      held[window] == HeldValues() ? nil : ("p\(window.rawValue)", held[window].json)
    }
    return .object(instants + (version.map { [("version", .string($0.rawValue))] } ?? []) + windows)
  }

  /// Reads what ``json`` wrote; problems are the reader's.
  package init(from reader: inout JSONObjectReader) {
    firstLaunch = reader.instant("first_launch")
    firstUpdate = reader.instant("first_update")
    latestCall = reader.instant("latest_call")
    timerStart = reader.instant("timer_start")
    version = reader.choice("version")
    held[.p0] = reader.heldValues("p0", hasFine: true)
    held[.p1] = reader.heldValues("p1", hasFine: false)
    held[.p2] = reader.heldValues("p2", hasFine: false)
    let isEmpty = held == PerWindow(repeating: HeldValues()) && version == nil && timerStart == nil
    if firstUpdate == nil, !isEmpty { reader.complain("values without the key \"first_update\"") }
    if firstUpdate != nil { _ = reader.require("version", version) }
    if let version, version.hasWindows != (timerStart == nil) {
      let words = version.hasWindows ? "belongs to versions up to 3" : "is missing"
      reader.complain("\"timer_start\" \(words)", about: "timer_start")
    }
  }
}

extension HeldValues {
  fileprivate var json: JSON {
    let members: [(key: String, value: JSON?)] = [
      ("updated", isUpdated ? .bool(true) : nil), ("fine", fine.map { .integer(Int64($0)) }),
      ("coarse", coarse.map { .string($0.rawValue) }), ("locked_at", lockedAt?.json),
      ("fine_only", isFineOnly ? .bool(true) : nil),
    ]
    return .object(members.compactMap { key, value in value.map { (key, $0) } })
  }
}

extension JSONObjectReader {
  fileprivate mutating func heldValues(_ key: JSONKey, hasFine: Bool) -> HeldValues {
    var values = HeldValues()
    guard let node = node(key) else { return values }
    let keys = ["updated", "coarse", "locked_at", "fine_only"] + (hasFine ? ["fine"] : [])
    var reader = JSONObjectReader(node, what: "a window of Apple's", known: JSONKeys(keys))
    values.isUpdated = reader.bool("updated") ?? false
    if hasFine { values.fine = reader.integer("fine", in: 0...63).map { UInt8($0) } }
    values.coarse = reader.choice("coarse")
    values.lockedAt = reader.instant("locked_at")
    values.isFineOnly = reader.bool("fine_only") ?? false
    add(reader.problems)
    return values
  }
}
