import SKANBase

/// A part of a backtest as one line of JSON: whole numbers, so that the sum of all parts is the whole.
package struct BacktestPart: Sendable, Equatable {
  private static let kind = "skan-backtest-partial"
  /// Rises when what is counted changes: parts of different versions do not belong together.
  private static let format = 1

  /// The whole that a part belongs to. Only parts of one whole are added up.
  package enum Origin: Sendable, Equatable {
    /// A share of the devices of an input that each part reads whole. All devices, where the shard is the whole.
    case shard(Shard)
    /// An input of its own, one of several into which the rows were divided by device before, in a run with a name.
    case divided(Shard, run: String)
  }

  package var origin: Origin
  /// A hash of everything that was read (``InputHash``); nil in parts of versions that did not write it.
  package var inputHash: UInt64?
  package var summary: BacktestSummary

  package init(_ summary: BacktestSummary, origin: Origin, inputHash: UInt64?) {
    self.summary = summary
    self.origin = origin
    self.inputHash = inputHash
  }

  /// The line, without its end.
  package var line: String {
    let groups = summary.groups.sorted { $0.key.literallyPrecedes($1.key) }
    var members: [(key: String, value: JSON)] = [
      ("kind", .string(Self.kind)), ("format", .integer(Int64(Self.format))), ("header", summary.header.json),
      ("input", InputTally.partialFields.json(summary.input)),
      ("groups", .object(groups.map { ($0.key, $0.value.json) })),
    ]
    if let inputHash { members.append(("input_hash", .string(inputHash.hexText))) }
    switch origin {
    case .shard(let shard): if !shard.isWhole { members.append(("shard", .string(shard.text))) }
    case .divided(let part, let run): members += [("part", .string(part.text)), ("run", .string(run))]
    }
    return JSONWriter.text(.object(members))
  }

  /// Why a line is not a part.
  package enum LineError: Error, Equatable {
    case json(SourceProblems)
    /// It is JSON, and something else.
    case notPart
    case otherFormat(Int)
  }

  /// Reads ``line`` again.
  package init(line: [UInt8]) throws(LineError) {
    let json: JSON
    do throws(SourceProblems) { json = try JSONReader.readSource(line).value } catch { throw .json(error) }
    guard json["kind"] == .string(Self.kind), let format = json["format"]?.number else { throw .notPart }
    guard format == Self.format else { throw .otherFormat(format) }
    guard let header = json["header"].flatMap({ BacktestHeader($0) }),
      let input = json["input"].flatMap({ InputTally($0) }), let groups = json["groups"]?.members
    else { throw .notPart }
    func read<Value>(_ key: String, _ value: (String) -> Value?) throws(LineError) -> Value? {
      guard let member = json[key] else { return nil }
      guard let read = member.text.flatMap(value) else { throw .notPart }
      return read
    }
    inputHash = try read("input_hash") { UInt64($0, radix: 16) }
    switch (try read("shard") { Shard($0) }, try read("part") { Shard($0) }, try read("run") { $0 }) {
    case (let shard, nil, nil): origin = .shard(shard ?? .whole)
    case (nil, let part?, let run?): origin = .divided(part, run: run)
    default: throw .notPart
    }
    summary = BacktestSummary(header)
    summary.input = input
    for (name, value) in groups {
      guard let group = GroupTally(value, header) else { throw .notPart }
      summary.groups[name] = group
    }
  }
}

extension GroupTally {
  fileprivate var json: JSON {
    .object([
      ("model", model.json), ("other", other.map(\.json) ?? .null), ("changes", .array(changes.numbers.map(\.json))),
    ])
  }

  fileprivate init?(_ json: JSON, _ header: BacktestHeader) {
    self.init(nameCount: header.names.count, compares: header.other != nil)
    guard let model = json["model"], self.model.read(model), let changes = json["changes"]?.numbers,
      changes.count == self.changes.numbers.count
    else { return nil }
    var index = 0
    self.changes.forEachNumber {
      $0 = changes[index]
      index += 1
    }
    guard var other else { return }
    guard let given = json["other"], other.read(given) else { return nil }
    self.other = other
  }
}

extension BacktestTally {
  fileprivate var json: JSON {
    .object([
      ("numbers", .array(numbers.map(\.json))),
      (
        "departures",
        .object(departures.sorted { $0.key < $1.key }.map { ("\($0.key)", .array($0.value.map(\.json))) })
      ),
    ])
  }

  /// - Returns: false when it is something else.
  fileprivate mutating func read(_ json: JSON) -> Bool {
    guard let numbers = json["numbers"]?.numbers, set(numbers), let days = json["departures"]?.members else {
      return false
    }
    for (key, value) in days {
      guard let day = Int(key), let counts = value.numbers, counts.count == 3 else { return false }
      departures[day] = counts
    }
    return true
  }
}
