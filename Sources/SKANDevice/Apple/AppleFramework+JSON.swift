import SKANBase

/// The framework's memory of an install in a device file: what is set, and nothing else.
extension AppleFramework {
  package static let keys = JSONKeys([
    "installed", "first_launch", "first_update", "latest_call", "version", "timer_start", "p0", "p1", "p2",
  ])

  package var json: JSON {
    var members: [(key: String, value: JSON)] = []
    members.reserveCapacity(10)
    func add(_ key: String, _ value: JSON?) { if let value { members.append((key, value)) } }
    add("installed", installed?.json)
    add("first_launch", firstLaunch?.json)
    add("first_update", firstUpdate?.json)
    add("latest_call", latestCall?.json)
    add("timer_start", timerStart?.json)
    add("version", version.map { .string($0.rawValue) })
    add("p0", held[.p0].json)
    add("p1", held[.p1].json)
    add("p2", held[.p2].json)
    return .object(members)
  }

  /// Reads what ``json`` wrote; problems are the reader's.
  package init(from reader: inout JSONObjectReader) {
    installed = reader.instant("installed")
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
      let message = version.hasWindows ? "belongs to versions up to 3" : "is missing"
      reader.complain("\"timer_start\" \(message)", about: "timer_start")
    }
  }
}

extension HeldValues {
  /// The keys of what is held of any window; the first has ``fineKey`` too.
  package static let keys = ["updated", "coarse", "locked_at", "fine_only"]
  package static let fineKey = "fine"

  /// Nil when nothing is held.
  fileprivate var json: JSON? {
    guard self != HeldValues() else { return nil }
    var members: [(key: String, value: JSON)] = []
    members.reserveCapacity(5)
    if isUpdated { members.append(("updated", .bool(true))) }
    if let fine { members.append(("fine", .integer(Int64(fine)))) }
    if let coarse { members.append(("coarse", .string(coarse.rawValue))) }
    if let lockedAt { members.append(("locked_at", lockedAt.json)) }
    if isFineOnly { members.append(("fine_only", .bool(true))) }
    return .object(members)
  }
}

extension JSONObjectReader {
  fileprivate mutating func heldValues(_ key: JSONKey, hasFine: Bool) -> HeldValues {
    var values = HeldValues()
    guard let node = node(key) else { return values }
    let keys = HeldValues.keys + (hasFine ? [HeldValues.fineKey] : [])
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
