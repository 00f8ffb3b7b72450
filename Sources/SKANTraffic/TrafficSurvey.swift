import SKANDevice
import SKANModel

/// Facts about all requests that the check of one device after the other needs: which of them belong together, and
/// what concerns several.
///
/// Of a device it keeps some 200 bytes, so that one life at a time is all that a check has in memory.
///
///     var survey = TrafficSurvey()
///     let devices = requests.map { survey.add($0, kind: .launch) }
///     survey.parts(of: devices)   // [0, 1, 0]
package struct TrafficSurvey {
  private(set) var apps = AppTable()
  private var links = DeviceLinks()
  /// Each device by the order of the first requests; requests without a device have an index, too.
  private var indexes: [TrafficDevice?: UInt32] = [:]
  /// For each device itself, or one before it that it belongs to.
  private var parents: [UInt32] = []
  private var calls: [DeviceCalls] = []

  /// A survey of no requests yet.
  package init() {}

  /// Adds the next request in order of time.
  ///
  /// - Returns: the index of its device.
  package mutating func add(_ captured: CapturedRequest, kind: EndpointKind?) -> UInt32 {
    guard let kind, !captured.request.lacksItsForm, let request = CheckedRequest(captured, kind: kind, in: nil) else {
      return index(of: nil)
    }
    return add(request)
  }

  /// Adds the next request in order of time, which has its parameters.
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

  /// Takes what the rules about several devices need.
  ///
  /// - Parameter request: of its owner, where an `sdid` alone says whose it is.
  mutating func learn(_ request: CheckedRequest) {
    guard let device = request.device else { return }
    let app = apps.index(of: device.app)
    apps[app].learn(request)
    if device.kind == .idfv { calls[Int(index(of: device))].add(request, app: app) }
  }

  /// The facts about a device's app.
  func app(of device: TrafficDevice) -> AppFacts { apps[device.app] }

  /// For the device of each request the part that it is checked in: devices that an `sdid` links are in one.
  package func parts(of devices: [UInt32]) -> [UInt32] {
    var roots = parents
    // What a device belongs to comes before it.
    for index in roots.indices { roots[index] = roots[Int(parents[index])] }
    return devices.map { roots[Int($0)] }
  }

  /// Keeps what concerns apps alone.
  mutating func forgetDevices() { (indexes, parents, calls, links) = ([:], [], [], DeviceLinks()) }

  private mutating func root(_ index: UInt32) -> UInt32 {
    var index = index
    while parents[Int(index)] != index {
      // The way gets shorter, so that long chains of links take no time.
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

  /// The devices that are probably one phone with another.
  var splitPhones: SplitPhones {
    var indexes = calls.indices.filter { calls[$0].first != nil }
    indexes.sort { (calls[$0].app, calls[$0].first ?? 0, $0) < (calls[$1].app, calls[$1].first ?? 0, $1) }
    var pairs: [UInt32: UInt32] = [:]
    var start = 0
    for end in indexes.indices {
      let one = calls[indexes[end]]
      if one.app != calls[indexes[start]].app || one.first != calls[indexes[start]].first { start = end }
      // Of phones that were made to register in the same second nothing can be said.
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

/// Phones whose app and server name them differently: the two devices differ in `idfv` alone, and their lives are one.
struct SplitPhones {
  /// For each of them the device that came first.
  private(set) var twins: [TrafficDevice: TrafficDevice] = [:]
  /// All of them: each has half of a phone's requests, and the other half is not missing.
  private(set) var devices: Set<TrafficDevice> = []

  mutating func add(_ device: TrafficDevice, _ first: TrafficDevice) {
    twins[device] = first
    devices.formUnion([device, first])
  }
}

/// When a device's phone called SKAdNetwork, as far as its requests say.
private struct DeviceCalls {
  /// Among as many devices hardly two register in the same second.
  static let fewDevices = 100

  private(set) var app: UInt32 = 0
  private var hasConversions = false
  private var hasForwards = false
  private(set) var first: Int64?
  /// The first and the last of the calls behind the first one of all.
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

  /// The names of the first call and of the last one: SKAN 4's, SKAN 3's in a request of the snippet, and in a report.
  private static let names: [(first: String, last: String)] = [
    { $0.name }, { $0.requestName(in: .v1) }, { $0.forwardedName(in: .v1) },
  ].compactMap { (name: (StoreEntry) -> String?) in
    guard let first = name(.firstCall), let last = name(.lastCall) else { return nil }
    return (first, last)
  }

  /// Whether one has the requests of the snippet and the other those of the app's server, about the same calls.
  ///
  /// - Parameters:
  ///   - other: with the same first call.
  ///   - amongFew: whether the first call alone is enough where one of them shows no other.
  func isSamePhone(as other: DeviceCalls, amongFew: Bool) -> Bool {
    guard hasConversions != hasForwards, other.hasConversions != other.hasForwards,
      hasConversions != other.hasConversions
    else { return false }
    guard let next, let last, let otherNext = other.next, let otherLast = other.last else { return amongFew }
    return [next, last].contains { $0 == otherNext || $0 == otherLast }
  }
}

/// Whose an `sdid` is: events of V2 name the device by it alone, and a request that has another identifier beside it says
/// whose that is.
struct DeviceLinks {
  private var owners: [TrafficDevice: TrafficDevice] = [:]

  /// Gives a request its owner, or remembers whom it names.
  ///
  /// - Returns: false for a request of an `sdid` that is nobody's so far.
  mutating func link(_ request: inout CheckedRequest) -> Bool {
    guard let device = request.device else { return true }
    if device.kind == .sdid {
      guard let owner = owners[device] else { return false }
      request.device = owner
    } else if let linked = request.linkedDevice {
      owners[linked] = device
    }
    return true
  }
}

extension CheckedRequest {
  /// The `sdid` beside another identifier, as a device.
  var linkedDevice: TrafficDevice? {
    guard let device, device.kind != .sdid, let id = sent["sdid"], !id.isEmpty else { return nil }
    return TrafficDevice(app: device.app, kind: .sdid, id: id)
  }
}
