import SKANBase
import SKANSystem

/// The sums by currency in one entry of the snippet's store.
///
/// Currencies are not normalized: `usd` and `USD` are two, `""` is one.
public struct RevenueTable: Sendable {
  /// The codes of the currencies, sorted, if there are at most two and each has three capital letters; 0 for none.
  @usableFromInline var codes: (first: UInt32, second: UInt32) = (0, 0)
  @usableFromInline var amounts: (first: Double, second: Double) = (0, 0)
  /// The sums of any other table, sorted by code point; nil if ``codes`` is used.
  @usableFromInline var all: [(currency: String, amount: Double)]?

  /// An empty table.
  @inline(__always)
  public init() {}

  /// A table with the given sums.
  public init(_ sums: [(currency: String, amount: Double)]) {
    let coded = sums.count > 2 ? [] : sums.compactMap { sum in CurrencyCode(sum.currency).map { ($0, sum.amount) } }
    if coded.count == sums.count, coded.count < 2 || coded[0].0 != coded[1].0 {
      self.init(coded.first, coded.dropFirst().first)
    } else {
      self.init()
      all = sums.sorted { $0.currency.literallyPrecedes($1.currency) }
    }
  }

  /// A table of at most two sums in different currencies.
  @inlinable @inline(__always)
  init(_ first: (code: CurrencyCode, amount: Double)?, _ second: (code: CurrencyCode, amount: Double)?) {
    guard let first else {
      codes.first = second?.code.number ?? 0
      amounts.first = second?.amount ?? 0
      return
    }
    guard let second else {
      codes.first = first.code.number
      amounts.first = first.amount
      return
    }
    let isSorted = first.code.number < second.code.number
    codes = isSorted ? (first.code.number, second.code.number) : (second.code.number, first.code.number)
    amounts = isSorted ? (first.amount, second.amount) : (second.amount, first.amount)
  }

  /// The number of currencies.
  @inline(__always)
  public var count: Int {
    all?.count ?? (codes.second != 0 ? 2 : codes.first != 0 ? 1 : 0)
  }

  /// The code of the currency at an index, if it has the form of one.
  @inline(__always)
  public func code(at index: Int) -> CurrencyCode? {
    all == nil ? CurrencyCode(number: index == 0 ? codes.first : codes.second) : CurrencyCode(currency(at: index))
  }

  /// The sum at an index.
  @inline(__always)
  public func amount(at index: Int) -> Double {
    all?[index].amount ?? (index == 0 ? amounts.first : amounts.second)
  }

  /// The sum of a currency; nil if the table has another one, or none.
  @inlinable @inline(__always)
  public func amount(only code: CurrencyCode) -> Double? {
    all == nil && codes.first == code.number && codes.second == 0 ? amounts.first : nil
  }

  /// The currency at an index.
  public func currency(at index: Int) -> String { all?[index].currency ?? code(at: index)?.name ?? "" }

  /// The sums, sorted by code point of the currency.
  public var sums: [(currency: String, amount: Double)] {
    all ?? (0..<count).map { (currency(at: $0), amount(at: $0)) }
  }

  /// Whether the table's text in a request contains a `+`, which a server decodes as a space.
  @inlinable @inline(__always)
  public var hasPlus: Bool {
    // From 1e17 on, 17 digits are written with an exponent.
    all != nil ? anyHasPlus : amounts.first.magnitude >= 1e17 || amounts.second.magnitude >= 1e17
  }
  @usableFromInline var anyHasPlus: Bool {
    all?.contains { $0.amount.magnitude >= 1e17 || $0.currency.hasPlus } ?? false
  }

  /// The sum of a currency; nil if there is none.
  public subscript(currency: String) -> Double? {
    get {
      guard let sums = all else {
        guard let code = CurrencyCode(currency) else { return nil }
        return code.number == codes.first ? amounts.first : code.number == codes.second ? amounts.second : nil
      }
      // Usually there are a few; a captured request may have a hundred thousand.
      if sums.count <= 8 { return sums.first { $0.currency.isLiterally(currency) }?.amount }
      var (low, high) = (0, sums.count)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle].currency.literallyPrecedes(currency) { low = middle + 1 } else { high = middle }
      }
      return low < sums.count && sums[low].currency.isLiterally(currency) ? sums[low].amount : nil
    }
    set {
      var sums = self.sums
      let isCoded = all == nil
      // Changes the only reference in place.
      all = nil
      switch (sums.firstIndex { $0.currency.isLiterally(currency) }, newValue) {
      case (let index?, let amount?): sums[index].amount = amount
      case (let index?, nil): sums.remove(at: index)
      case (nil, let amount?):
        let index = sums.firstIndex { currency.literallyPrecedes($0.currency) } ?? sums.count
        sums.insert((currency, amount), at: index)
      case (nil, nil): break
      }
      if isCoded { self = RevenueTable(sums) } else { all = sums }
    }
  }

  /// The table with other names of its currencies. Sums whose names become equal are added.
  func mapCurrencies(_ change: (String) -> String) -> RevenueTable {
    let changed = sums.map { (currency: change($0.currency), amount: $0.amount) }
    guard zip(sums, changed).contains(where: { !$0.currency.isLiterally($1.currency) }) else { return self }
    return changed.reduce(into: RevenueTable()) { table, sum in
      table[sum.currency] = (table[sum.currency] ?? 0) + sum.amount
    }
  }

  /// Whether the table has at most two sums, in currencies of three capital letters.
  var isCoded: Bool { all == nil }

  /// The table as `NSJSONSerialization` writes it in a request: compact, keys sorted, numbers as `%.17g`, `/` as `\/`.
  public var requestText: String {
    var writer = JSONWriter()
    writer.append(self, in: .text)
    return writer.string
  }
}

extension RevenueTable {
  /// The context of the ``requestText``, which decides how its braces and quotes are escaped.
  enum Place {
    case text, string, query

    /// The bytes of a brace or a quote, the first in the lowest position, and their count.
    @inline(__always)
    fileprivate func form(of mark: Mark) -> (bytes: UInt64, count: Int) {
      switch (self, mark) {
      case (.text, _), (.string, .begin), (.string, .end): (UInt64(mark.rawValue), 1)
      case (.string, .quote): (UInt64(UInt8(ascii: "\\")) | UInt64(mark.rawValue) << 8, 2)
      case (.query, .begin): (0x42_37_25, 3)
      case (.query, .quote): (0x32_32_25, 3)
      case (.query, .end): (0x44_37_25, 3)
      }
    }
  }

  fileprivate enum Mark: UInt8 {
    case begin = 0x7B
    case quote = 0x22
    case end = 0x7D
  }
}

extension JSONWriter {
  /// Adds the ``RevenueTable/requestText`` of a table as a JSON string.
  mutating func append(quotedSums table: RevenueTable) {
    text.append(UInt8(ascii: "\""))
    append(table, in: .string)
    text.append(UInt8(ascii: "\""))
  }

  /// Adds the ``RevenueTable/requestText`` of a table, escaped for its context.
  mutating func append(_ table: RevenueTable, in place: RevenueTable.Place) {
    let start = text.count
    let form = table.isCoded ? place : .text
    text.append(.begin, in: form)
    for index in 0..<table.count {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(.quote, in: form)
      if table.isCoded {
        text.append(code: index == 0 ? table.codes.first : table.codes.second)
      } else {
        text.append(currency: table.currency(at: index))
      }
      text.append(.quote, in: form)
      text.append(UInt8(ascii: ":"))
      text.append(table.amount(at: index), significant: 17)
    }
    text.append(.end, in: form)
    if table.isCoded { return }
    switch place {
    case .text: break
    case .string: text.escape(from: start)
    case .query: unsafe text.rewrite(from: start, growth: 3) { text, end in unsafe text.append(queryEscaped: end) }
    }
  }
}

extension ByteText {
  @inline(__always)
  fileprivate mutating func append(_ mark: RevenueTable.Mark, in place: RevenueTable.Place) {
    let form = place.form(of: mark)
    append(word: form.bytes, count: form.count)
  }

  /// Adds the letters of a ``CurrencyCode``.
  @inline(__always)
  fileprivate mutating func append(code number: UInt32) {
    append(word: UInt64(number.byteSwapped &>> 8), count: 3)
  }

  /// Adds a currency with the escapes of a JSON string.
  fileprivate mutating func append(currency: String) {
    for byte in currency.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0x08: append("\\b")
      case 0x0C: append("\\f")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0x00...0x1F: append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: append(byte)
      }
    }
  }
}

extension RevenueTable: Equatable {
  /// Whether both tables have the same sums; currencies are compared by code points.
  public static func == (left: RevenueTable, right: RevenueTable) -> Bool {
    if left.all == nil, right.all == nil { return left.codes == right.codes && left.amounts == right.amounts }
    return left.sums.elementsEqual(right.sums) { $0.currency.isLiterally($1.currency) && $0.amount == $1.amount }
  }
}

extension RevenueTable: JSONWritable {
  package static var jsonForm: JSONForm { .map(of: .number) }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for index in 0..<count {
      if isCoded {
        let code = index == 0 ? codes.first : codes.second
        writer.key(quoting: { $0.append(code: code) })
      } else {
        writer.key(currency(at: index))
      }
      writer.append(amount(at: index))
    }
    writer.endObject()
  }
}

extension RevenueTable {
  /// Reads the usual form of a table, such as `{"USD":9.99}`: one or two currency codes and no white space.
  ///
  /// - Returns: nil for any other text, which needs ``JSONReader``.
  public init?(plain text: UnsafeBufferPointer<UInt8>) {
    guard var text = unsafe PlainJSONScanner(text), text.take("{"), let first = Self.sum(&text) else { return nil }
    var second: (code: CurrencyCode, amount: Double)?
    if text.take(",") {
      second = Self.sum(&text)
      guard let second, second.code != first.code else { return nil }
    }
    guard text.take("}"), text.isAtEnd else { return nil }
    self.init(first, second)
  }

  private static func sum(_ text: inout PlainJSONScanner) -> (code: CurrencyCode, amount: Double)? {
    guard let currency = text.takeString(), let code = unsafe CurrencyCode(currency.bytes), text.take(":"),
      let number = text.takeNumber()
    else { return nil }
    return (code, number.value)
  }
}

/// A currency code of three capital letters, as in ISO 4217, in one number.
public struct CurrencyCode: Sendable, Hashable {
  /// The bytes of the letters, the first in the highest position.
  public let number: UInt32

  /// The US dollar.
  public static let usd = CurrencyCode(number: 0x55_53_44)

  /// The code in a text; nil for anything but three capital letters.
  public init?(_ text: String) {
    var text = text
    guard let number = unsafe text.withUTF8(Self.number) else { return nil }
    self.number = number
  }

  /// - Parameter number: the ``number`` of a code.
  public init(number: UInt32) { self.number = number }

  /// - Returns: nil unless the bytes are three capital letters.
  @inline(__always)
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let number = unsafe Self.number(bytes) else { return nil }
    self.number = number
  }

  /// The three letters.
  public var name: String {
    unsafe String(unsafeUninitializedCapacity: 3) { text in
      for index in 0..<3 { unsafe text[index] = UInt8(truncatingIfNeeded: number >> UInt32(16 - 8 * index)) }
      return 3
    }
  }

  /// Without a loop, because every revenue step calls it.
  @inline(__always)
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard bytes.count == 3, unsafe bytes[0].isASCIICapital, unsafe bytes[1].isASCIICapital,
      unsafe bytes[2].isASCIICapital
    else {
      return nil
    }
    return unsafe UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
  }
}

extension String {
  /// Whether the text is three capital letters, as in ISO 4217.
  public var isCurrencyCode: Bool { CurrencyCode(self) != nil }
}
