import SKANBase
import SKANDevice
import SKANModel
import SKANSigning

/// The conversion models by which received postbacks are decoded: of apps, each from some day on.
package struct DecodingModels: Sendable {
  /// A model and its validity, which lasts until the next one of its app begins.
  private struct Entry {
    let file: String
    let model: ConversionModel
    /// Nil = from the beginning.
    let from: Instant?
  }

  /// In the order of their beginnings; under nil those for every app that has none of its own.
  private var entries: [AppStoreID?: [Entry]] = [:]

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// The apps that have models of their own, in order.
  package var apps: [AppStoreID] {
    entries.keys.compactMap(\.self).sorted { ($0.text.count, $0.text) < ($1.text.count, $1.text) }
  }

  /// Two models of one app that begin at the same time.
  package struct Overlap: Error, Sendable, Equatable {
    /// The file of the one that came first.
    package let earlierFile: String
  }

  /// Adds a model.
  ///
  /// - Parameters:
  ///   - file: as it was named.
  ///   - app: nil for every app that has no model of its own.
  ///   - from: since when it is valid; nil = from the beginning.
  package mutating func add(
    _ model: ConversionModel, file: String, for app: AppStoreID?, from: Instant?
  ) throws(Overlap) {
    var known = entries[app] ?? []
    if let same = known.first(where: { $0.from == from }) { throw Overlap(earlierFile: same.file) }
    let begin = from ?? Instant(microseconds: .min)
    let index = known.firstIndex { begin < $0.from ?? Instant(microseconds: .min) } ?? known.count
    known.insert(Entry(file: file, model: model, from: from), at: index)
    entries[app] = known
  }

  /// The meaning of the value of a postback.
  ///
  /// The model is the one that was valid when the postback was prepared. That is not known; the estimate is the moment at
  /// which it was received less the middle of Apple's delays, which is ours.
  ///
  /// - Parameter isDevelopment: whether it is of a development impression, whose delays are minutes.
  /// - Returns: nil when there is no model for its app, and for what is not a postback of SKAdNetwork.
  package func decode(_ document: PostbackDocument, receivedAt: Instant, isDevelopment: Bool) -> DecodedValue? {
    guard let postback = document.postback else { return nil }
    let app = postback.text(of: .appID).flatMap(AppStoreID.init)
    guard let models = app.flatMap({ entries[$0] }) ?? entries[nil], let first = models.first else { return nil }
    let value = ReceivedValue(postback)
    let delay = postback.version.middleDelay(of: value.window, isDevelopment: isDevelopment)
    let prepared = receivedAt.later(by: TimeSpan(microseconds: -delay.microseconds))
    let valid = models.last { $0.from.map { $0 <= prepared } ?? true }
    var decoded = DecodedValue(model: (valid ?? first).file, window: value.window, value: value.value)
    decoded.undecoded = value.problem
    guard let modelValue = value.modelValue else { return decoded }
    if let mapping = valid?.model.mapping(of: modelValue) {
      decoded.meaning = DecodedValue.Meaning(mapping)
    } else if valid == nil, let from = first.from {
      decoded.undecoded = "it was prepared about \(prepared), and no model is valid before \(from)"
    } else {
      decoded.undecoded = "the model gives \(modelValue.name) to no install"
    }
    return decoded
  }
}

/// The value of a received postback, and the window that it is of.
struct ReceivedValue {
  private(set) var window = ConversionWindow.p0
  /// Nil for one without a value, and for what is not one.
  private(set) var value: DecodedValue.Value?
  /// Why no model says what it means; nil when one may, and when there is no value.
  private(set) var problem: String?

  /// A fine value counts before a coarse one, with which no postback of Apple's has it.
  init(_ postback: ReceivedPostback) {
    let fine = postback.text(of: .conversionValue)
    let coarse = postback.text(of: .coarseConversionValue)
    if postback.version.hasWindows {
      if let window = postback.text(of: .sequenceIndex).flatMap(Int.init).flatMap(ConversionWindow.init) {
        self.window = window
      } else if fine != nil || coarse != nil {
        problem = "without a postback-sequence-index from 0 to 2 its window is not known"
      }
    }
    if let fine, window == .p0 || coarse == nil {
      value = Int64(fine).map(DecodedValue.Value.fine)
      if value == nil {
        problem = problem ?? "its conversion-value is not a number"
      } else if window != .p0 {
        problem = problem ?? "a fine value belongs to postback 0"
      }
    } else if let coarse {
      // Networks write Apple's "low" in capitals, too.
      value = CoarseValue(rawValue: coarse.lowercased()).map(DecodedValue.Value.coarse)
      if value == nil { problem = problem ?? "its coarse-conversion-value is none of low, medium and high" }
    }
  }

  /// What a model is asked for; nil when it cannot be.
  var modelValue: ModelValue? {
    guard problem == nil else { return nil }
    return switch value {
    case .fine(let number): .fine(number)
    case .coarse(let value): .coarse(value, window)
    case nil: nil
    }
  }
}
