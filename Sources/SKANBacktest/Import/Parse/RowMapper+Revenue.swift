import SKANBase
import SKANDevice

extension RowMapper {
  enum FoundRevenue {
    case nothing
    case revenue(ExportedRow.Revenue)
    /// The text is what cannot be read.
    case rejected(ImportRejection, String)
  }

  /// The revenue of the row in the slots.
  @inline(__always)
  mutating func revenue(isAd: Bool) -> FoundRevenue {
    for index in 0..<plan.revenue.count {
      let source = plan.revenue[index]
      let amount = unsafe slots.first(of: source.amount)
      if amount.count == 0 { continue }
      if let keys = source.keys {
        guard var (amount, currency) = unsafe Self.members(keys, of: amount) else { continue }
        return amount.withUTF8 { amount in
          currency.withUTF8 { currency in unsafe read(amount, currency, source, isAd) }
        }
      }
      let currency = unsafe slots.first(of: source.currency)
      if source.needsCurrency, currency.count == 0 { continue }
      return unsafe read(amount, currency, source, isAd)
    }
    return .nothing
  }

  @inline(__always)
  private mutating func read(
    _ amount: UnsafeBufferPointer<UInt8>, _ currency: UnsafeBufferPointer<UInt8>, _ source: ExportPlan.Revenue,
    _ isAd: Bool
  ) -> FoundRevenue {
    switch unsafe AmountText(amount, scale: source.scale) {
    case .empty: return .nothing
    case .invalid: return unsafe .rejected(.amount, String(decoding: amount, as: UTF8.self))
    case .comma: return unsafe .rejected(.decimalComma, String(decoding: amount, as: UTF8.self))
    case .amount(0):
      tally.zeroAmounts += 1
      return .nothing
    case .amount(let number):
      guard let code = unsafe currency.count > 0 ? Self.code(currency) : source.code else {
        return unsafe .rejected(.currency, String(decoding: currency, as: UTF8.self))
      }
      return .revenue(ExportedRow.Revenue(amount: number, currency: code, isAdMonetization: isAd))
    }
  }

  /// Three letters, of either case.
  @inline(__always)
  private static func code(_ text: UnsafeBufferPointer<UInt8>) -> CurrencyCode? {
    if let code = unsafe CurrencyCode(text) { return code }
    return unsafe CurrencyCode(String(decoding: text, as: UTF8.self).uppercased())
  }

  /// Amount and currency of a JSON object in a field; nil when the field has no object, or the object no amount.
  @inline(never)
  private static func members(
    _ keys: ExportRevenue.Keys, of text: UnsafeBufferPointer<UInt8>
  ) -> (amount: String, currency: String)? {
    guard unsafe text.first == UInt8(ascii: "{") else { return nil }
    let document = JSONDocument()
    do throws(JSONError) { try unsafe document.read(text, dialect: .export) } catch { return nil }
    func member(_ key: String) -> String {
      guard let node = document.root.member(key), !node.isNull else { return "" }
      if case .string(let text) = node.content { return text }
      return unsafe String(decoding: node.source, as: UTF8.self)
    }
    let amount = member(keys.amount)
    return amount.isEmpty ? nil : (amount, member(keys.currency))
  }
}
