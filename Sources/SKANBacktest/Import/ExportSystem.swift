import SKANBase

/// A column that names the operating system of a row's device, or something that only devices of one system have.
package struct ExportSystem: Sendable, Equatable {
  package var column: ExportColumn
  /// The texts that mean another system than iOS, in lower case; nil if every text but the names of iOS does.
  package var others: [String]?

  package init(_ column: ExportColumn, others: [String]? = nil) {
    self.column = column
    self.others = others
  }

  /// The identifiers that Singular's Android devices have, as `device_id_type` names them (Singular's page "Types of
  /// Device IDs"; `AIFA`, `ANDI`, `IMEI` and `MEID` are from its links and requests). `SDID` is of any system.
  package static let androidIdentifiers = ["gaid", "aifa", "asid", "aid", "andi", "amid", "oaid", "imei", "meid"]

  /// The names of the system that iPhones and iPads run, in lower case. Apple's UIDevice names it `iOS`, `iPadOS` and,
  /// in old versions, `iPhone OS`; the others are models and spellings of vendors.
  private static let namesOfIOS: Set<String> = [
    "ios", "ipados", "iphone os", "iphoneos", "iphone", "ipad", "ipod", "ipod touch", "ios_app",
  ]

  /// Names of systems other than iOS, in lower case, by which an unknown column is recognized.
  private static let knownOthers: Set<String> =
    Set([
      "android", "android_app", "fire os", "fireos", "amazon", "harmonyos", "web", "browser", "windows", "macos",
      "mac os x", "tvos", "watchos", "visionos", "linux",
    ]).union(androidIdentifiers)

  /// Whether a text is `ios` in any letter case; the other names of iOS take longer to find.
  @inline(__always)
  static func isIOS(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe text.count == 3 && text[0] | 0x20 == UInt8(ascii: "i") && text[1] | 0x20 == UInt8(ascii: "o")
      && text[2] | 0x20 == UInt8(ascii: "s")
  }

  /// Whether a text that is not blank names another system than iOS. A version may follow the name: `iOS 17.4`.
  package func isOther(_ text: String) -> Bool {
    let name = Self.plain(text)
    return others?.contains(name) ?? !Self.namesOfIOS.contains(name)
  }

  /// Whether a text is the name of a system that is known here, iOS among them.
  package static func isKnown(_ text: String) -> Bool {
    let name = plain(text)
    return namesOfIOS.contains(name) || knownOthers.contains(name) || name == "idfv" || name == "idfa"
  }

  /// Whether a column's name says that it names systems: `platform`, `os`, `device_os`, `OS Name`, `deviceType`.
  package static func isSystem(columnNamed name: String) -> Bool {
    // Both readings count: `OS` is one word, and `deviceOS` two.
    let words = Set(
      [name.lowercased(), name.snakeCased].flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
    if words.contains("version") { return false }
    return !words.isDisjoint(with: ["platform", "os", "osname", "ostype", "deviceos"])
      || words.isSuperset(of: ["operating", "system"])
      || words.contains("device") && words.contains("type")
  }

  /// The name in lower case, without surrounding spaces and without a version.
  private static func plain(_ text: String) -> String {
    let name = String(text.lowercased().trimming { $0.isWhitespace })
    guard let space = name.lastIndex(of: " "), !name[name.index(after: space)...].contains(where: \.isLetter) else {
      return name
    }
    return String(name[..<space])
  }

  /// Why a row does not pass: `platform is Android, not iOS`.
  package func reason(for name: String) -> String {
    others == nil ? "\(column.name) is \(name), not iOS" : "\(column.name) is \(name), which no iPhone has"
  }
}

/// The texts that mean "no identifier" when they are in the column of an identifier, in any letter case.
///
/// They are what databases, languages and spreadsheets write for a missing value. Each would be one device that all
/// others of the export are part of.
package enum BlankText: Int, Sendable, CaseIterable {
  case null, none, `nil`, undefined, notApplicable, nan, notAvailable, copyNull, nullInParentheses, noneInParentheses,
    notSet, nullInBrackets, missingInBrackets, spreadsheetError, spaces, zeros

  /// The text in lower case; for zeros a UUID of them.
  package var text: String {
    switch self {
    case .null: "null"
    case .none: "none"
    case .nil: "nil"
    case .undefined: "undefined"
    case .notApplicable: "n/a"
    case .nan: "nan"
    case .notAvailable: "na"
    // PostgreSQL's, MySQL's and Hive's text for NULL.
    case .copyNull: "\\n"
    // Objective-C's description of nil.
    case .nullInParentheses: "(null)"
    case .noneInParentheses: "(none)"
    // Google Analytics.
    case .notSet: "(not set)"
    case .nullInBrackets: "<null>"
    // pandas.
    case .missingInBrackets: "<na>"
    case .spreadsheetError: "#n/a"
    case .spaces: " "
    case .zeros: "00000000-0000-0000-0000-000000000000"
    }
  }

  /// The text as people write it.
  package var shown: String { self == .copyNull ? "\\N" : text }

  private static let table: [(text: [UInt8], blank: BlankText)] = allCases.filter { $0 != .spaces && $0 != .zeros }.map
  {
    (Array($0.text.utf8), $0)
  }

  /// Whether one of the texts may begin with this byte. It is asked for every row, to find most identifiers not blank.
  @inline(__always)
  static func mayBegin(with byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "0"),
      UInt8(ascii: "\\"), UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "#"), 0x20, 0x09:
      true
    default: false
    }
  }

  /// The blank text that a text is; nil for any other, such as an identifier.
  @inline(never)
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    // An identifier of zeros is a UUID, with hyphens or without.
    if text.count == 36 || text.count == 32, unsafe Self.isZero(text) {
      self = .zeros
      return
    }
    guard text.count <= 16 else { return nil }
    let trimmed = unsafe text.trimming { $0 == 0x20 || $0 == 0x09 }
    if unsafe trimmed.isEmpty {
      self = .spaces
      return
    }
    for (name, blank) in Self.table where unsafe name.count == trimmed.count {
      let isSame = unsafe zip(name, trimmed).allSatisfy { $0 == ($1.isASCIICapital ? $1 | 0x20 : $1) }
      if isSame {
        self = blank
        return
      }
    }
    return nil
  }

  private static func isZero(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe text.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }
  }
}

/// The names of events that are purchases, by which purchases without an amount are noticed.
///
/// `af_purchase` is AppsFlyer's, `__iap__` Singular's, `PURCHASE` Branch's, `in_app_purchase` and `purchase` Firebase's,
/// `$ae_iap` Mixpanel's, `Order Completed` Segment's; the others are common names (*ours*).
enum PurchaseName {
  static let all: Set<String> = {
    let names = [
      "purchase", "purchased", "in_app_purchase", "iap", "buy", "af_purchase", "__iap__", "$ae_iap", "order completed",
      "order_completed",
    ]
    let titles = names.map { name in
      name.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
    return Set(names + names.map { $0.uppercased() } + titles)
  }()

  /// The message that more than half of the purchases have no amount; nil if they have.
  static func problem(_ count: Int, of all: Int) -> String? {
    count > all / 2 ? "\(count) of \(all.counted("purchase")) have no amount" : nil
  }
}
