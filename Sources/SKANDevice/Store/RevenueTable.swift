import SKANBase
import SKANSystem

/// Currency → sum, as the snippet keeps it in one entry of its store.
///
/// Currency codes are kept as they are given: `usd` and `USD` are two, `""` is one.
public struct RevenueTable: Sendable {
  /// The numbers of the currencies of a table with at most two, each of three capital letters, sorted; 0 for none.
  @usableFromInline var codes: (first: UInt32, second: UInt32) = (0, 0)
  @usableFromInline var amounts: (first: Double, second: Double) = (0, 0)
  /// All sums of any other table, sorted by code point; nil for one of ``codes``.
  @usableFromInline var all: [(currency: String, amount: Double)]?

  /// A table without sums.
  @inline(__always)
  public init() {}

  /// The table of these sums.
  public init(_ sums: [(currency: String, amount: Double)]) {
    let coded = sums.count > 2 ? [] : sums.compactMap { sum in CurrencyCode(sum.currency).map { ($0, sum.amount) } }
    if coded.count == sums.count, coded.count < 2 || coded[0].0 != coded[1].0 {
      self.init(coded.first, coded.dropFirst().first)
    } else {
      self.init()
      all = sums.sorted { $0.currency.literallyPrecedes($1.currency) }
    }
  }

  /// The table of one or two sums in different currencies.
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

  /// How many currencies there are.
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

  /// The currency at an index.
  public func currency(at index: Int) -> String { all?[index].currency ?? code(at: index)?.name ?? "" }

  /// Sorted by code point.
  public var sums: [(currency: String, amount: Double)] {
    all ?? (0..<count).map { (currency(at: $0), amount(at: $0)) }
  }

  /// Whether the table's text in a request has a `+`, which a server reads as a space.
  @inlinable @inline(__always)
  public var hasPlus: Bool {
    // From 1e17 on 17 digits are written with an exponent.
    all != nil ? anyHasPlus : amounts.first.magnitude >= 1e17 || amounts.second.magnitude >= 1e17
  }
  @usableFromInline var anyHasPlus: Bool {
    all?.contains { $0.amount.magnitude >= 1e17 || $0.currency.hasPlus } ?? false
  }

  /// The sum of a currency; nil if it has none.
  public subscript(currency: String) -> Double? {
    get {
      guard let sums = all else {
        guard let code = CurrencyCode(currency) else { return nil }
        return code.number == codes.first ? amounts.first : code.number == codes.second ? amounts.second : nil
      }
      // Nearly always there are a few; a request that was captured may have a hundred thousand.
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
      // The only reference is changed in place.
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

  /// Whether there are no sums but at most two, in currencies of three capital letters.
  var isCoded: Bool { all == nil }

  /// The table as `NSJSONSerialization` writes it into a request: compact, keys sorted, `%.17g`, `/` as `\/`.
  public var requestText: String {
    var writer = JSONWriter()
    writer.append(self, in: .text)
    return writer.string
  }
}

extension RevenueTable {
  /// Where the ``requestText`` stands, which decides how its braces and quotes are written.
  enum Place {
    case text, string, query

    /// How a brace or a quote is written there: the bytes, the first one lowest, and how many there are.
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
  /// Adds the ``RevenueTable/requestText`` of a table, escaped for a place.
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
      append(sent: table.amount(at: index))
    }
    text.append(.end, in: form)
    if table.isCoded { return }
    // Numbers move with what is rewritten.
    sentNumbers = NumberPlaces()
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

  /// Adds a currency as a JSON string holds it.
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
  /// Whether both have the same sums; currencies are compared by their code points.
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
  /// The table of a text as nearly every request has it, such as `{"USD":9.99}`: one or two currencies, and nothing to spare.
  ///
  /// - Returns: nil for every other text, which is for ``JSONReader``.
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

/// Three capital letters, as ISO 4217 has them, in one number.
public struct CurrencyCode: Sendable, Hashable {
  /// The bytes of the letters, the first one highest.
  public let number: UInt32

  /// The US dollar.
  public static let usd = CurrencyCode(number: 0x55_53_44)

  /// The code that a text is; nil for anything but three capital letters.
  public init?(_ text: String) {
    var text = text
    guard let number = unsafe text.withUTF8(Self.number) else { return nil }
    self.number = number
  }

  /// - Parameter number: of a code.
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

  /// Made for every revenue step, so without a loop.
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
  /// Three capital letters, as ISO 4217 has them.
  public var isCurrencyCode: Bool { CurrencyCode(self) != nil }
}
