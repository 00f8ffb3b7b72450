import SKANDevice
import SKANRun
import SKANSystem
import SKANBase

/// Keeps the answerer of a phone's steps in its device file, and notes a change of it.
struct AnswererMemory {
  private let invocation: Invocation
  /// Of the models so far, by their files: a run reads each once.
  private var hashes: [String: String] = [:]

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Records the answerer of a step. The embedded test endpoint does not replace the answerer before it, so that every
  /// step without its option gets the note.
  mutating func record(_ result: StepResult, in file: inout DeviceFile) {
    guard let exchange = result.exchange, exchange.answeredBy != .list else { return }
    let by = exchange.answeredBy
    // No answer came.
    if case .failure = exchange.answer { return }
    let known = file.answerer
    if by != .embedded { file.answerer = KnownAnswerer(name: by.name, hash: hash(of: by)) }
    guard let known else { return }
    if known.name != by.name {
      result.report.found.append(
        .answererChanged(from: known.name, to: by.displayText, option: by == .embedded ? option(of: known.name) : nil))
    } else if case .model(let path?) = by, known.hash != file.answerer?.hash {
      result.report.found.append(.modelChanged(path))
    }
  }

  private func option(of name: String) -> String {
    let option: OptionRow = name.hasPrefix("model") ? .model : .endpoint
    return option.flag
  }

  /// The hash of a model's file: 64 bits of FNV-1a, 16 hexadecimal digits; nil for another answerer.
  private mutating func hash(of by: AnsweredBy) -> String? {
    guard case .model(let name?) = by else { return nil }
    if let known = hashes[name] { return known }
    guard let path = try? invocation.modelPath(name).path, let bytes = try? invocation.environment.files.read(path)
    else { return nil }
    let text = fnv1a(bytes).hexText
    hashes[name] = text
    return text
  }
}
