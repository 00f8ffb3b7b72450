import SKANDevice
import SKANReplay
import SKANStorage

/// What a phone's file remembers of who answered, and what is noted when somebody else answers.
struct AnswererMemory {
  let invocation: Invocation

  /// Takes a step into account. The test endpoint in process does not take the place of who answered before it, so that
  /// every step is noted for which an option is forgotten.
  func take(_ result: StepResult, into file: inout DeviceFile) {
    guard let exchange = result.exchange, exchange.answeredBy != .list else { return }
    let by = exchange.answeredBy
    // Nobody has answered.
    if case .failure = exchange.answer { return }
    let known = file.answerer
    if by != .embedded { file.answerer = KnownAnswerer(name: by.name, hash: hash(of: by)) }
    guard let known else { return }
    if known.name != by.name {
      result.report.found.append(
        .answererChanged(from: known.name, to: by.words, option: by == .embedded ? option(of: known.name) : nil))
    } else if case .model(let path?) = by, known.hash != file.answerer?.hash {
      result.report.found.append(.modelChanged(path))
    }
  }

  private func option(of name: String) -> String { (name.hasPrefix("model") ? Option.model : .endpoint).flag }

  /// What tells a model's content from another one's: 64 bits of FNV-1a.
  private func hash(of by: AnsweredBy) -> String? {
    guard case .model(let path?) = by, let bytes = try? invocation.environment.files.read(path) else { return nil }
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
