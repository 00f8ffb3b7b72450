import SKANBase
import TestSupport
import Testing

@testable import SKANBacktest
@testable import SKANDevice

@Suite("Errors of models in resamples")
struct ModelResamplesTests {
  /// The errors of two models for a device, in millionths, and its weights.
  private struct Sample {
    let errors: [PerWindow<Int?>]
    let weights: [UInt8]

    init(_ random: inout SplitMix64, _ draw: inout ResampleWeights) {
      let ended = 1 + Int(random.next(through: 2))
      errors = (0..<2).map { _ in
        var own = PerWindow<Int?>(repeating: nil)
        for window in ConversionWindow.allCases.prefix(ended) { own[window] = Int(random.next(through: 9)) * 1_000_000 }
        return own
      }
      draw.draw(DeviceKey(high: random.next(), low: 0))
      weights = draw.weights
    }
  }

  private static func samples(_ seed: Int) -> [Sample] {
    var random = SplitMix64(seed: UInt64(seed))
    var draw = ResampleWeights(seed: 1, resamples: ModelResamples.count)
    return (0..<1 + Int(random.next(through: 30))).map { _ in Sample(&random, &draw) }
  }

  private static func sum(_ samples: some Sequence<Sample>) -> ModelResamples {
    samples.reduce(into: ModelResamples(models: 2)) { $0.add($1.errors, $1.weights) }
  }

  @Test("As by adding up each resample on its own; halves add up, and a partial result reads back")
  func better() throws {
    for seed in Rounds.of(20) {
      let samples = Self.samples(seed)
      let whole = Self.sum(samples)
      let expected = (0..<ModelResamples.count).count { resample in
        let totals = (0..<2).map { model in
          let first = samples.reduce(0) { $0 + Int($1.weights[resample]) }
          return ConversionWindow.allCases.reduce(0) { total, window in
            let ended = samples.filter { $0.errors[0][window] != nil }
            let weight = ended.reduce(0) { $0 + Int($1.weights[resample]) }
            let error = ended.reduce(0) { $0 + ($1.errors[model][window] ?? 0) * Int($1.weights[resample]) }
            return total + (weight == 0 ? 0 : error * first / weight)
          }
        }
        return totals[0] < totals[1]
      }
      #expect(whole.better(0, than: 1) == expected)
      #expect(whole.better(0, than: 0) == 0)
      var halves = Self.sum(samples.prefix(samples.count / 2))
      halves += Self.sum(samples.dropFirst(samples.count / 2))
      #expect(halves == whole && Self.sum(samples.reversed()) == whole)
      #expect(ModelResamples(whole.json, models: 2) == whole)
      #expect(ModelResamples(whole.json, models: 3) == nil)
    }
    #expect(ModelResamples(ModelResamples(models: 2).json, models: 2)?.better(0, than: 1) == 0)
  }

  @Test(
    "Other JSON is no part",
    arguments: [
      "{}", "5", #"{"weights":[[],[]],"errors":[[[],[],[]],[[],[],[]]]}"#,
      #"{"weights":[[],[],[]],"errors":[[[],[],[]]]}"#, #"{"weights":[[],[],[]],"errors":[[[],[],[1]],[[],[],[]]]}"#,
      #"{"weights":[[],[],["1"]],"errors":[[[],[],[]],[[],[],[]]]}"#,
    ])
  func other(text: String) throws {
    #expect(ModelResamples(try JSONReader.read(Array(text.utf8)).value, models: 2) == nil)
  }
}
