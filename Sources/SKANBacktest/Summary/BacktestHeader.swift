import SKANDevice
import SKANModel
import SKANBase

/// What parts of a backtest must have in common to belong together, and what a report needs besides the numbers.
package struct BacktestHeader: Sendable, Equatable {
  package var model: ModelSummary
  package var other: ModelSummary?
  /// Of the report, ISO 4217.
  package var currency: String
  /// The column whose values are the groups; nil without `--by`.
  package var groupColumn: String?
  /// A hash of all options and files that decide the numbers, models and mapping apart.
  package var options: UInt64
  /// A hash of the mapping by which exports are read; nil where none was read.
  package var mapping: UInt64?
  /// The events that the models ask for, in order.
  package var names: [String]

  /// A model as reports name it.
  package struct ModelSummary: Sendable, Equatable {
    /// The file's name without its folder.
    package var name: String
    /// FNV-1a (64 bits) of the file's bytes.
    package var hash: UInt64
    /// By fine value.
    package var fine: [Value]
    /// By window and the number of the coarse value, 0-2.
    package var coarse: PerWindow<[Value]>
    /// The lock trigger of each window in words; nil without one.
    package var locks: PerWindow<String?>
  }

  /// A value of a model.
  package struct Value: Sendable, Equatable {
    /// What a user did for it; nil when no mapping gives it.
    package var meaning: String?
    /// What it is decoded to, in millionths; nil where it says nothing of revenue.
    package var decoded: Int?
  }
}

extension BacktestHeader.ModelSummary {
  init(_ named: BacktestModel, _ decode: DecodeTable) {
    let model = named.model
    name = named.name
    hash = named.hash
    fine = (0..<64).map { value in
      BacktestHeader.Value(
        meaning: model.mapping(of: .fine(Int64(value)))?.displayText, decoded: decode.fine[value])
    }
    coarse = PerWindow(repeating: [])
    locks = PerWindow(repeating: nil)
    for window in ConversionWindow.allCases {
      coarse[window] = [CoarseValue.low, .medium, .high].enumerated().map { index, value in
        BacktestHeader.Value(
          meaning: model.mapping(of: .coarse(value, window))?.displayText, decoded: decode.coarse[window][index])
      }
      locks[window] = model.windows[window].lock?.displayText
    }
  }
}

extension ConversionModel.LockTrigger {
  /// `fine value 40`.
  fileprivate var displayText: String {
    switch self {
    case .fine(let value): "fine value \(value)"
    case .coarse(let value): "coarse value \(value.rawValue)"
    case .event(let name): "the event \(name)"
    }
  }
}
