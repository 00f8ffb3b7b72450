import SKANDevice
import SKANJSON

/// Reads the lines of an event list in order and keeps the rules that go beyond one line.
package struct EventListReader {
  private let steps = StepReader()
  /// The names of the list's phones.
  private let names = NameTable()
  /// Those that a `device` step has declared so far, by their places.
  private var declared: [Bool] = []
  private var declaresAny = false
  /// Whether a step was for a phone that nobody had declared.
  private var hasUndeclaredSteps = false
  private let declaresDevices: Bool
  private let allowsDevices: Bool
  /// A step was for a phone before any was declared, and then one was: were the whole list known, that is a problem.
  package private(set) var declaresTooLate = false

  /// - Parameters:
  ///   - declaresDevices: whether a `device` step is known to come; for a list that is read as it arrives, false until
  ///     one has come.
  ///   - allowsDevices: false for a list that continues a phone.
  package init(declaresDevices: Bool = false, allowsDevices: Bool = true) {
    self.declaresDevices = declaresDevices
    self.allowsDevices = allowsDevices
  }

  /// The step of a line, or nil when the line is blank or a comment.
  package mutating func step(from line: UnsafeBufferPointer<UInt8>) throws(SourceProblems) -> Step? {
    if Self.isSkipped(line) { return nil }
    var step: Step
    do throws(SourceProblems) {
      step = try steps.read(line)
    } catch {
      // A slip in it does not make its phone unknown: that would be reported at every later step.
      if let name = Self.declaredName(in: line) { declare(place(of: name)) }
      throw error
    }
    let place = place(of: step.device)
    step.phone = place
    if case .device = step.operation {
      if !allowsDevices {
        let words = "with --state a list has no device step: the phone is the device file's"
        throw [SourceProblem(words, at: StepReader.range(of: "op", in: line))]
      }
      declare(place)
    } else if !declared[place], let message = problem(with: step.device, place) {
      throw [SourceProblem(message, at: StepReader.range(of: "device", in: line))]
    }
    return step
  }

  /// The same for a line that is no buffer.
  package mutating func step(from line: some Collection<UInt8>) throws(SourceProblems) -> Step? {
    var result: Result<Step?, SourceProblems> = .success(nil)
    Array(line).withUnsafeBufferPointer { bytes in
      do throws(SourceProblems) { result = .success(try step(from: bytes)) } catch { result = .failure(error) }
    }
    return try result.get()
  }

  private mutating func place(of name: String) -> Int {
    let place = names.insert(name)
    if place == declared.count { declared.append(false) }
    return place
  }

  private mutating func declare(_ place: Int) {
    if hasUndeclaredSteps, !declaresAny { declaresTooLate = true }
    declared[place] = true
    declaresAny = true
  }

  /// What is wrong with a step for a phone that no step has declared.
  private mutating func problem(with name: String, _ place: Int) -> String? {
    if declaresDevices || declaresAny {
      let quoted = JSONWriter.quoted(name)
      guard let near = nearestName(to: name, in: declaredNames.filter { !$0.isEmpty }) else {
        return
          "no device step before this one declares the phone \(quoted); add {\"op\":\"device\",\"device\":\(quoted)}"
      }
      return "no device step before this one declares the phone \(quoted); did you mean \"\(near)\"?"
    }
    hasUndeclaredSteps = true
    guard place > 0 else { return nil }
    return "a second phone \(JSONWriter.quoted(name)) in a list that declares none: give each a device step"
  }

  private var declaredNames: [String] {
    declared.indices.filter { declared[$0] }.map { names.name(at: $0) }.sorted()
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
  static func declaredName(in line: some Collection<UInt8>) -> String? {
    guard let node = try? JSONReader.read(line), node.member("op")?.value == .string("device") else { return nil }
    if case .string(let name)? = node.member("device")?.content { return name }
    return ""
  }

  /// Whether a line is blank or a comment.
  package static func isSkipped(_ line: some Collection<UInt8>) -> Bool {
    guard let first = line.first else { return true }
    if first == UInt8(ascii: "{") { return false }
    return first == UInt8(ascii: "#") || line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
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
