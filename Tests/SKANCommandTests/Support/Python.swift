import Foundation
import TestSupport
import Testing

/// The repository's Python programs.
enum Python {
  static let isMissing: Comment = "python3 is not installed; .ci/run installs it"
  static let isThere: Bool = {
    let run = try? Workspace().shell(line("python3 -c pass"))
    return run?.code == 0
  }()

  private static let repository = Checkout.root

  /// A line of the shell that finds python3 also where package managers put it.
  static func line(_ line: String) -> String { "export PATH=$PATH:/usr/local/bin:/opt/homebrew/bin; \(line)" }

  /// A program under `scripts`, as a word of the shell.
  static func script(_ name: String) -> String { "'\(repository.appending(path: "scripts/\(name)").path)'" }

  /// The path of an example model, or of `rates`.
  static func model(_ name: String) -> String { repository.appending(path: "fixtures/models/\(name).json").path }

  /// Runs `scripts/bench/baseline.py`, and leaves no bytecode in the repository.
  static func baseline(_ arguments: [String], model: String, in workspace: Workspace) throws -> Workspace.Run {
    let files = (arguments + [Self.model(model), Self.model("rates")]).map { "'\($0)'" }.joined(separator: " ")
    return try workspace.shell(line("python3 -B \(script("bench/baseline.py")) \(files)"))
  }
}
