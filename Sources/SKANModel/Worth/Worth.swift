import SKANBase
import SKANDevice

/// What the values of a model are worth: the mean revenue of the users who got each, learned from an export.
///
/// `skan model worth` writes it, and `skan report --worth` reads it. Money is in millionths of the currency.
package struct Worth: Sendable, Equatable {
  /// The currency, ISO 4217.
  package var currency: String
  /// The name of the model's file without its folder.
  package var model: String
  /// FNV-1a (64 bits) of the model's file, in hexadecimal.
  package var modelHash: String
  package var seed: UInt64
  /// The number of resamples.
  package var resamples: Int
  /// A value with fewer devices is filled up with its neighbours' mean to this number; 0 for none.
  package var shrinkBelow: Int
  /// The least number of devices that have ended 35 days in a group with worths of its own.
  package var leastDevices: Int
  /// The column of the groups; nil without groups.
  package var column: String?
  package var input: Input
  /// All devices, then the groups in order of name.
  package var groups: [Group]

  package init(
    currency: String, model: String, modelHash: String, seed: UInt64, resamples: Int, shrinkBelow: Int,
    leastDevices: Int, column: String?, input: Input, groups: [Group]
  ) {
    self.currency = currency
    self.model = model
    self.modelHash = modelHash
    self.seed = seed
    self.resamples = resamples
    self.shrinkBelow = shrinkBelow
    self.leastDevices = leastDevices
    self.column = column
    self.input = input
    self.groups = groups
  }

  /// The input that the worths are from.
  package struct Input: Sendable, Equatable {
    /// Devices with a beginning that have ended the first window.
    package var devices: Int
    /// The first and the last time of a row, and the end of what was observed, as texts; nil without rows.
    package var from: String?
    package var to: String?
    package var until: String?
    /// Groups without worths of their own, since they have too few devices.
    package var smallGroups: Int

    package init(devices: Int, from: String?, to: String?, until: String?, smallGroups: Int) {
      (self.devices, self.from, self.to, self.until, self.smallGroups) = (devices, from, to, until, smallGroups)
    }
  }

  /// The worths of a group of devices.
  package struct Group: Sendable, Equatable {
    /// Nil for all devices.
    package var name: String?
    package var values: [Value]
    /// How far the worths miss the revenue of devices that they were not learned from, by kind of value.
    package var heldOut: [HeldOut]

    package init(name: String?, values: [Value], heldOut: [HeldOut]) {
      (self.name, self.values, self.heldOut) = (name, values, heldOut)
    }

    /// The value of a first postback; nil if no device has it and no mapping gives it.
    package func value(_ kind: Kind, _ name: String?, tier: Int? = nil) -> Value? {
      values.first { $0.window == .p0 && $0.kind == kind && $0.name == name && (tier.map($0.tiers.contains) ?? true) }
    }
  }

  package enum Kind: String, CaseIterable, Sendable, JSONWritable { case fine, coarse, null }

  /// A value of a postback, or none.
  package struct Value: Sendable, Equatable {
    package var window: ConversionWindow
    package var kind: Kind
    /// `12` or `low`; nil for none.
    package var name: String?
    /// The tiers that leave this value.
    package var tiers: [Int]
    /// The user's actions that give the value; nil if no mapping gives it.
    package var meaning: String?
    /// The revenue by horizon, in the order of ``Horizon``.
    package var revenue: [Mean]
    /// The spread of the revenue to day 35 among the users with the value; nil without such users.
    package var spread: Spread?
    /// The worth to day 35 in each resample; empty except for first postbacks.
    package var resampled: [Int]

    package init(
      window: ConversionWindow, kind: Kind, name: String?, tiers: [Int], meaning: String?, revenue: [Mean],
      spread: Spread?, resampled: [Int]
    ) {
      self.window = window
      self.kind = kind
      self.name = name
      self.tiers = tiers
      self.meaning = meaning
      self.revenue = revenue
      self.spread = spread
      self.resampled = resampled
    }

    package subscript(horizon: Horizon) -> Mean { revenue[horizon.rawValue] }
  }

  /// The time to which revenue counts, from the first call on. Each counts the devices that have reached it; the last
  /// counts those of day 35.
  package enum Horizon: Int, CaseIterable, Sendable {
    case day2, day7, day35, end

    package var key: String {
      switch self {
      case .day2: "day_2"
      case .day7: "day_7"
      case .day35: "day_35"
      case .end: "end"
      }
    }
  }

  /// The mean revenue of the users with a value.
  package struct Mean: Sendable, Equatable {
    package var devices: Int
    /// Nil without devices.
    package var mean: Int?
    /// The mean after shrinkage. Nil without devices and neighbours.
    package var worth: Int?
    /// The interval of the worth, of 90 %.
    package var interval: Interval?

    package init(devices: Int, mean: Int?, worth: Int?, interval: Interval?) {
      (self.devices, self.mean, self.worth, self.interval) = (devices, mean, worth, interval)
    }
  }

  package struct Interval: Sendable, Equatable {
    package var low: Int
    package var high: Int

    package init(low: Int, high: Int) { (self.low, self.high) = (low, high) }
  }

  package struct Spread: Sendable, Equatable {
    /// The standard deviation.
    package var deviation: Int
    /// The third central moment divided by the cube of the standard deviation; 0 for equal amounts.
    package var skewness: Double
    /// The share of the revenue above 0 that the top 1 % of the users have; nil without such revenue.
    package var topShare: Double?
    /// The amounts in order, each with how many users it stands for; empty except for first postbacks.
    package var amounts: [Amount]

    package init(deviation: Int, skewness: Double, topShare: Double?, amounts: [Amount]) {
      (self.deviation, self.skewness, self.topShare, self.amounts) = (deviation, skewness, topShare, amounts)
    }
  }

  /// Users with about the same revenue.
  package struct Amount: Sendable, Equatable {
    /// How many of the value's users they are, in relation to the weights of the other amounts.
    package var weight: Int
    package var revenue: Int

    package init(weight: Int, revenue: Int) { (self.weight, self.revenue) = (weight, revenue) }
  }

  /// The revenue to day 35 of devices that were held out, and what the worths of the others say of it.
  package struct HeldOut: Sendable, Equatable {
    package var kind: Kind
    package var devices: Int
    package var revenue: Int
    package var told: Int
    /// (told − true) / true, and its interval; nil without revenue above 0.
    package var bias: Double?
    package var low: Double?
    package var high: Double?

    package init(kind: Kind, devices: Int, revenue: Int, told: Int, bias: Double?, low: Double?, high: Double?) {
      (self.kind, self.devices, self.revenue, self.told) = (kind, devices, revenue, told)
      (self.bias, self.low, self.high) = (bias, low, high)
    }
  }
}

/// The numbers of an interval of 90 % among those of all resamples.
extension Array where Element: Comparable {
  /// The interval between the 5 % lowest and the 5 % highest, both left out; nil for none.
  package var middle: (low: Element, high: Element)? {
    let sorted = sorted()
    let out = count / 20
    return sorted.isEmpty ? nil : (sorted[out], sorted[count - 1 - out])
  }
}
