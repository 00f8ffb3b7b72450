import SKANBase

/// An entry of the app's store; see the article "Kept state".
///
/// Its row describes it: names, kind and window. The store, requests, reports of the app's server, device files, checks
/// of traffic and the form of results are derived from the rows.
public enum StoreEntry: Sendable, Hashable {
  case fineValue, previousFineValue
  case coarseValue(ConversionWindow), previousCoarseValue(ConversionWindow), windowLock(ConversionWindow)
  case iapRevenue, adRevenue
  case windowIAPRevenue(ConversionWindow), windowAdRevenue(ConversionWindow)
  case lastCall, firstCall
  case skan3Value

  /// The kind of value that an entry holds.
  public enum Kind: Sendable {
    /// A fine value of SKAN 4, with the type of the answer.
    case fine
    /// The number of a coarse value, with the type of the answer.
    case coarse
    /// Unix seconds of the last update that locked a window.
    case lock
    /// Unix seconds of a call to the framework.
    case call
    /// Sums by currency.
    case revenue
    /// The only value of SKAN 3.
    case skan3
  }

  private struct Row: Sendable {
    let name: String
    let kind: Kind
    let window: ConversionWindow?
    let skan3Name: String?
    let forwardedName: String?

    init(
      _ name: String, _ kind: Kind, _ window: ConversionWindow? = nil, skan3: String? = nil, forwarded: String? = nil
    ) {
      self.name = name
      self.kind = kind
      self.window = window
      skan3Name = skan3
      forwardedName = forwarded
    }

    // Names are needed in every step that is shown. Unlike composed texts, literals are not reference counted.
    init(_ p0: String, _ p1: String, _ p2: String, _ kind: Kind, _ window: ConversionWindow) {
      self.init(PerWindow(p0, p1, p2)[window], kind, window)
    }
  }

  private var row: Row {
    switch self {
    case .fineValue: Row("skan_current_conversion_value", .fine)
    case .previousFineValue: Row("prev_fine_value", .fine)
    case .coarseValue(let window): Row("p0_coarse", "p1_coarse", "p2_coarse", .coarse, window)
    case .previousCoarseValue(let window):
      Row("p0_prev_coarse_value", "p1_prev_coarse_value", "p2_prev_coarse_value", .coarse, window)
    case .windowLock(let window): Row("p0_window_lock", "p1_window_lock", "p2_window_lock", .lock, window)
    case .iapRevenue: Row("skan_total_revenue_by_currency", .revenue, skan3: "total_revenue_by_currency")
    case .adRevenue: Row("skan_total_admon_revenue_by_currency", .revenue)
    case .windowIAPRevenue(let window):
      Row("p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue", .revenue, window)
    case .windowAdRevenue(let window):
      Row("p0_total_admon_revenue", "p1_total_admon_revenue", "p2_total_admon_revenue", .revenue, window)
    case .lastCall:
      Row(
        "skan_last_call_to_skadnetwork_timestamp", .call, skan3: "last_call_to_skadnetwork_timestamp",
        forwarded: "skan_last_call_timestamp")
    case .firstCall:
      Row(
        "skan_first_call_to_skadnetwork_timestamp", .call, skan3: "first_call_to_skadnetwork_timestamp",
        forwarded: "skan_first_call_timestamp")
    case .skan3Value:
      Row("skan_conversion_value", .skan3, skan3: "conversion_value", forwarded: "skan_conversion_value")
    }
  }

  private static let rows = all.map(\.row)

  /// The representation of an entry in the store.
  @usableFromInline enum Form {
    /// A value of an answer: ``KeptValue``.
    case answered
    /// An integer.
    case number
    /// Sums by currency.
    case revenue
  }

  @inlinable @inline(__always)
  var form: Form {
    switch self {
    case .fineValue, .previousFineValue, .coarseValue, .previousCoarseValue: .answered
    case .windowLock, .lastCall, .firstCall, .skan3Value: .number
    case .iapRevenue, .adRevenue, .windowIAPRevenue, .windowAdRevenue: .revenue
    }
  }

  /// The index in ``all``.
  @inlinable @inline(__always)
  public var slot: Int {
    switch self {
    case .fineValue: 0
    case .previousFineValue: 1
    case .coarseValue(let window): 2 + window.rawValue
    case .previousCoarseValue(let window): 5 + window.rawValue
    case .windowLock(let window): 8 + window.rawValue
    case .iapRevenue: 11
    case .adRevenue: 12
    case .windowIAPRevenue(let window): 13 + window.rawValue
    case .windowAdRevenue(let window): 16 + window.rawValue
    case .lastCall: 19
    case .firstCall: 20
    case .skan3Value: 21
    }
  }

  /// All entries, those of SKAN 4 first.
  public static let all = skan4 + [.skan3Value]

  /// The entries that `getSkanDetails` reads, in the order of the request.
  public static let skan4: [StoreEntry] =
    [.fineValue, .previousFineValue] + each(StoreEntry.coarseValue) + each(StoreEntry.previousCoarseValue)
    + each(StoreEntry.windowLock) + [.iapRevenue, .adRevenue] + each(StoreEntry.windowIAPRevenue)
    + each(StoreEntry.windowAdRevenue) + [.lastCall, .firstCall]

  /// The four entries of SKAN 3.
  public static let skan3: [StoreEntry] = [.skan3Value, .iapRevenue, .lastCall, .firstCall]

  /// The entries that hold values of answers, in the order of the request.
  static let asAnswered = skan4.filter(\.kind.isAsAnswered)

  /// The names of all entries, by slot.
  static let quotedNames = WrittenNames(all.map(\.name))

  private static func each(_ entry: (ConversionWindow) -> StoreEntry) -> [StoreEntry] {
    ConversionWindow.allCases.map(entry)
  }

  /// The entry with the sums of one kind of revenue, in a window or in total.
  @inlinable @inline(__always)
  public static func revenue(fromAds: Bool, in window: ConversionWindow?) -> StoreEntry {
    guard let window else { return fromAds ? .adRevenue : .iapRevenue }
    return fromAds ? .windowAdRevenue(window) : .windowIAPRevenue(window)
  }
}

extension StoreEntry {
  /// The key in `NSUserDefaults`, in `getSkanDetails` and in the request of SKAN 4.
  public var name: String { Self.rows[slot].name }

  /// The parameter for the entry in a request of the snippet; nil if there is none.
  public func requestName(in api: EndpointAPI) -> String? {
    switch api {
    case .v1: Self.rows[slot].skan3Name
    case .v2: self == .skan3Value ? nil : name
    }
  }

  /// The parameter for the entry in reports of the app's server; nil if there is none.
  public func forwardedName(in api: EndpointAPI) -> String? {
    switch api {
    case .v1: Self.rows[slot].forwardedName
    case .v2: self == .skan3Value ? nil : name
    }
  }

  /// The kind of its value.
  public var kind: Kind { Self.rows[slot].kind }

  /// The window of the entry; nil if it is for the whole life.
  public var window: ConversionWindow? { Self.rows[slot].window }

  /// Whether the entry holds sums by currency.
  public var isRevenue: Bool { kind == .revenue }

  /// Whether the entry holds Unix seconds.
  public var isTimestamp: Bool { kind == .lock || kind == .call }

  /// The number that a request from outside reports for the entry, as a kept value.
  ///
  /// - Returns: nil for a time that is 0, which stands for "not set", or outside the years 1970 to 9999. Therefore
  ///   differences between reported times do not overflow.
  public func reported(_ number: Int64) -> KeptValue? {
    if isTimestamp, number == 0 || !(0...Instant.secondsRange.upperBound).contains(number) { return nil }
    return .integer(number)
  }

  /// The text that SKAN 3 sends if the entry is not set; nil for the bare name of the parameter.
  var unsetText: String? {
    switch kind {
    case .lock, .call: "0"
    case .revenue: "{}"
    case .fine, .coarse, .skan3: nil
    }
  }
}

extension StoreEntry.Kind {
  /// The fine values that the guides document.
  public static let fineValues: ClosedRange<Int64> = 0...63
  /// The numbers of coarse values that the guides document.
  public static let coarseValues: ClosedRange<Int64> = 0...2

  /// The documented range of conversion values; nil for other kinds.
  public var range: ClosedRange<Int64>? {
    switch self {
    case .fine, .skan3: Self.fineValues
    case .coarse: Self.coarseValues
    case .lock, .call, .revenue: nil
    }
  }

  /// Whether the entry holds a value of an answer, which may be a string and then poisons the install.
  public var isAsAnswered: Bool { self == .fine || self == .coarse }

  /// The required form of the entry in a file, for a message.
  public var expected: String {
    switch self {
    case .fine, .coarse: "a number, a boolean or a string"
    case .lock, .call: "whole Unix seconds"
    case .revenue: "an object of currencies and sums"
    case .skan3: "a whole number"
    }
  }
}
