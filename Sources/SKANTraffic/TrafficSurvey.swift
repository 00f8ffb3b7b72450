import SKANBase
import SKANDevice
import SKANModel

/// The facts about all requests that are needed to check one device after the other: which devices belong together, and
/// what concerns several devices.
///
/// It keeps about 200 bytes for each device, so that a check only needs memory for one device at a time.
///
///     var survey = TrafficSurvey()
///     let devices = requests.map { survey.add($0, kind: .launch) }
///     survey.parts(of: devices)   // [0, 1, 0]
package struct TrafficSurvey {
  private(set) var apps = AppTable()
  private var links = DeviceLinks()
  /// The index of each device, in the order of their first requests; requests without a device share one, too.
  private var indexes: [TrafficDevice?: UInt32] = [:]
  /// For each device itself, or an earlier one to which it belongs.
  private var parents: [UInt32] = []
  private var calls: [DeviceCalls] = []
  /// The requests whose parameters are unknown.
  private(set) var hidden: HiddenRequests
  private(set) var formless = FormlessAnswers()

  /// - Parameter hidden: the parts of the captures that cannot be read.
  package init(hidden: HiddenRequests = HiddenRequests()) { self.hidden = hidden }

  /// The number of devices, links or apps that it keeps, whichever are the most.
  var size: Int { max(parents.count, links.count, apps.count) }

  /// Adds the next request in order of time.
  ///
  /// - Returns: the index of its device.
  package mutating func add(_ captured: CapturedRequest, kind: EndpointKind?) -> UInt32 {
    guard let kind else { return index(of: nil) }
    formless.add(captured, kind)
    if captured.lacksItsForm {
      hidden.add(captured, kind, .withoutForm(kind))
      return index(of: nil)
    }
    guard let request = CheckedRequest(captured, kind: kind, in: nil) else {
      hidden.add(captured, kind, .unreadable(kind))
      return index(of: nil)
    }
    if captured.request.hasParametersInWrongBody(of: kind) { hidden.add(captured, kind, .unreadable(kind)) }
    return add(request)
  }

  /// Adds the next request in order of time, whose parameters are already read.
  ///
  /// - Returns: the index of its device.
  mutating func add(_ request: CheckedRequest) -> UInt32 {
    var request = request
    let index = index(of: request.device)
    if let other = request.linkedDevice { unite(index, self.index(of: other)) }
    if !request.captured.request.hasJSONBody {
      _ = links.link(&request)
      learn(request)
    }
    return index
  }

  /// Records what the rules about several devices need.
  ///
  /// - Parameter request: a request that has its owner as device if it only names an `sdid`.
  mutating func learn(_ request: CheckedRequest) {
    guard let device = request.device else { return }
    let app = apps.index(of: device.app)
    apps[app].learn(request)
    if device.kind == .idfv { calls[Int(index(of: device))].add(request, app: app) }
  }

  /// The facts about a device's app.
  func app(of device: TrafficDevice) -> AppFacts { apps[device.app] }

  /// The part in which the device of each request is checked: devices linked by an `sdid` are in one part.
  package func parts(of devices: [UInt32]) -> [UInt32] {
    var roots = parents
    // A device belongs to an earlier one.
    for index in roots.indices { roots[index] = roots[Int(parents[index])] }
    return devices.map { roots[Int($0)] }
  }

  /// Removes all data about devices; only data about apps remains.
  mutating func forgetDevices() { (indexes, parents, calls, links) = ([:], [], [], DeviceLinks()) }

  private mutating func root(_ index: UInt32) -> UInt32 {
    var index = index
    while parents[Int(index)] != index {
      // Shortens the path, so that long chains of links are fast.
      parents[Int(index)] = parents[Int(parents[Int(index)])]
      index = parents[Int(index)]
    }
    return index
  }

  private mutating func unite(_ one: UInt32, _ other: UInt32) {
    let (one, other) = (root(one), root(other))
    parents[Int(max(one, other))] = min(one, other)
  }

  private mutating func index(of device: TrafficDevice?) -> UInt32 {
    if let index = indexes[device] { return index }
    let index = UInt32(parents.count)
    indexes[device] = index
    parents.append(index)
    calls.append(DeviceCalls())
    return index
  }

  /// The devices that probably are one phone with another device.
  var splitPhones: SplitPhones {
    var indexes = calls.indices.filter { calls[$0].first != nil }
    indexes.sort { (calls[$0].app, calls[$0].first ?? 0, $0) < (calls[$1].app, calls[$1].first ?? 0, $1) }
    var pairs: [UInt32: UInt32] = [:]
    var start = 0
    for end in indexes.indices {
      let one = calls[indexes[end]]
      if one.app != calls[indexes[start]].app || one.first != calls[indexes[start]].first { start = end }
      // Where many phones registered in the same second, as in tests, nothing can be concluded.
      if end - start > DeviceRules.limit { continue }
      let isSmall = calls.count <= DeviceCalls.fewDevices
      if let twin = indexes[start..<end].first(where: { calls[$0].isSamePhone(as: one, amongFew: isSmall) }) {
        pairs[UInt32(indexes[end])] = UInt32(twin)
      }
    }
    if pairs.isEmpty { return SplitPhones() }
    let wanted = Set(pairs.keys).union(pairs.values)
    let devices = Dictionary(
      self.indexes.lazy.filter { wanted.contains($0.value) }.map { ($0.value, $0.key) }, uniquingKeysWith: { $1 })
    var phones = SplitPhones()
    for (index, twin) in pairs {
      if case let device?? = devices[index], case let other?? = devices[twin] { phones.add(device, other) }
    }
    return phones
  }
}

/// Phones whose app and server identify them differently: two devices that differ only in `idfv`, and whose requests
/// complement each other.
struct SplitPhones {
  /// The first device of each second one.
  private(set) var twins: [TrafficDevice: TrafficDevice] = [:]
  /// All such devices. Each has half of a phone's requests, so the other half is not missing.
  private(set) var devices: Set<TrafficDevice> = []

  mutating func add(_ device: TrafficDevice, _ first: TrafficDevice) {
    twins[device] = first
    devices.formUnion([device, first])
  }
}

/// The times at which a device's phone called SKAdNetwork, as far as its requests show them.
private struct DeviceCalls {
  /// The number of devices up to which two of them hardly register in the same second.
  static let fewDevices = 100

  private(set) var app: UInt32 = 0
  private var hasConversions = false
  private var hasForwards = false
  private(set) var first: Int64?
  /// The earliest and latest of the calls after the first one.
  private var next: Int64?
  private var last: Int64?

  mutating func add(_ request: CheckedRequest, app: Int) {
    self.app = UInt32(app)
    if request.kind.isReport { hasForwards = true } else { hasConversions = true }
    for (first, last) in Self.names {
      guard let first = request.sent[first].flatMap({ Int64($0) }), first > 0 else { continue }
      if first != self.first { (self.first, next, self.last) = (first, nil, nil) }
      if let call = request.sent[last].flatMap({ Int64($0) }), call > first {
        next = min(next ?? call, call)
        self.last = max(self.last ?? call, call)
      }
      return
    }
  }

  /// The names of the first and the last call: SKAN 4's, and SKAN 3's in a request of the snippet and in a report.
  private static let names: [(first: String, last: String)] = [
    { $0.name }, { $0.requestName(in: .v1) }, { $0.forwardedName(in: .v1) },
  ].compactMap { (name: (StoreEntry) -> String?) in
    guard let first = name(.firstCall), let last = name(.lastCall) else { return nil }
    return (first, last)
  }

  /// Whether one device has the snippet's requests and the other the app server's, about the same calls.
  ///
  /// - Parameters:
  ///   - other: a device with the same first call.
  ///   - amongFew: whether the first call is sufficient if one of them shows no later call.
  func isSamePhone(as other: DeviceCalls, amongFew: Bool) -> Bool {
    guard hasConversions != hasForwards, other.hasConversions != other.hasForwards,
      hasConversions != other.hasConversions
    else { return false }
    guard let next, let last, let otherNext = other.next, let otherLast = other.last else { return amongFew }
    return [next, last].contains { $0 == otherNext || $0 == otherLast }
  }
}

/// The owner of each `sdid`. Events of V2 only have an `sdid`; a request that has another identifier, too, names its
/// owner.
struct DeviceLinks {
  private var owners: RecentValues<TrafficDevice, TrafficDevice>

  /// - Parameter limit: the most owners that are remembered.
  init(limit: Int = .max) { owners = RecentValues(limit: limit) }

  /// The number of devices with a known owner.
  var count: Int { owners.count }

  /// Replaces the device of a request that only has an `sdid` by its owner, or records an owner.
  ///
  /// - Returns: false for an `sdid` whose owner is unknown so far.
  mutating func link(_ request: inout CheckedRequest) -> Bool {
    guard let device = request.device else { return true }
    if device.kind == .sdid {
      guard let owner = owners.known(device) else { return false }
      request.device = owner
    } else if let linked = request.linkedDevice {
      owners.with(linked, new: device) { $0 = device }
    }
    return true
  }
}

extension CheckedRequest {
  /// The device of an `sdid` that is sent together with another identifier.
  var linkedDevice: TrafficDevice? {
    guard let device, device.kind != .sdid, let id = sent["sdid"], !id.isEmpty else { return nil }
    return TrafficDevice(app: device.app, kind: .sdid, id: id)
  }
}
