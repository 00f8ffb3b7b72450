import SKANDevice
import SKANBase

/// Reads the lines of event lists, one at a time; see the manual, "Event lists".
package final class StepReader {
  /// For what a message asks of a line again.
  private let document = JSONDocument()
  /// Every line is parsed in the same memory.
  private var line: JSONObjectReader
  /// The tables are this reader's own: threads that share one fight for its reference count.
  private let operations = OperationSpec.all
  private let operationNames = JSONKeys(OperationSpec.names)

  package init() { line = JSONObjectReader(known: JSONKeys(StepKey.names)) }

  /// Reads what a line holds.
  ///
  /// - Parameters:
  ///   - step: is made the step, when it is one.
  ///   - phones: the list's phones so far; a new one is added.
  /// - Throws: every problem of the line, with byte offsets in it.
  package func read(
    _ text: UnsafeBufferPointer<UInt8>, into step: inout Step, phones: NameTable
  ) throws(SourceProblems) -> ListEntry {
    do throws(JSONError) { try unsafe line.read(text, what: "a step") } catch { throw [SourceProblem(error)] }
    return try read(&line, into: &step, phones: phones)
  }

  private func read(
    _ reader: inout JSONObjectReader, into step: inout Step, phones: NameTable
  ) throws(SourceProblems) -> ListEntry {
    guard reader.isObject else {
      let problems = reader.problems
      guard case .array(let items) = reader.object.content, items.first?.isObject ?? false else {
        throw SourceProblems(problems)
      }
      let message = "this is an array of steps; a list has one step a line, which jq -c '.[]' FILE makes of it"
      throw [SourceProblem(message, at: 0..<1)]
    }
    guard let index = reader.name(at: StepKey.op.rawValue, among: operationNames) else {
      throw [problem(withOperationOf: reader)]
    }
    reader.allow(operations[index].allowed, what: operations[index].subject)
    if !operations[index].takesPhone { return try include(from: &reader, into: &step) }
    // The common keys first, so that a problem with the operation does not hide theirs.
    step.phone = reader.string(at: StepKey.device.rawValue, in: phones) ?? phones.insert("")
    if step.phones !== phones { step.phones = phones }
    let label = reader.string(at: .label)
    let skip = skip(from: &reader)
    step.time = time(from: &reader)
    step.annotate(label: label, skip: skip, expectations: expectations(from: &reader))
    operations[index].decode(&reader, &step)
    if !reader.problems.isEmpty { throw SourceProblems(reader.problems) }
    return .step
  }

  /// Whether this line declares a phone, and which; as far as the line can be read.
  func declaredName(in line: UnsafeBufferPointer<UInt8>) -> String? {
    guard unsafe (try? document.read(line)) != nil, document.root.member("op")?.value == .string("device") else {
      return nil
    }
    if let name = document.root.text("device") { return name }
    return ""
  }

  /// The phone of a line's step; nil where an included list comes in its place, or where the line is wrong.
  func phoneName(in line: UnsafeBufferPointer<UInt8>) -> String? {
    guard unsafe (try? document.read(line)) != nil, document.root.isObject else { return nil }
    if document.root.member("op")?.value == .string("include"), document.root.member("skip") == nil { return nil }
    switch document.root.member("device")?.content {
    case nil: return ""
    case .string(let name)?: return name
    default: return nil
    }
  }

  /// Where the value of a key stands, for a message about it.
  func range(of key: String, in line: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard unsafe (try? document.read(line)) != nil else { return 0..<line.count }
    return document.root.member(key)?.range ?? 0..<line.count
  }

  private func include(
    from reader: inout JSONObjectReader, into step: inout Step
  ) throws(SourceProblems) -> ListEntry {
    var included = Step(.details)
    OperationSpec.include.decode(&reader, &included)
    included.annotate(skip: skip(from: &reader))
    guard case .include(let file) = included.operation, reader.problems.isEmpty else {
      throw SourceProblems(reader.problems)
    }
    if included.skip == nil { return .include(file, at: reader.node(at: .file)?.range ?? 0..<1) }
    step = included
    return .step
  }

  private func skip(from reader: inout JSONObjectReader) -> String? {
    let reason = reader.string(at: .skip)
    if reason?.isEmpty ?? false { reader.complain("\"skip\" must say why", about: "skip") }
    return reason
  }

  private func problem(withOperationOf reader: JSONObjectReader) -> SourceProblem {
    let names = OperationSpec.names
    guard let op = reader.node(at: .op) else {
      return SourceProblem(
        "a step needs the key \"op\": one of \(names.joined(separator: ", "))", at: reader.object.range)
    }
    guard case .string(let name) = op.content else {
      return SourceProblem("\"op\" must be a string, this is \(op.briefly)", at: op.range)
    }
    let hint =
      nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" } ?? "known: \(names.joined(separator: ", "))"
    return SourceProblem("there is no op \(JSONWriter.quoted(name)); \(hint)", at: op.range)
  }

  private func expectations(from reader: inout JSONObjectReader) -> [Expectation] {
    guard let node = reader.node(at: .expect) else { return [] }
    guard case .object(let members) = node.content else {
      reader.complain("\"expect\" must be an object of paths and values, this is \(node.kind)", about: "expect")
      return []
    }
    for member in members where !reader.isFull {
      reader.add(Expectation.problems(withPath: member.key, at: member.keyRange, expecting: member.value))
    }
    return members.map { Expectation(path: $0.key, expected: $0.value.value) }
  }
}
