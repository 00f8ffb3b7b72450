import Foundation
import SKANDevice
import SKANSigning
import TestSupport

extension World {
  /// Whether command lines that could run in this process are to be processes: with `TESTED_PROGRAM`.
  static let areProcesses = ProcessInfo.processInfo.environment["TESTED_PROGRAM"] != nil

  /// The files below `fixtures`, by their paths.
  static let fixtures: [String: [UInt8]] = {
    let names = FileManager.default.enumerator(atPath: Checkout.fixtures.path)?.compactMap { $0 as? String } ?? []
    return names.reduce(into: [:]) { files, name in
      files["fixtures/\(name)"] = (try? Data(contentsOf: Checkout.fixtures.appending(path: name))).map { [UInt8]($0) }
    }
  }()

  /// Runs a command line as a process would run it: by the real clock, with these variables and this input.
  func runAsProcess(
    _ arguments: [String], variables: [String: String] = [:], input: [UInt8] = []
  ) -> Workspace.Run {
    set {
      $0.now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
      $0.variables = ["SKAN_PROJECT": "none"].merging(variables) { $1 }
      $0.input = String(decoding: input, as: UTF8.self)
      $0.signatures = .platform()
    }
    let code = execute(arguments)
    return Workspace.Run(code: code.rawValue, out: output, err: errors)
  }

  /// The same of a line of the shell; nil where that does not only call `skan`.
  func runAsProcess(line: String) -> Workspace.Run? {
    guard let words = Self.words(line), words.first == "skan" else { return nil }
    return runAsProcess(Array(words.dropFirst()))
  }

  /// The words of a line of the shell; nil where it has more than words and quotes.
  static func words(_ line: String) -> [String]? {
    var words: [String] = []
    var quote: Character?
    var word: String?
    for character in line {
      switch character {
      case quote: quote = nil
      case _ where quote == "'": word?.append(character)
      case "$", "`", "\\": return nil
      case _ where quote != nil: word?.append(character)
      case "'", "\"":
        quote = character
        word = word ?? ""
      case " ":
        if let word { words.append(word) }
        word = nil
      default:
        if "|&;<>()*?[]#~\n{}!".contains(character) { return nil }
        word = (word ?? "") + String(character)
      }
    }
    return quote == nil ? words + (word.map { [$0] } ?? []) : nil
  }
}
