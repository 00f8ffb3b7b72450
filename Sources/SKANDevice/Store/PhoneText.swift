import SKANBase

/// The texts that the results of one phone share, kept from one result to the next.
///
/// A result shows the store up to five times: the details at three moments, the parameters and the query of the
/// request. Two results of a phone differ in a few entries.
package final class PhoneText {
  private var details = EntryText(.details)
  private var parameters = EntryText(.parameters)
  private var query = EntryText(.query)
  private var own = OwnText()
  /// The phone whose result is written.
  private var phone = -1
  /// Whether the result before was the same phone's. If not, the text of a request is not worth keeping yet.
  private var isSamePhone = false

  package init() {}

  /// Begins a result of a phone.
  package func beginResult(ofPhone phone: Int) {
    isSamePhone = phone == self.phone
    self.phone = phone
  }

  /// Whether the entries of a store can be kept as text: those of SKAN 4, without odd values, in a layout in which their
  /// text does not depend on their place.
  static func canKeep(_ kept: KeptState, _ api: EndpointAPI, in layout: JSONWriter.Layout) -> Bool {
    layout == .compact && api == .v2 && kept.odd == nil
  }

  /// Whether the text of a request is kept.
  func keepsText(of request: ConversionRequest, in layout: JSONWriter.Layout) -> Bool {
    isSamePhone && Self.canKeep(request.kept, request.device.traits.api, in: layout)
  }

  /// Writes the members of the result of `getSkanDetails`.
  func writeDetails(_ kept: KeptState, to writer: inout JSONWriter) { details.write(kept, to: &writer) }

  /// Writes the parameters of a request as the members of an object, sorted by name.
  func writeParameters(of request: ConversionRequest, to writer: inout JSONWriter) {
    own.update(to: request)
    own.write(.beforeName, to: &writer)
    writer.append(request.eventName)
    own.write(.afterName, to: &writer)
    parameters.write(request.kept, to: &writer)
    own.write(.last, to: &writer)
  }

  /// Writes the parameters of a request as a query, each after an ampersand.
  func writeQuery(of request: ConversionRequest, to writer: inout JSONWriter) {
    own.update(to: request)
    own.write(.queryBeforeName, to: &writer)
    writer.text.append(queryEscaped: request.eventName)
    own.write(.queryAfterName, to: &writer)
    query.write(request.kept, to: &writer)
  }
}

/// The parameters of a phone's requests that carry no entry of the store, as text.
private struct OwnText: ~Copyable {
  /// The parts of the text, in its order.
  enum Part: Int, CaseIterable {
    /// The members before the value of the event's name, and after it. Those with entries follow.
    case beforeName, afterName
    /// The members after those with entries.
    case last
    /// The query before the event's name, and after it.
    case queryBeforeName, queryAfterName
  }

  /// The profile whose parameters are written; nil if there are none yet.
  private var profile: SharedValue<DeviceProfile>?
  private var text = ByteText()
  /// Where each part begins and ends.
  private var bounds: [Int] = []

  /// Writes the parameters again if they are of another profile than those of the request.
  mutating func update(to request: ConversionRequest) {
    if profile == request.device.sharedProfile { return }
    profile = request.device.sharedProfile
    var writer = JSONWriter()
    bounds = [0]
    for part in Part.allCases {
      request.write(part, to: &writer)
      bounds.append(writer.text.count)
    }
    swap(&text, &writer.text)
  }

  @inline(__always)
  func write(_ part: Part, to writer: inout JSONWriter) {
    let bytes = bounds[part.rawValue]..<bounds[part.rawValue + 1]
    unsafe writer.text.append(UnsafeBufferPointer(rebasing: text.bytes[bytes]))
    writer.hasItems = true
  }
}

extension ConversionRequest {
  private static let (first, last) = EndpointAPI.ownParametersByName

  fileprivate func write(_ part: OwnText.Part, to writer: inout JSONWriter) {
    let sent = EndpointAPI.ownParameters
    switch part {
    case .beforeName:
      write(Self.first.prefix { $0 != .eventName }, to: &writer)
      writer.key(QueryParameter.eventName.name)
    case .afterName: write(Self.first.drop { $0 != .eventName }.dropFirst(), to: &writer)
    case .last: write(Self.last[...], to: &writer)
    case .queryBeforeName:
      writeQuery(sent.prefix { $0 != .eventName }, to: &writer)
      writer.text.append("&n=")
    case .queryAfterName: writeQuery(sent.drop { $0 != .eventName }.dropFirst(), to: &writer)
    }
  }
}

/// How the entries of a store are written.
enum EntryForm {
  /// As members of the result of `getSkanDetails`, sorted by name.
  case details
  /// As members of a request's parameters, sorted by name.
  case parameters
  /// As parameters in a query of SKAN 4, in the order of sending, which is that of the slots.
  case query
}

/// The entries of a store as text. Only entries that differ from those before are written again.
private struct EntryText: ~Copyable {
  /// The most entries that are replaced one by one.
  private static let mostReplaced = 5
  /// A bit for each slot that SKAN 4 has.
  private static let slots: UInt32 = StoreEntry.skan4.reduce(0) { $0 | 1 << UInt32($1.slot) }
  /// The position of each slot among the names, sorted.
  private static let positionsByName: [Int] = {
    let sorted = EndpointAPI.v2.slotsByName
    return sorted.indices.map { slot in sorted.firstIndex(of: slot) ?? slot }
  }()

  private let form: EntryForm
  // The store of the entries, which has no odd values.
  private var values = StoredValues()
  private var sums = StoredSums()
  /// The entries. Each begins with a comma, in a query with an ampersand.
  private var text = ByteText()
  /// The beginning of the text and the end of each entry; equal to the end before it if the entry is not set.
  private var ends = [Int](repeating: 0, count: StoreEntry.skan4.count + 1)

  init(_ form: EntryForm) { self.form = form }

  /// Adds the entries of a store to the open object, or to the query.
  mutating func write(_ kept: KeptState, to writer: inout JSONWriter) {
    let (ofValues, ofSums) = (kept.values.slotsDiffering(from: values), kept.sums.slotsDiffering(from: sums))
    if ofValues != 0 { values = kept.values }
    if ofSums != 0 { sums = kept.sums }
    var rest = (ofValues | ofSums) & Self.slots
    if rest != 0 {
      let (start, hadItems) = (writer.text.count, writer.hasItems)
      // Written at the end of the output, and moved from there.
      writer.hasItems = true
      if rest.nonzeroBitCount > Self.mostReplaced {
        rewrite(kept, in: &writer)
      } else {
        while rest != 0 {
          replace(rest.trailingZeroBitCount, of: kept, in: &writer)
          rest &= rest &- 1
        }
      }
      writer.text.count = start
      writer.hasItems = hadItems
    }
    if text.count == 0 { return }
    let start = writer.hasItems || form == .query ? 0 : 1
    unsafe writer.text.append(UnsafeBufferPointer(rebasing: text.bytes[start..<text.count]))
    writer.hasItems = true
  }

  /// Writes the entry of a slot again.
  private mutating func replace(_ slot: Int, of kept: KeptState, in writer: inout JSONWriter) {
    let start = writer.text.count
    kept.writeEntry(slot, as: form, to: &writer)
    let position = form == .query ? slot : Self.positionsByName[slot]
    let old = ends[position]..<ends[position + 1]
    let growth = writer.text.count - start - old.count
    unsafe text.replace(old, with: UnsafeBufferPointer(rebasing: writer.text.bytes[start..<writer.text.count]))
    writer.text.count = start
    if growth != 0 { for position in position + 1..<ends.count { ends[position] += growth } }
  }

  /// Writes all entries again, which is faster than replacing many of them.
  private mutating func rewrite(_ kept: KeptState, in writer: inout JSONWriter) {
    let (start, slotsByName) = (writer.text.count, EndpointAPI.v2.slotsByName)
    for position in slotsByName.indices {
      kept.writeEntry(form == .query ? position : slotsByName[position], as: form, to: &writer)
      ends[position + 1] = writer.text.count - start
    }
    text.removeAll()
    unsafe text.append(UnsafeBufferPointer(rebasing: writer.text.bytes[start..<writer.text.count]))
  }
}
