import SKANBase
import SKANDevice

/// The phones on which each list of a run is to be run: `skan replay --matrix`.
package struct PhoneMatrix: Sendable {
  /// A key and the values that its phones have.
  package struct Axis: Sendable {
    package let key: PhoneKey
    package let values: [String]
  }

  /// One of the phones: a value of each axis, in their order.
  package struct Cell: Sendable, Equatable {
    fileprivate let members: [(key: PhoneKey, value: String)]

    package static func == (left: Self, right: Self) -> Bool {
      left.members.elementsEqual(right.members) { $0.key == $1.key && $0.value == $1.value }
    }

    /// `ios=16.4 snippet=skan4`
    package var name: String { members.map { "\($0.key.name)=\($0.value)" }.joined(separator: " ") }

    package func apply(to profile: inout DeviceProfile) {
      for (key, value) in members { _ = key.set(value, in: &profile) }
    }
  }

  package let cells: [Cell]

  /// The most phones that a list runs on.
  package static let mostCells = 100

  /// Nil for more than ``mostCells``.
  package init?(_ axes: [Axis]) {
    var cells = [Cell(members: [])]
    for axis in axes {
      if cells.count * axis.values.count > Self.mostCells { return nil }
      cells = cells.flatMap { cell in axis.values.map { Cell(members: cell.members + [(axis.key, $0)]) } }
    }
    self.cells = cells
  }
}

extension PhoneMatrix.Axis {
  /// Reads `ios=16.4,17.4`.
  ///
  /// - Returns: the axis, or why there is none.
  package static func read(_ text: String) -> Result<PhoneMatrix.Axis, Problem> {
    let form = "KEY=VALUE,VALUE such as ios=16.4,17.4"
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return .failure(Problem(form, true)) }
    let name = String(text[..<equals])
    guard let key = PhoneKey(name) else { return .failure(Problem(PhoneKey.problem(with: name), false)) }
    var values: [String] = []
    var phones: [DeviceProfile] = []
    for value in text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false) {
      var profile = DeviceProfile(idfv: nil)
      if let problem = key.set(String(value), in: &profile) { return .failure(Problem(problem, false)) }
      if phones.contains(profile) { return .failure(Problem("\(name) has the value \(value) twice", false)) }
      phones.append(profile)
      values.append(String(value))
    }
    return .success(Self(key: key, values: values))
  }

  package struct Problem: Error {
    package let message: String
    /// Whether the message is the form that the text must have.
    package let isForm: Bool

    fileprivate init(_ message: String, _ isForm: Bool) { (self.message, self.isForm) = (message, isForm) }
  }
}

/// What one run of a list did.
package struct MatrixRun: Sendable {
  /// A step and what it did.
  fileprivate struct Step: Sendable {
    let place: String
    let device: String
    let outcome: String
    /// The parameters that the endpoint got, apart from those that the phone itself decides; nil without a request.
    let request: [QueryItem]?
    let path: String
  }

  fileprivate var steps: [Step] = []
  /// How many steps followed those that are compared.
  fileprivate var uncompared = 0

  /// A list of which nothing ran.
  package init() {}
}

/// Records what a run of a list does.
package final class MatrixObserver: StepObserver {
  package private(set) var run = MatrixRun()
  /// The steps of a list that are compared.
  package static let mostSteps = 10_000

  private let list: ListName
  private let mostSteps: Int

  /// The path of a list, and its name in this run.
  package struct ListName: Sendable {
    package let path, name: String

    package init(path: String, name: String) { (self.path, self.name) = (path, name) }
  }

  package init(_ list: ListName, mostSteps: Int = MatrixObserver.mostSteps) {
    (self.list, self.mostSteps) = (list, mostSteps)
  }

  package func wantsResult(of step: SKANRun.Step) -> Bool { true }

  package func observe(_ event: StepEvent, of step: SKANRun.Step, in reader: ListReader) -> Bool {
    let own: (outcome: String, exchange: StepResult.Exchange?)
    switch event {
    case .ran(let result, _, _): own = (result.report.outcome.name, result.exchange)
    case .skipped: own = ("skipped", nil)
    case .completed, .retried: return true
    }
    guard run.steps.count < mostSteps else {
      run.uncompared += 1
      return true
    }
    let (file, line) = reader.location
    let request = own.exchange.map { exchange in
      exchange.request.queryItems(sdkKey: ConversionRequest.redactedKey).filter { !Self.ofPhone.contains($0.name) }
    }
    run.steps.append(
      MatrixRun.Step(
        place: "\(file == list.name ? list.path : file):\(line)  \(step.title)", device: step.device,
        outcome: own.outcome, request: request, path: own.exchange.map { Self.path(of: $0.address) } ?? ""))
    return true
  }

  private static let ofPhone: Set<String> = Set(
    ([.sdkKey, .iosVersion, .bundleID, .appVersion, .platform, .idfv, .idfa] as [QueryParameter]).map(\.name))

  private static func path(of address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let rest = address[scheme.upperBound...]
    return String(rest.firstIndex(of: "/").map { rest[$0...] } ?? "/")
  }
}

/// Where the phones of a ``PhoneMatrix`` differ: outcomes, requests and postbacks.
package struct MatrixComparison: Sendable {
  /// What some phones did at one place, and others otherwise.
  struct Difference: Sendable {
    let place: String
    /// The phone in the list.
    let device: String
    let what: String
    /// What each group of phones did.
    let groups: [(value: String, phones: [PhoneMatrix.Cell])]
  }

  private(set) var differences: [Difference] = []
  private let cells: [PhoneMatrix.Cell]
  private var compared = 0
  private var uncompared = 0

  package init(_ matrix: PhoneMatrix) { cells = matrix.cells }

  /// Adds a list.
  ///
  /// - Parameters:
  ///   - runs: what each phone of the matrix did, in their order. A run that did not come to its end is compared as far
  ///     as it came.
  ///   - departures: the postbacks that leave each run's phones.
  package mutating func add(_ path: String, _ runs: [MatrixRun], _ departures: [[Departure]]) {
    uncompared += runs.map(\.uncompared).max() ?? 0
    for index in 0..<(runs.map(\.steps.count).max() ?? 0) {
      compared += 1
      let steps = runs.map { $0.steps.indices.contains(index) ? $0.steps[index] : nil }
      guard let any = steps.compactMap(\.self).first else { continue }
      compare(any.place, any.device, "outcome", steps.map { $0?.outcome ?? "did not run" })
      compare(any.place, any.device, "request", Self.requests(steps))
    }
    for device in departures.joined().map(\.device).withoutRepetition {
      let sent = departures.map { of in
        of.first { $0.device == device }.map { $0.postbacks.map(\.comparedText).joined(separator: "; ") } ?? "none"
      }
      compare(path, device, "postbacks", sent)
    }
  }

  private mutating func compare(_ place: String, _ device: String, _ what: String, _ values: [String]) {
    var groups: [(value: String, phones: [PhoneMatrix.Cell])] = []
    for (value, cell) in zip(values, cells) {
      if let index = groups.firstIndex(where: { $0.value == value }) {
        groups[index].phones.append(cell)
      } else {
        groups.append((value, [cell]))
      }
    }
    if groups.count > 1 { differences.append(Difference(place: place, device: device, what: what, groups: groups)) }
  }

  /// The requests without the parameters that are equal in all of them.
  private static func requests(_ steps: [MatrixRun.Step?]) -> [String] {
    let requests = steps.compactMap { $0?.request }
    let equal = Set((requests.first ?? []).filter { item in requests.allSatisfy { $0.contains(item) } }.map(\.name))
    return steps.map { step in
      guard let step, let request = step.request else { return "none" }
      let own = request.filter { !equal.contains($0.name) }
      return "\(step.path)\(own.isEmpty ? "" : "?")\(own.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&"))"
    }
  }

  /// Names a group of phones by the values that they have and others have not: `ios=14.8; ios=16.4,17.4 snippet=skan3`.
  private func name(_ phones: [PhoneMatrix.Cell], axis: Int = 0) -> String {
    guard let any = cells.first, any.members.indices.contains(axis) else { return "" }
    let values = cells.map { $0.members[axis].value }.withoutRepetition
    var groups: [(rest: String, values: [String])] = []
    for value in values {
      let own = phones.filter { $0.members[axis].value == value }
      if own.isEmpty { continue }
      let rest = name(own, axis: axis + 1)
      if let index = groups.firstIndex(where: { $0.rest == rest }) {
        groups[index].values.append(value)
      } else {
        groups.append((rest, [value]))
      }
    }
    return groups.map { group in
      let isAll = group.values.count == values.count
      let own = isAll ? "" : "\(any.members[axis].key.name)=\(group.values.joined(separator: ","))"
      return [own, group.rest].filter { !$0.isEmpty }.joined(separator: " ")
    }.joined(separator: "; ")
  }

  static let title = "Where the phones differ"

  /// The file of a list by its name in a run.
  func path(of name: String) -> String {
    cells.first { name.hasSuffix(" [\($0.name)]") }.map { String(name.dropLast($0.name.count + 3)) } ?? name
  }

  /// The comparison as a table.
  package var part: ReportPart {
    var part = ReportPart(Self.title, texts: differences.isEmpty ? [] : ["step", "what", "phones", "value"])
    part.rows = differences.flatMap { difference in
      difference.groups.enumerated().map { index, group in
        let place = [difference.place, difference.device].filter { !$0.isEmpty }.joined(separator: "  ")
        return [
          index == 0 ? place.oneLine : "", index == 0 ? difference.what : "", name(group.phones).oneLine,
          group.value.oneLine,
        ]
      }
    }
    part.notes = [note]
    return part
  }

  private var note: String {
    let steps = "\(compared.counted("step")) compared on \(cells.count.counted("phone"))"
    let rest = uncompared > 0 ? "; \(uncompared.counted("step")) after them not compared" : ""
    return differences.isEmpty ? "\(steps)\(rest): no difference." : "\(steps)\(rest)."
  }

  /// The comparison as lines of plain text.
  var lines: [String] {
    ["\(Self.title): \(note)"]
      + differences.flatMap { difference in
        difference.groups.map { group in
          let place = [difference.place, difference.device].filter { !$0.isEmpty }.joined(separator: "  ")
          return "\(place)  \(difference.what)  \(name(group.phones)): \(group.value)".oneLine
        }
      }
  }
}

extension [String] {
  fileprivate var withoutRepetition: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Postback {
  /// What a postback that leaves says.
  fileprivate var comparedText: String {
    let values = [content?.conversionValue.map { "fine \($0)" }, content?.coarseValue.map { "coarse \($0)" }]
      .compactMap(\.self)
    let network =
      switch impression {
      case .own: ""
      case .lost(_, let network): " of \(network)"
      case .reEngagement(let number), .development(let number): " of conversion \(number)"
      }
    let version = content.flatMap { $0.kit == nil ? $0.version.rawValue : nil } ?? "AdAttributionKit"
    return "\(name)\(network) \(version) \(values.isEmpty ? "no value" : values.joined(separator: ", "))"
  }
}

extension MatrixComparison: JSONObjectWritable {
  package static let fields = JSONFields<MatrixComparison> {
    JSONField("compared", "how many steps were compared", as: .count) { Int64($0.compared) }
    JSONField("differences", "where the phones differ", list: differenceFields) { comparison in
      comparison.differences.map { (comparison, $0) }
    }
    JSONField("phones", "the phones on which each list ran") { $0.cells.map(\.name) }
    JSONField("uncompared", "how many further steps were not compared", as: .count) { Int64($0.uncompared) }
  }

  private static let differenceFields = JSONFields<(MatrixComparison, Difference)> {
    JSONField("device", "the phone's name in the list") { $0.1.device }
    JSONField("groups", "what each group of phones did", list: groupFields) { pair in
      pair.1.groups.map { ($0.value, $0.phones.map(\.name)) }
    }
    JSONField("place", "the step, or the list for postbacks") { $0.1.place }
    JSONField("what", "outcome, request or postbacks", as: .names(["outcome", "request", "postbacks"])) { $0.1.what }
  }

  private static let groupFields = JSONFields<(value: String, phones: [String])> {
    JSONField("phones", "the phones") { $0.phones }
    JSONField("value", "what they did") { $0.value }
  }
}
