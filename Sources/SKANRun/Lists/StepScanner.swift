import SKANDevice
import SKANBase

/// Reads event list lines of the common form directly into a step: keys in any order, plain texts and short numbers.
///
/// It gives the same step as ``StepReader``, or none. ``StepReader`` reads all other lines, and those with mistakes.
@safe final class StepScanner {
  /// The most names of events and currencies that are kept, and the bytes of the longest.
  private static let (mostNames, longestName) = (1000, 64)

  /// The names of events and currencies so far, to avoid creating a text for each step.
  private let names = NameTable()

  /// Whether `device` steps are among the lines of the common form.
  private let takesDevices: Bool

  init(takesDevices: Bool = true) { self.takesDevices = takesDevices }

  /// The operations with lines of the common form.
  private enum Kind { case session, event, revenue, register, device, details }

  /// The values of a line's keys; nil for an absent key.
  private struct Members {
    var kind: Kind?
    var device: PlainJSONString?
    var time: TimeSpec?
    var name: PlainJSONString?
    var amount: PlainJSONNumber?
    var currency: PlainJSONString?
    var isAdMonetization: Bool?
    var ios: PlainJSONString?
  }

  /// Reads a line into a step.
  ///
  /// - Parameters:
  ///   - step: receives the step; unchanged where the result is false.
  ///   - phones: the list's phones so far; a new one is added.
  /// - Returns: false where ``StepReader`` must read the line.
  @inline(__always)
  func scan(_ line: UnsafeBufferPointer<UInt8>, into step: inout Step, phones: NameTable) -> Bool {
    var members = Members()
    guard unsafe read(line, into: &members), let operation = operation(members) else { return false }
    step.operation = operation
    step.phone = members.device.map { unsafe phones.insert($0.bytes) } ?? phones.insert("")
    if step.phones !== phones { step.phones = phones }
    step.time = members.time
    if step.notes != nil { step.annotate() }
    return true
  }

  /// - Returns: false where the line does not have the common form.
  @inline(__always)
  private func read(_ line: UnsafeBufferPointer<UInt8>, into members: inout Members) -> Bool {
    guard var text = unsafe PlainJSONScanner(line), text.take("{\"") else { return false }
    while true {
      guard takeMember(&text, into: &members) else { return false }
      if text.take(",\"") { continue }
      text.takeSpace()
      if text.take("}") { break }
      guard text.take(",") else { return false }
      text.takeSpace()
      guard text.take("\"") else { return false }
    }
    text.takeSpace()
    return text.isAtEnd
  }

  /// Takes a key after its opening quote, and its value.
  ///
  /// - Returns: false where the key is repeated, or key or value do not have the common form.
  @inline(__always)
  private func takeMember(_ text: inout PlainJSONScanner, into members: inout Members) -> Bool {
    switch text.first {
    case UInt8(ascii: "o"):
      guard text.take("op\":"), members.kind == nil else { return false }
      text.takeSpace()
      members.kind = takeKind(&text)
      return members.kind != nil
    case UInt8(ascii: "d"): return text.take("device\":") && takeText(&text, into: &members.device)
    case UInt8(ascii: "n"): return text.take("name\":") && takeText(&text, into: &members.name)
    case UInt8(ascii: "c"): return text.take("currency\":") && takeText(&text, into: &members.currency)
    case UInt8(ascii: "i"): return text.take("ios\":") && takeText(&text, into: &members.ios)
    default: break
    }
    if text.take("at\":") {
      guard members.time == nil else { return false }
      text.takeSpace()
      members.time = takeTime(&text)
      return members.time != nil
    }
    if text.take("amount\":") {
      guard members.amount == nil else { return false }
      text.takeSpace()
      members.amount = text.takeNumber()
      return members.amount != nil
    }
    guard text.take("ad_monetization\":"), members.isAdMonetization == nil else { return false }
    text.takeSpace()
    members.isAdMonetization = text.take("true")
    return members.isAdMonetization ?? false || text.take("false")
  }

  @inline(__always)
  private func takeKind(_ text: inout PlainJSONScanner) -> Kind? {
    if text.take("\"event\"") { return .event }
    if text.take("\"session\"") { return .session }
    if text.take("\"revenue\"") { return .revenue }
    if text.take("\"register\"") { return .register }
    if text.take("\"device\"") { return .device }
    return text.take("\"details\"") ? .details : nil
  }

  /// - Returns: false where the key is repeated, or its value is not a plain text.
  @inline(__always)
  private func takeText(_ text: inout PlainJSONScanner, into value: inout PlainJSONString?) -> Bool {
    text.takeSpace()
    guard value == nil, let found = text.takeString() else { return false }
    value = found
    return true
  }

  @inline(__always)
  private func takeTime(_ text: inout PlainJSONScanner) -> TimeSpec? {
    if text.first == UInt8(ascii: "\"") { return text.takeString().flatMap { TimeSpec(at: $0.text) } }
    guard let number = text.takeNumber() else { return nil }
    let seconds = number.integer
    guard let instant = seconds.map({ Instant(unixSeconds: $0) }) ?? Instant(unixSeconds: number.value) else {
      return nil
    }
    return .at(instant)
  }

  /// The operation of a line; nil where a key is missing or does not belong to it.
  @inline(__always)
  private func operation(_ members: Members) -> Step.Operation? {
    guard let kind = members.kind else { return nil }
    let isRevenue = members.amount != nil || members.currency != nil || members.isAdMonetization != nil
    guard isRevenue == (kind == .revenue), (members.name != nil) == (kind == .event),
      members.ios == nil || kind == .device
    else { return nil }
    switch kind {
    case .session: return .session(Step.Update())
    case .event: return members.name.map { .event(name: text($0), Step.Update()) }
    case .revenue:
      guard let amount = members.amount, let currency = members.currency else { return nil }
      return .revenue(
        Step.Revenue(
          amount: amount.value, currency: text(currency), isAdMonetization: members.isAdMonetization ?? false))
    case .register: return .register(frameworkError: nil)
    case .device: return takesDevices ? device(members.device, ios: members.ios) : nil
    case .details: return .details
    }
  }

  @inline(never)
  private func device(_ name: PlainJSONString?, ios: PlainJSONString?) -> Step.Operation? {
    var profile = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: name?.text ?? ""))
    if let ios {
      guard let version = IOSVersion(text(ios)) else { return nil }
      profile.ios = version
    }
    return .device(profile)
  }

  @inline(__always)
  private func text(_ name: PlainJSONString) -> String {
    unsafe names.index(of: name.bytes).map { names.names[$0] } ?? newText(name)
  }

  @inline(never)
  private func newText(_ name: PlainJSONString) -> String {
    guard names.names.count < Self.mostNames, unsafe name.bytes.count <= Self.longestName else { return name.text }
    let index = unsafe names.insert(name.bytes)
    return names.names[index]
  }
}
