import SKANBase
import SKANDevice

/// The errors of compared models in resamples of the devices: how certain it is that one is better than another.
///
/// Each device counts in each resample as often as ``ResampleWeights`` says, with seed 1. All numbers are integers, so that
/// sums depend neither on order nor on threads or parts.
package struct ModelResamples: Sendable, Equatable {
  package static let count = 1000

  /// The weights of the devices that have ended a window, by resample.
  private var weights = PerWindow<[Int]>(repeating: [])
  /// The weighted errors of a window, by model and resample, in millionths.
  private var errors: [PerWindow<[Int]>]

  /// - Parameter models: how many models are compared.
  init(models: Int) { errors = Array(repeating: PerWindow(repeating: []), count: models) }

  /// Adds a device.
  ///
  /// - Parameters:
  ///   - own: its errors by model; nil for a window that it has not ended.
  ///   - resampled: its weights.
  mutating func add(_ own: [PerWindow<Int?>], _ resampled: [UInt8]) {
    for window in ConversionWindow.allCases {
      guard own.first?[window] != nil else { continue }
      Self.add(1, resampled, to: &weights[window])
      for (index, error) in own.enumerated() { Self.add(error[window] ?? 0, resampled, to: &errors[index][window]) }
    }
  }

  private static func add(_ amount: Int, _ resampled: [UInt8], to sums: inout [Int]) {
    if sums.isEmpty { sums = [Int](repeating: 0, count: resampled.count) }
    if amount == 0 { return }
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe resampled.withUnsafeBufferPointer { resampled in
        for index in 0..<min(sums.count, resampled.count) { unsafe sums[index] &+= amount &* Int(resampled[index]) }
      }
    }
  }

  static func += (left: inout ModelResamples, right: ModelResamples) {
    for window in ConversionWindow.allCases {
      Self.add(right.weights[window], to: &left.weights[window])
      for index in left.errors.indices.prefix(right.errors.count) {
        Self.add(right.errors[index][window], to: &left.errors[index][window])
      }
    }
  }

  private static func add(_ part: [Int], to sums: inout [Int]) {
    if sums.isEmpty { sums = part } else { for index in part.indices { sums[index] &+= part[index] } }
  }

  /// In how many resamples a model has a smaller error than another, over all three postbacks: of a window only the users
  /// who have ended it count, and each window weighs as if all users of the first one had.
  func better(_ one: Int, than other: Int) -> Int {
    (0..<Self.count).count { resample in error(of: one, in: resample) < error(of: other, in: resample) }
  }

  private func error(of model: Int, in resample: Int) -> Int {
    ConversionWindow.allCases.reduce(0) { sum, window in
      guard !weights[window].isEmpty, !weights[.p0].isEmpty else { return sum }
      return sum.adding(
        errors[model][window][resample].scaled(from: weights[window][resample], to: weights[.p0][resample]))
    }
  }
}

/// The form in a partial result.
extension ModelResamples {
  var json: JSON {
    func numbers(_ sums: PerWindow<[Int]>) -> JSON {
      .array(ConversionWindow.allCases.map { .array(sums[$0].map { .integer(Int64($0)) }) })
    }
    return .object([("weights", numbers(weights)), ("errors", .array(errors.map(numbers)))])
  }

  /// Nil for any other JSON.
  ///
  /// - Parameter models: how many models are compared.
  init?(_ json: JSON, models: Int) {
    self.init(models: models)
    func sums(_ json: JSON?) -> PerWindow<[Int]>? {
      guard let windows = json?.items, windows.count == ConversionWindow.allCases.count else { return nil }
      var sums = PerWindow<[Int]>(repeating: [])
      for (window, json) in zip(ConversionWindow.allCases, windows) {
        guard let items = json.items else { return nil }
        let numbers = items.compactMap { item in if case .integer(let number) = item { Int(number) } else { nil } }
        guard numbers.count == items.count, [0, Self.count].contains(numbers.count) else { return nil }
        sums[window] = numbers
      }
      return sums
    }
    guard let weights = sums(json["weights"]), let models = json["errors"]?.items, models.count == errors.count else {
      return nil
    }
    self.weights = weights
    for (index, json) in models.enumerated() {
      guard let sums = sums(json),
        ConversionWindow.allCases.allSatisfy({ sums[$0].isEmpty == weights[$0].isEmpty })
      else { return nil }
      errors[index] = sums
    }
  }
}
