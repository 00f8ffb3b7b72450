import SKANBacktest
import SKANBase
import SKANRun

/// Adds up the parts that `--partial` printed.
struct BacktestMerge {
  private let environment: Environment
  private var whole: BacktestSummary?
  private var added = AddedParts()

  init(_ environment: Environment) { self.environment = environment }

  /// All parts of the files, one a line.
  mutating func summary(of files: [String]) throws(CommandError) -> BacktestSummary {
    for file in files {
      let bytes = try read(file)
      for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        if line.allSatisfy(\.isLineSpace) { continue }
        try add(Array(line), file, index + 1)
      }
    }
    guard let whole else {
      throw Self.wrong(files.first ?? "-", 1, "there is no part in it: 'skan backtest --partial' prints them", [])
    }
    if let missing = added.missing { throw .unusable(missing) }
    return whole
  }

  /// - Parameter file: `-` for standard input.
  private func read(_ file: String) throws(CommandError) -> [UInt8] {
    do throws(SourceFailure) { return try environment.files.open(file).readAll(atMost: .max) } catch {
      throw CommandError(error, file: file, hint: "it should hold what --partial printed")
    }
  }

  private mutating func add(_ line: [UInt8], _ file: String, _ number: Int) throws(CommandError) {
    let part: BacktestPart
    do throws(BacktestPart.LineError) { part = try BacktestPart(line: line) } catch {
      let message =
        switch error {
        case .json: "this is not a line of JSON"
        case .notPart: "this is not a part of a backtest: 'skan backtest --partial' prints them"
        case .otherFormat(let format): "this part has format \(format): make all parts with this version of skan"
        }
      throw Self.wrong(file, number, message, line)
    }
    if let first = added.first, let difference = whole?.header.difference(from: part.summary.header) {
      throw Self.wrong(file, number, "this part and that of \(first.place) do not belong together: \(difference)", [])
    }
    if let problem = added.take(part, at: "\(file.oneLine):\(number)") {
      throw Self.wrong(file, number, problem, [])
    }
    if whole == nil { whole = part.summary } else { whole?.add(part.summary) }
  }

  private static func wrong(_ file: String, _ line: Int, _ message: String, _ text: [UInt8]) -> CommandError {
    let location = TextLocation(of: 0..<min(1, text.count), in: text)
    return .content(file: file, [SourceNote(location: location, message: message).moved(by: line - 1)], more: 0)
  }
}

extension BacktestHeader {
  /// What keeps two parts from being added; nil when they belong together.
  fileprivate func difference(from other: BacktestHeader) -> String? {
    if model.hash != other.model.hash { return "their models differ" }
    if self.other?.hash != other.other?.hash { return "they are compared with different models" }
    if groupColumn != other.groupColumn { return "they are grouped by different columns" }
    if currency != other.currency { return "their currencies differ (\(currency) and \(other.currency))" }
    if let mapping, let otherMapping = other.mapping, mapping != otherMapping {
      return "their exports are read differently"
    }
    // Models of the same bytes have the same values; a part without rows knows of no mapping.
    return options == other.options && names == other.names ? nil : "their options or rates differ"
  }
}
