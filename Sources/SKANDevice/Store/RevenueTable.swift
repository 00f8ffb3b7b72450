import SKANBase
import SKANSystem

/// Currency → sum, as the snippet keeps it in one entry of its store.
///
/// Currency codes are kept as they are given: `usd` and `USD` are two, `""` is one.
package struct RevenueTable: Sendable, Equatable {
  /// Sorted by code point.
  package private(set) var sums: [(currency: String, amount: Double)] = []
  /// Whether the table's text in a request has a `+` or may have one, which a server reads as a space.
  package private(set) var hasPlus = false

  package init() {}

  package init(_ sums: [(currency: String, amount: Double)]) {
    self.sums = sums.sorted { $0.currency.literallyPrecedes($1.currency) }
    for (currency, amount) in sums { look(at: currency, amount) }
  }

  private mutating func look(at currency: String, _ amount: Double) {
    // From 1e17 on 17 digits are written with an exponent.
    if amount.magnitude >= 1e17 || currency.hasPlus { hasPlus = true }
  }

  package subscript(currency: String) -> Double? {
    get {
      // Nearly always there are one or two; a request that was captured may have a hundred thousand.
      if sums.count <= 8 { return sums.first { $0.currency.isLiterally(currency) }?.amount }
      var (low, high) = (0, sums.count)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle].currency.literallyPrecedes(currency) { low = middle + 1 } else { high = middle }
      }
      return low < sums.count && sums[low].currency.isLiterally(currency) ? sums[low].amount : nil
    }
    set {
      if let newValue { look(at: currency, newValue) }
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
    var text = "{"
    for (index, sum) in sums.enumerated() {
      if index > 0 { text += "," }
      text += Self.quoted(sum.currency)
      text += ":"
      text += System.text(of: sum.amount, digits: 17)
    }
    return text + "}"
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

extension RevenueTable: JSONWritable {
  package static var jsonForm: JSONForm { .map(of: .number) }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (currency, amount) in sums {
      writer.key(currency)
      writer.append(amount)
    }
    writer.endObject()
  }
}
