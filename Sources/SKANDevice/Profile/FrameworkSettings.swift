import SKANBase

/// This phone's answers to the questions that Apple's documentation leaves open: a value for each row of
/// ``FrameworkSetting``, by default its first.
///
/// It contains only plain values, because every call uses it.
package struct FrameworkSettings: Sendable, Hashable {
  // First, since they are larger than a byte: hours, 0-720
  package var kitInstallCooldown: UInt16 = 0
  package var kitReEngagementCooldown: UInt16 = 0
  /// What decides the effect of a call.
  package var calls = CallSettings()
  package var delayDistribution = DelayDistribution.uniform
  package var emptyWindow = EmptyWindow.notSent
  package var transactionIDs = TransactionIDs.distinct
  package var tier2Digits = Tier2Digits.three
  package var tier3Digits = Tier3Digits.four
  package var identifierDigits = IdentifierDigits.last
  package var nonWinner = NonWinner.digitsByTier
  package var oldIOS = OldIOS.asVersion3
  package var oldThreshold = OldThreshold.asVersion4
  package var registerValue = RegisterValue.zero
  package var fineOnlyDelay = FineOnlyDelay.from24h
  package var country = CountryCode.absent
  // AdAttributionKit
  package var kitWindowStart = ClockStart.firstUpdate
  package var kitFineOnly = KitFineOnly.asCoarseWithout
  package var kitEmptyWindow = KitEmptyWindow.notSent
  package var kitDigits = KitDigits.four
  package var kitCountry = CountryCode.absent
  package var kitLaterFields = KitLaterFields.present
  package var kitNonWinner = KitNonWinner.tierDigits
  package var kitDeveloperDelay = KitDeveloperDelay.allWindows
  package var kitRetry = KitRetry.only500
  package var kitRetryCount = KitRetryCount.nineMore
  package var kitRetrySpacing = KitRetrySpacing.oneDay
  package var kitUUIDCase = KitUUIDCase.upper
  package var kitSlash = KitSlash.escaped
  package var kitToSKAN = KitToSKAN.off
  package var kitFineRange = KitFineRange.errorUnknown
  package var kitUntagged = KitUntagged.mostRecent
  package var kitOverlap = KitOverlap.off
  package var kitOverlapTag = KitOverlapTag.always
  package var kitTagErrors = KitTagErrors.byCause
  package var kitUnregistered = KitUnregistered.dropped
  package var kitLaterWindows = KitLaterWindows.dropped
  package var kitLimit = KitLimit.none
  package var kitTrackingParameters = KitTrackingParameters.kept
  package var kitCopies = KitCopies.off
  package var kitRulesForSKAN = KitRulesForSKAN.off
  package var kitRulesRange = KitRulesRange.defaultUsed
  package var kitViewMinimum = KitViewMinimum.twoSeconds
  package var kitViewRoom = KitViewRoom.eachFramework
  /// When Apple calls the completion handler, and whether the phone's updates overlap.
  package var completion = Completion.inTurn

  package init() {}
}

/// The settings that decide the effect of a call. Each phone has them beside its state.
package struct CallSettings: Sendable, Hashable {
  package var clockStart = FrameworkSettings.ClockStart.firstUpdate
  package var windowEdges = FrameworkSettings.WindowEdges.halfOpen
  package var coarseWithout = FrameworkSettings.CoarseWithout.clear
  package var carryOver = FrameworkSettings.CarryOver.no
  package var afterLock = FrameworkSettings.IgnoredCall.noError
  package var afterWindows = FrameworkSettings.IgnoredCall.noError
  package var registerAgain = FrameworkSettings.RegisterAgain.reset
  package var fineOnlyCalls = FrameworkSettings.FineOnlyCalls.firstWindow
  package var developerTimer = FrameworkSettings.DeveloperTimer.fiveMinutes
  // AdAttributionKit
  package var kitMirror = FrameworkSettings.KitMirror.allCalls
  package var kitMirrorCoarse = FrameworkSettings.KitMirrorCoarse.none

  package init() {}
}

extension FrameworkSettings {
  package enum ClockStart: String, CaseIterable, Sendable {
    case firstUpdate = "first_update"
    case firstLaunch = "first_launch"
  }

  package enum WindowEdges: String, CaseIterable, Sendable {
    case halfOpen = "half_open"
    case endIncluded = "end_included"
  }

  package enum DelayDistribution: String, CaseIterable, Sendable { case uniform, earliest, latest }

  package enum CoarseWithout: String, CaseIterable, Sendable {
    case clear, keep
    case literalNone = "literal_none"
  }

  /// A value other than the first lets the updates of the phone overlap.
  package enum Completion: String, CaseIterable, Sendable {
    case inTurn = "in-turn"
    case deferred, sync, never
  }

  package enum CarryOver: String, CaseIterable, Sendable { case no, yes }

  package enum EmptyWindow: String, CaseIterable, Sendable {
    case notSent = "not_sent"
    case sendWithoutValue = "send_without_value"
  }

  package enum IgnoredCall: String, CaseIterable, Sendable {
    case noError = "no_error"
    case error10 = "error_10"
  }

  package enum TransactionIDs: String, CaseIterable, Sendable { case distinct, same }

  package enum Tier2Digits: String, CaseIterable, Sendable {
    case three = "3"
    case two = "2"
    case four = "4"
  }

  package enum Tier3Digits: String, CaseIterable, Sendable {
    case four = "4"
    case three = "3"
    case two = "2"
  }

  package enum IdentifierDigits: String, CaseIterable, Sendable { case last, first }

  package enum NonWinner: String, CaseIterable, Sendable {
    case digitsByTier = "digits_by_tier"
    case byTier = "by_tier"
    case least
  }

  package enum OldIOS: String, CaseIterable, Sendable {
    case asVersion3 = "as_3_0"
    case asVersion4 = "as_4_0"
    case notAttributed = "not_attributed"
  }

  package enum OldThreshold: String, CaseIterable, Sendable {
    case asVersion4 = "as_4_0"
    case tier1 = "tier_1"
    case tier2 = "tier_2"
    case tier3 = "tier_3"
  }

  package enum RegisterAgain: String, CaseIterable, Sendable { case reset, ignored }

  package enum RegisterValue: String, CaseIterable, Sendable { case zero, absent }

  package enum FineOnlyCalls: String, CaseIterable, Sendable {
    case firstWindow = "first_window"
    case everyWindow = "every_window"
  }

  package enum FineOnlyDelay: String, CaseIterable, Sendable {
    case from24h = "24_48h"
    case upTo24h = "0_24h"
  }

  package enum CountryCode: String, CaseIterable, Sendable { case absent, present }

  package enum DeveloperTimer: String, CaseIterable, Sendable {
    case fiveMinutes = "5m_then_0_5m"
    case threeMinutes = "3m_then_5_10m"
  }
}

/// The settings that differ from the defaults.
extension FrameworkSettings: JSONItemReadable, JSONObjectWritable {
  package static let fields = JSONFields<FrameworkSettings>(FrameworkSetting.allCases.map(\.field))

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    self.init(node, what: "settings", usual: Self(), in: &outer)
  }
}
