import SKANJSON

/// Currency → sum, as the snippet keeps it in one entry of its store.
///
/// Currency codes are kept as they are given: `usd` and `USD` are two, `""` is one.
package struct RevenueTable: Sendable, Equatable {
  /// Sorted by code point.
  package private(set) var sums: [(currency: String, amount: Double)] = []

  package init() {}

  package init(_ sums: [(currency: String, amount: Double)]) {
    self.sums = sums.sorted { $0.currency.literallyPrecedes($1.currency) }
  }

  package subscript(currency: String) -> Double? {
    get { sums.first { $0.currency.isLiterally(currency) }?.amount }
    set {
      switch (sums.firstIndex { $0.currency.isLiterally(currency) }, newValue) {
      case (let index?, let amount?): sums[index].amount = amount
      case (let index?, nil): sums.remove(at: index)
      case (nil, let amount?):
        let index = sums.firstIndex { currency.literallyPrecedes($0.currency) } ?? sums.count
        sums.insert((currency, amount), at: index)
      case (nil, nil): break
      }
    }
  }

  package static func == (left: RevenueTable, right: RevenueTable) -> Bool {
    left.sums.elementsEqual(right.sums) { $0.currency.isLiterally($1.currency) && $0.amount == $1.amount }
  }

  /// The table as `NSJSONSerialization` writes it into a request: compact, keys sorted, `%.17g`, `/` as `\/`.
  package var requestText: String {
    guard !sums.isEmpty else { return "{}" }
    return "{" + sums.map { "\(Self.quoted($0.currency)):\(formatted($0.amount, digits: 17))" }.joined(separator: ",")
      + "}"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "/": quoted += "\\/"
      case "\u{08}": quoted += "\\b"
      case "\u{0C}": quoted += "\\f"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{00}"..."\u{1F}":
        quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
