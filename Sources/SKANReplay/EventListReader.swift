import SKANDevice
import SKANJSON

/// Reads the lines of an event list in order and keeps the rules that go beyond one line.
package struct EventListReader {
  /// Names that a `device` step has declared so far.
  private var declared: Set<String> = []
  /// The one name of a list that declares none.
  private var onlyName: String?
  private let declaresDevices: Bool
  private let allowsDevices: Bool

  /// - Parameters:
  ///   - declaresDevices: whether a `device` step is known to come; for a list that is read as it arrives, false until
  ///     one has come.
  ///   - allowsDevices: false for a list that continues a phone.
  package init(declaresDevices: Bool = false, allowsDevices: Bool = true) {
    self.declaresDevices = declaresDevices
    self.allowsDevices = allowsDevices
  }

  /// The step of a line, or nil when the line is blank or a comment.
  package mutating func step(
    from line: some Collection<UInt8>
  ) throws(SourceProblems) -> Step? {
    if Self.isSkipped(line) { return nil }
    let step: Step
    do throws(SourceProblems) {
      step = try StepReader.read(line).get()
    } catch {
      // A slip in it does not make its phone unknown: that would be reported at every later step.
      if let name = Self.declaredName(in: line) { declared.insert(name) }
      throw error
    }
    if !allowsDevices, case .device = step.operation {
      let words = "with --state a list has no device step: the phone is the device file's"
      throw [SourceProblem(words, at: StepReader.range(of: "op", in: line))]
    }
    if let message = nameProblem(step) { throw [SourceProblem(message, at: StepReader.range(of: "device", in: line))] }
    return step
  }

  private mutating func nameProblem(_ step: Step) -> String? {
    if case .device = step.operation {
      declared.insert(step.device)
      return nil
    }
    if declaresDevices || !declared.isEmpty {
      guard !declared.contains(step.device) else { return nil }
      let name = JSONWriter.quoted(step.device)
      guard let near = nearestName(to: step.device, in: declared.sorted().filter { !$0.isEmpty }) else {
        return "no device step before this one declares the phone \(name); add {\"op\":\"device\",\"device\":\(name)}"
      }
      return "no device step before this one declares the phone \(name); did you mean \"\(near)\"?"
    }
    if let onlyName, onlyName != step.device {
      return "a second phone \(JSONWriter.quoted(step.device)) in a list that declares none: give each a device step"
    }
    onlyName = step.device
    return nil
  }
}

extension EventListReader {
  /// A problem with its line.
  package struct LineProblem: Sendable, Equatable {
    package var line: Int
    package var problem: SourceProblem
    /// The line itself.
    package var text: [UInt8]

    package init(line: Int, problem: SourceProblem, text: [UInt8]) {
      self.line = line
      self.problem = problem
      self.text = text
    }
  }

  /// Every problem of a whole list, in the order of its lines.
  package static func check(_ list: [UInt8], allowsDevices: Bool = true) -> [LineProblem] {
    var reader = EventListReader(declaresDevices: declaresDevices(list), allowsDevices: allowsDevices)
    var problems: [LineProblem] = []
    for (number, line) in lines(of: list) {
      do throws(SourceProblems) {
        _ = try reader.step(from: line)
      } catch {
        problems += error.problems.map { LineProblem(line: number, problem: $0, text: Array(line)) }
      }
    }
    return problems
  }

  /// Whether any line of a list is a `device` step, so that every name must be declared.
  package static func declaresDevices(_ list: [UInt8]) -> Bool {
    lines(of: list).contains { _, line in
      line.contains(UInt8(ascii: "{")) && line.first != UInt8(ascii: "#") && declaredName(in: line) != nil
    }
  }

  /// The phone of a `device` step, as far as the line can be read.
  private static func declaredName(in line: some Collection<UInt8>) -> String? {
    guard let node = try? JSONReader.read(line), node.member("op")?.value == .string("device") else { return nil }
    if case .string(let name)? = node.member("device")?.content { return name }
    return ""
  }

  /// Whether a line is blank or a comment.
  package static func isSkipped(_ line: some Collection<UInt8>) -> Bool {
    line.first == UInt8(ascii: "#") || line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
  }

  /// The lines with their numbers, from 1.
  package static func lines(of list: [UInt8]) -> some Sequence<(number: Int, bytes: ArraySlice<UInt8>)> {
    list.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().lazy.map { ($0 + 1, $1) }
  }
}

extension StepReader {
  /// Where the value of a key stands, for a message about it.
  static func range(of key: String, in line: some Collection<UInt8>) -> Range<Int> {
    (try? JSONReader.read(line))?.member(key)?.range ?? 0..<line.count
  }
}
