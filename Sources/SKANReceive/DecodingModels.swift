import SKANBase
import SKANDevice
import SKANModel
import SKANSigning

/// The conversion models that decode received postbacks. Each belongs to an app, from a certain time on.
package struct DecodingModels: Sendable {
  /// A model and the start of its validity, which lasts until the app's next model begins.
  private struct Entry {
    let file: String
    let model: ConversionModel
    /// Nil for no start.
    let from: Instant?
  }

  /// The models by app, in order of time; under nil those for every app without models of its own.
  private var entries: [AppStoreID?: [Entry]] = [:]

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// The apps that have models of their own, in numeric order.
  package var apps: [AppStoreID] {
    entries.keys.compactMap(\.self).sorted { ($0.text.count, $0.text) < ($1.text.count, $1.text) }
  }

  /// The error that two models of one app begin at the same time.
  package struct Overlap: Error, Sendable, Equatable {
    /// The file of the model that was added first.
    package let earlierFile: String
  }

  /// Adds a model.
  ///
  /// - Parameters:
  ///   - file: the file's name, as given.
  ///   - app: nil for every app without models of its own.
  ///   - from: the start of its validity; nil for no start.
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

  /// The meaning of a postback's value.
  ///
  /// The model is the one that was valid when the phone prepared the postback. That time is unknown; we estimate it as
  /// the time of receipt minus the middle of Apple's delays.
  ///
  /// - Parameter isDevelopment: whether the postback is from a development impression, whose delays are minutes.
  /// - Returns: nil when there is no model for the app, and for a document that is not an SKAdNetwork postback.
  package func decode(_ document: PostbackDocument, receivedAt: Instant, isDevelopment: Bool) -> DecodedValue? {
    guard let facts = PostbackFacts(document) else { return nil }
    let app = facts.app.flatMap(AppStoreID.init)
    guard let models = app.flatMap({ entries[$0] }) ?? entries[nil], let first = models.first else { return nil }
    let value = ReceivedValue(facts)
    let delay = facts.timing.middleDelay(of: value.window, isDevelopment: isDevelopment)
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

/// The value of a received postback and its window.
struct ReceivedValue {
  private(set) var window = ConversionWindow.p0
  /// Nil when there is no value, or an invalid one.
  private(set) var value: DecodedValue.Value?
  /// Why no model can decode the value; nil when one can, and when there is no value.
  private(set) var problem: String?

  /// A fine value takes precedence over a coarse one; Apple's postbacks never have both.
  init(_ facts: PostbackFacts) {
    let (fine, coarse) = (facts.fineValue, facts.coarseValue)
    if facts.timing.hasWindows {
      if let window = facts.window {
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
      // Networks also write Apple's "low" in upper case.
      value = CoarseValue(rawValue: coarse.lowercased()).map(DecodedValue.Value.coarse)
      if value == nil { problem = problem ?? "its coarse-conversion-value is none of low, medium and high" }
    }
  }

  /// The value to look up in a model; nil when that is not possible.
  var modelValue: ModelValue? {
    guard problem == nil else { return nil }
    return switch value {
    case .fine(let number): .fine(number)
    case .coarse(let value): .coarse(value, window)
    case nil: nil
    }
  }
}

extension DecodingModels {
  /// The line for a postback whose app has no model.
  package func line(without document: PostbackDocument) -> String {
    let app = PostbackFacts(document)?.app.map { "app \($0)" } ?? "a postback without an app"
    let known = apps.prefix(5).map(\.text).joined(separator: ", ") + (apps.count > 5 ? ", …" : "")
    return "undecoded: no --model is for \(app); given: for \(known)".oneLine
  }
}
