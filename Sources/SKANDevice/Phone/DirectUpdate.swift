/// A direct call of the app to AdAttributionKit: `Postback.updateConversionValue` in one of its forms.
package struct DirectUpdate: Sendable, Equatable {
  package var fine: Int64
  package var coarse: CoarseValue?
  package var lock = false
  /// Nil for all types.
  package var types: [ConversionKind]?
  package var tag: String?

  /// `Postback.ConversionType`, as a parameter of an update.
  package enum ConversionKind: String, CaseIterable, Sendable { case install, reengagement }

  package init(fine: Int64, coarse: CoarseValue? = nil, lock: Bool = false) {
    self.fine = fine
    self.coarse = coarse
    self.lock = lock
  }

  /// The first iOS with this form of the call, by Apple's documentation of each parameter.
  var minimum: IOSVersion {
    tag != nil ? .conversionTags : types != nil ? .reEngagement : .adAttributionKit
  }
}

/// Which conversions of AdAttributionKit an update is for.
private struct Selection {
  var types: [DirectUpdate.ConversionKind]?
  var tag: String?
}

extension Device {
  /// The indices of the conversions that an update reaches, nil for the install, the most recent last.
  ///
  /// A re-engagement without overlap ended what was before it, so that one is left.
  private func targets(of selection: Selection, _ engagements: ReEngagements) -> [Int?] {
    let kinds = selection.types ?? DirectUpdate.ConversionKind.allCases
    var targets: [Int?] = []
    if traits.install.isAdAttributionKit, engagements.installReplaced == nil, kinds.contains(.install),
      selection.tag == nil
    {
      targets.append(nil)
    }
    for (index, conversion) in engagements.all.enumerated() where conversion.replaced == nil {
      let hasTag = selection.tag == nil || conversion.tag == selection.tag
      let isReEngagement = (conversion.development?.conversion ?? .reEngagement) == .reEngagement
      if kinds.contains(isReEngagement ? .reengagement : .install), hasTag { targets.append(index) }
    }
    guard selection.tag == nil, targets.count > 1 else { return targets }
    switch profile.settings.kitUntagged {
    case .all: return targets
    case .mostRecent: return Array(targets.suffix(1))
    case .eachType: return (targets[0] == nil ? [nil] : []) + targets.suffix(1)
    }
  }

  /// Applies a call of SKAdNetwork to a phone with re-engagements: to the framework of the install's ad, and mirrored to
  /// the re-engagements.
  ///
  /// - Returns: the answer of the install, or of a re-engagement that took the call when the install did not.
  @inline(never)
  mutating func applyToAll(
    _ call: FrameworkCall, _ engagements: ReEngagements, at now: Instant, failingWith error: Int64?
  ) -> FrameworkAnswer {
    let targets = targets(of: Selection(), engagements)
    let isForInstall = !traits.install.isAdAttributionKit || targets.contains(nil)
    var answer = isForInstall ? framework.apply(call, at: now, on: traits.install, failingWith: error) : nil
    for (_, own) in update(targets.compactMap(\.self), call, at: now, failingWith: error) {
      guard let before = answer, before.fate.isTaken || !own.fate.isTaken else {
        answer = own
        continue
      }
      answer?.effects.formUnion(own.effects.intersection(.ofMirror))
    }
    // The most recent conversion is always reached.
    return answer ?? FrameworkAnswer(.notMirrored, of: call)
  }

  /// Applies a call to re-engagements.
  private mutating func update(
    _ indices: [Int], _ call: FrameworkCall, at now: Instant, failingWith error: Int64? = nil
  ) -> [(index: Int, answer: FrameworkAnswer)] {
    guard var engagements, !indices.isEmpty else { return [] }
    let answers = indices.map { index in
      let install = InstallTraits(of: engagements.all[index], on: profile)
      return (index, engagements.all[index].framework.apply(call, at: now, on: install, failingWith: error))
    }
    self.engagements = engagements
    return answers
  }

  /// The app calls AdAttributionKit itself.
  package mutating func updateAdAttributionKit(_ update: DirectUpdate, at now: Instant) -> StepReport {
    guard profile.ios >= update.minimum else {
      return StepReport(
        .iosTooOld,
        .adAttributionKit(
          "This call of AdAttributionKit needs iOS \(update.minimum.text), and this phone has \(profile.ios.text): "
            + "nothing changes."))
    }
    let engagements = engagements ?? ReEngagements()
    if profile.build == .development, !engagements.all.contains(where: { $0.development != nil }) {
      return StepReport(
        .ignored,
        .adAttributionKit("The app is not from the App Store: AdAttributionKit has nothing pending for it (ours)."))
    }
    if let error = error(of: update, engagements) {
      guard profile.settings.kitTagErrors == .byCause else {
        return StepReport(
          .ignored,
          .adAttributionKit(
            "AdAttributionKit has no conversion with the tag, and ignores the call without an error (setting "
              + "aak-tag-errors)."))
      }
      return StepReport(.adAttributionKitError, .adAttributionKit("AdAttributionKit refuses the call: \(error)."))
    }
    guard (0...63).contains(update.fine) else {
      let isError = profile.settings.kitFineRange == .errorUnknown
      return StepReport(
        isError ? .adAttributionKitError : .ignored,
        .adAttributionKit(
          "A fine value must be from 0 to 63, and this is \(update.fine): AdAttributionKit "
            + (isError ? "refuses the call with the error unknown" : "ignores the call without an error")
            + " (setting aak-fine-range)."))
    }
    let call = FrameworkCall.updateAdAttributionKit(fine: update.fine, coarse: update.coarse, lock: update.lock)
    var answers: [(name: String, answer: FrameworkAnswer)] = []
    let targets = targets(of: Selection(types: update.types, tag: update.tag), engagements)
    if targets.contains(nil) {
      answers.append(("the install", framework.apply(call, at: now, on: traits.install)))
    } else if profile.settings.kitToSKAN == .on, !traits.install.isAdAttributionKit {
      answers.append(("SKAdNetwork", framework.apply(call, at: now, on: traits.install)))
    }
    for (index, answer) in self.update(targets.compactMap(\.self), call, at: now) {
      answers.append((engagements.all[index].name(at: index), answer))
    }
    return .direct(call, answers)
  }

  /// Why AdAttributionKit refuses an update, as the end of a sentence; nil if it does not.
  private func error(of update: DirectUpdate, _ engagements: ReEngagements) -> String? {
    guard let tag = update.tag else { return nil }
    if !allowsOverlap {
      return "conversionTagNotSupported, since the app does not allow overlapping conversions (setting aak-overlap)"
    }
    return engagements.all.contains { $0.tag == tag }
      ? nil : "invalidConversionTag, since no conversion has the tag \"\(tag.oneLine)\""
  }

  /// Whether conversions go on beside later ones: the app's key `EligibleForAdAttributionKitOverlappingConversions`.
  var allowsOverlap: Bool { profile.settings.kitOverlap == .on && profile.ios >= .conversionTags }
}

extension CallEffects {
  /// The effects that belong to the mirror.
  fileprivate static let ofMirror: CallEffects = [.mirrored, .coarseNotMirrored, .directCoarseCleared]
}

extension StepReport {
  /// The report of a direct call.
  ///
  /// - Parameter answers: of each conversion that the call was for.
  fileprivate static func direct(
    _ call: FrameworkCall, _ answers: [(name: String, answer: FrameworkAnswer)]
  ) -> StepReport {
    let taken = answers.filter { $0.answer.fate.isTaken }
    let text: String
    if answers.isEmpty {
      text = "AdAttributionKit has no pending conversion for the call, and ignores it without an error."
    } else if taken.isEmpty {
      let reasons = answers.map { "\($0.name): \($0.answer.fate)" }.joined(separator: "; ")
      text = "AdAttributionKit ignores the call without an error. \(reasons)."
    } else {
      let places = taken.map { name, answer in
        if case .taken(let window) = answer.fate { "P\(window.rawValue) of \(name)" } else { name }
      }
      let values = call.displayedValues
      text = "AdAttributionKit was called directly: \(values) for \(places.listed("and"))."
    }
    var report = StepReport(taken.isEmpty ? .ignored : .updated, .adAttributionKit(text))
    if let answer = (taken.last ?? answers.last)?.answer { report.note(call, answer) }
    // The app keeps nothing of a direct call, so nothing can differ.
    report.found = []
    return report
  }
}

extension FrameworkCall {
  fileprivate var displayedValues: String {
    guard case .updateAdAttributionKit(let fine, let coarse, let lock) = self else { return "" }
    return "fine \(fine), \(coarse.map { "coarse \($0.rawValue)" } ?? "no coarse value")\(lock ? ", lock" : "")"
  }
}
