import SKANDevice
import SKANBase

/// Reads the lines of an event list in order, and applies the rules that concern several lines.
package final class EventListReader {
  private let scanner: StepScanner
  private let steps = StepReader()
  /// The names of the list's phones.
  let names = NameTable()
  /// Whether a `device` step has declared each phone so far, by the phone's index.
  private var declared: [Bool] = []
  private var declaresAny = false
  /// Whether a line that could not be read may have declared any phone.
  private var mayDeclareAny = false
  /// Whether a step was for a phone that no step had declared.
  package private(set) var hasUndeclaredSteps = false
  /// The most name comparisons spent on suggestions.
  private static let mostCompared = 100_000
  private var compared = 0
  private let declaresDevices: Bool
  private let allowsDevices: Bool
  /// Whether a `device` step followed a step for an undeclared phone; with the whole list known, that is a problem.
  package private(set) var declaresTooLate = false

  /// - Parameters:
  ///   - declaresDevices: whether a `device` step is known to come. For a list that is read as it arrives, false until
  ///     one has come.
  ///   - allowsDevices: false for a list that continues a phone.
  ///   - variesDevices: whether the caller changes what `device` steps say.
  package init(declaresDevices: Bool = false, allowsDevices: Bool = true, variesDevices: Bool = false) {
    scanner = StepScanner(takesDevices: !variesDevices)
    self.declaresDevices = declaresDevices
    self.allowsDevices = allowsDevices
  }

  /// Reads a line of the common form.
  ///
  /// - Parameter step: receives the step, if the line is one.
  /// - Returns: false where ``read(_:into:)`` must read the line.
  @inline(__always)
  func scan(_ line: UnsafeBufferPointer<UInt8>, into step: inout Step) -> Bool {
    guard unsafe scanner.scan(line, into: &step, phones: names) else { return false }
    return unsafe (try? apply(step, line)) != nil
  }

  /// Reads a line.
  ///
  /// - Parameter step: receives the step, if the line is one.
  package func read(
    _ line: UnsafeBufferPointer<UInt8>, into step: inout Step
  ) throws(SourceProblems) -> ListEntry {
    if unsafe Self.isSkipped(line) { return .nothing }
    let entry: ListEntry
    do throws(SourceProblems) {
      entry = try unsafe steps.read(line, into: &step, phones: names)
    } catch {
      unsafe noteUnreadable(line)
      throw error
    }
    if case .step = entry { try unsafe apply(step, line) }
    return entry
  }

  /// Takes account of a line with a mistake. The phone that it declares, or may declare, is not unknown to later steps;
  /// otherwise every one of them would report that.
  func noteUnreadable(_ line: UnsafeBufferPointer<UInt8>) {
    switch unsafe steps.declaration(in: line) {
    case .phone(let name): declare(index(of: name))
    case .perhaps: mayDeclareAny = true
    case .none: break
    }
  }

  /// The location of a key's value, for a message about it.
  func range(of key: String, in line: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    unsafe steps.range(of: key, in: line)
  }

  /// Whether a line is a step of a phone outside `phones`.
  func isOther(_ line: UnsafeBufferPointer<UInt8>, than phones: PhonePartition) -> Bool {
    if unsafe Self.isSkipped(line) { return false }
    if let isContained = unsafe phones.containsPhone(ofLine: line) { return !isContained }
    return unsafe steps.phoneName(in: line).map { !phones.contains($0.utf8) } ?? false
  }

  /// Applies the rules that concern several lines.
  private func apply(_ step: Step, _ line: UnsafeBufferPointer<UInt8>) throws(SourceProblems) {
    let position = step.phone
    while declared.count <= position { declared.append(false) }
    if case .device = step.operation {
      if !allowsDevices {
        let message = "with --state a list has no device step: the phone is the device file's"
        throw unsafe [SourceProblem(message, at: steps.range(of: "op", in: line))]
      }
      declare(position)
    } else if !declared[position], step.operation.takesPhone, let message = problem(with: step.device, position) {
      throw unsafe [SourceProblem(message, at: steps.range(of: "device", in: line))]
    }
  }

  private func index(of name: String) -> Int {
    let position = names.insert(name)
    while declared.count <= position { declared.append(false) }
    return position
  }

  private func declare(_ position: Int) {
    if hasUndeclaredSteps, !declaresAny { declaresTooLate = true }
    declared[position] = true
    declaresAny = true
  }

  /// The problem with a step for a phone that no step has declared.
  private func problem(with name: String, _ position: Int) -> String? {
    if mayDeclareAny { return nil }
    if declaresDevices || declaresAny {
      let quoted = JSONWriter.quoted(name)
      compared += declared.count
      let near = compared > Self.mostCompared ? nil : nearestName(to: name, in: declaredNames.filter { !$0.isEmpty })
      guard let near else {
        return
          "no device step before this one declares the phone \(quoted); add {\"op\":\"device\",\"device\":\(quoted)}"
      }
      return "no device step before this one declares the phone \(quoted); did you mean \"\(near)\"?"
    }
    hasUndeclaredSteps = true
    guard position > 0 else { return nil }
    return "a second phone \(JSONWriter.quoted(name)) in a list that declares none: give each a device step"
  }

  private var declaredNames: [String] {
    declared.indices.filter { declared[$0] }.map { names.names[$0] }.sorted()
  }

  /// Whether a line is blank or a comment.
  package static func isSkipped(_ line: some Collection<UInt8>) -> Bool {
    guard let first = line.first else { return true }
    if first == UInt8(ascii: "{") { return false }
    return first == UInt8(ascii: "#") || line.allSatisfy(\.isLineSpace)
  }
}
