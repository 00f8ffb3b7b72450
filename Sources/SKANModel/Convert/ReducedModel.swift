import SKANBase
import SKANDevice

/// A form of conversion models that `skan model convert` reads and writes.
package enum ModelForm: String, CaseIterable, Sendable {
  /// The form of this program: Google Ads API's `SkAdNetworkConversionValueSchema`.
  case google
  /// Google Analytics' `SKAdNetworkConversionValueSchema`; see ``AnalyticsSchema``.
  case analytics
  /// A flat table; see ``ModelTable``.
  case csv

  /// The form in the words of a message.
  package var displayName: String {
    switch self {
    case .google: "Google's schema"
    case .analytics: "Google Analytics' schema"
    case .csv: "a CSV table"
    }
  }
}

/// The part of a model that another form can say, and a list of what it cannot say.
package struct ReducedModel: Sendable {
  /// A part of the model that the form cannot say.
  package struct Loss: Sendable {
    package let subject: ModelDifference.Subject
    /// The reason, with the location of the part in the source of the model.
    package let problem: SourceProblem
  }

  package let form: ModelForm
  /// The model without the losses. Written in the form and read again, it has no difference from this.
  package internal(set) var model: ConversionModel
  package private(set) var losses: [Loss] = []
  /// Remarks about what is written, with the locations in the source of the model.
  package internal(set) var remarks: [SourceProblem] = []

  /// Leaves out what the form has no place for: the app, hours, values of everyone, and values with several mappings.
  ///
  /// Mappings that no user can fulfil are left out with a remark, since they mean nothing.
  ///
  /// - Parameter obstacle: returns the reason why the form cannot say the entries of a mapping, as the rest of a sentence
  ///   that begins with the form; nil if it can.
  init(_ model: ConversionModel, to form: ModelForm, obstacle: ([MappedEvent]) -> String?) {
    self.form = form
    self.model = model
    self.model.fine.sort { $0.value < $1.value }
    leaveOutDead()
    if let appID = model.appID { lose(.appID, "does not name the app (\(appID))") }
    if let hours = model.measurementText {
      lose(.measurementHours, "has no end of the measurement (\(hours))")
    }
    self.model.measurementHours = nil
    for value in self.model.values {
      keepWidest(of: value)
      let mappings = self.model.mappings(of: value)
      if mappings.count > 1 {
        lose(.value(value), "has one mapping for a value, and this one has \(mappings.count)")
      } else if let mapping = mappings.first,
        let reason = reason(against: mapping, of: value) ?? obstacle(mapping.events)
      {
        lose(.value(value), reason)
      }
    }
  }

  /// Removes a part from the model.
  ///
  /// - Parameter reason: the rest of a sentence that begins with the form.
  mutating func lose(_ subject: ModelDifference.Subject, _ reason: String) {
    losses.append(
      Loss(
        subject: subject,
        problem: SourceProblem("\(subject.name) is lost: \(form.displayName) \(reason)", at: model.range(of: subject))))
    model.remove(subject)
  }

  /// What the form needs and the model lacks; nil if it can be written.
  package var missing: String? {
    switch form {
    case .analytics: model.fine.isEmpty ? "a fine value, with which window one begins" : nil
    case .csv, .google: model.values.isEmpty ? "a value" : nil
    }
  }

  private mutating func leaveOutDead() {
    for value in model.values {
      let hours = model.hours(of: value.window, measured: false)
      for mapping in model.mappings(of: value) where ModelRegion(mapping, hours: hours).isEmpty {
        remarks.append(
          SourceProblem("left out: a mapping of \(value.name), which no user can fulfil", at: mapping.range))
      }
      model.filterMappings(of: value) { !ModelRegion($0, hours: hours).isEmpty }
    }
  }

  /// Of several mappings of a value, keeps the one that holds whenever another does, if there is one.
  private mutating func keepWidest(of value: ModelValue) {
    let hours = model.hours(of: value.window, measured: false)
    let regions = model.mappings(of: value).map { ModelRegion($0, hours: hours) }
    guard regions.count > 1,
      let widest = regions.firstIndex(where: { region in regions.allSatisfy { $0.isWithin(region) } })
    else { return }
    var index = -1
    model.filterMappings(of: value) { _ in
      index += 1
      return index == widest
    }
  }

  private func reason(against mapping: ValueMapping, of value: ModelValue) -> String? {
    if mapping.events.isEmpty { return "asks for an event or revenue, and everyone has this value" }
    var timeless = mapping
    (timeless.minHours, timeless.maxHours) = (nil, nil)
    let hours = model.hours(of: value.window, measured: false)
    if ModelRegion(timeless, hours: hours).isWithin(ModelRegion(mapping, hours: hours)) { return nil }
    return "has no hours (\(mapping.hoursText ?? ""))"
  }
}

extension ModelValue {
  /// The window in which the value is given.
  var window: ConversionWindow {
    switch self {
    case .fine: .p0
    case .coarse(_, let window): window
    }
  }

  var isFine: Bool { if case .fine = self { true } else { false } }
}

extension ConversionModel {
  /// The values that the model maps, each once: fine values, then each window's coarse values.
  var values: [ModelValue] {
    var seen: Set<ModelValue> = []
    let values =
      fine.map { ModelValue.fine($0.value) }
      + ConversionWindow.allCases.flatMap { window in windows[window].coarse.map { .coarse($0.value, window) } }
    return values.filter { seen.insert($0).inserted }
  }

  /// The names of all entries, sorted, those for revenue alone included.
  package var entryNames: [String] {
    Set(values.flatMap { mappings(of: $0) }.flatMap(\.events).map(\.name)).sorted()
  }

  /// All mappings of a value.
  func mappings(of value: ModelValue) -> [ValueMapping] {
    switch value {
    case .fine(let number): fine.filter { $0.value == number }.map(\.mapping)
    case .coarse(let number, let window): windows[window].coarse.filter { $0.value == number }.map(\.mapping)
    }
  }

  /// Removes those mappings of a value that a function refuses.
  fileprivate mutating func filterMappings(of value: ModelValue, _ keeps: (ValueMapping) -> Bool) {
    switch value {
    case .fine(let number): fine.removeAll { $0.value == number && !keeps($0.mapping) }
    case .coarse(let number, let window):
      windows[window].coarse.removeAll { $0.value == number && !keeps($0.mapping) }
    }
  }

  fileprivate mutating func remove(_ subject: ModelDifference.Subject) {
    switch subject {
    case .appID: appID = nil
    case .measurementHours: measurementHours = nil
    case .value(let value): filterMappings(of: value) { _ in false }
    case .lock(let window): windows[window].lock = nil
    }
  }

  /// The location of a part in the file; its first byte for a part without one.
  fileprivate func range(of subject: ModelDifference.Subject) -> Range<Int> {
    switch subject {
    case .appID: 0..<1
    case .measurementHours: measurementRange
    case .value(let value): mapping(of: value)?.range ?? 0..<1
    case .lock(let window): windows[window].lockRange
    }
  }
}
