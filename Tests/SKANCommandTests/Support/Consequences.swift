import SKANBase
import SKANCommand
import SKANDevice
import SKANRun
import SKANSystem
import Testing

@testable import SKANCommandLine

/// Everything that a command line brings about, as one value to compare.
struct Consequences: Equatable {
  var code: ExitCode
  var out: String
  var err: String
  /// What became of the files; empty when each still has the same bytes.
  var changes: [String]

  init(_ code: ExitCode = .ok, out: String = "", err: String = "", changes: [String] = []) {
    self.code = code
    self.out = out
    self.err = err
    self.changes = changes
  }

  /// A command line that is refused: one message, and nothing else happens.
  static func usage(_ words: String, command: String? = nil) -> Consequences {
    Consequences(.usage, err: "skan: \(words)\nTry 'skan \(command.map { "\($0) " } ?? "")--help'.\n")
  }
}

extension Consequences: CustomTestStringConvertible {
  var testDescription: String {
    "\nexit code \(code.rawValue)\n--- out\n\(out)--- err\n\(err)--- changes\n"
      + changes.map { "\($0)\n" }.joined()
  }
}

/// The difference between two states of the files, one line a changed value.
///
/// A device file is divided into its values: `kept.p0_coarse: 1 → 2`, `kept.p0_coarse: + 2`. One that is new is
/// compared with that of a default install. Lines about other files begin with their name. What every step changes (the
/// history, what Apple holds, and what is remembered for the server) is left out, as it has tests of its own, but for the history's calls into Apple's
/// framework: `framework_calls.0: + {…}`.
enum Changes {
  static let state = "skan-state.json"

  static func between(_ old: [String: [UInt8]], _ new: [String: [UInt8]]) -> [String] {
    Set(old.keys).union(new.keys).sorted().flatMap { name -> [String] in
      let prefix = name == state ? "" : "\(name) "
      switch (old[name], new[name]) {
      case (let old?, let new?):
        if old == new { return [] }
        let changed = lines(old, new).map { prefix + $0 }
        if !changed.isEmpty { return changed }
        return name == state && !lines(old, new, leavingOut: []).isEmpty ? [] : ["\(name) rewritten"]
      case (nil, let new?):
        let fresh = DeviceFile(device: Device(DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))))
        return ["\(name) created"] + lines(Array(fresh.text.utf8), new).map { prefix + $0 }
      case (_, nil): return ["\(name) removed"]
      }
    }
  }

  private static let everyStep: Set = ["framework", "history", "forwarding"]

  private static func lines(_ old: [UInt8], _ new: [UInt8], leavingOut keys: Set<String> = everyStep) -> [String] {
    guard let before = try? JSONReader.read(old).value, let after = try? JSONReader.read(new).value else {
      return ["is now \(JSONWriter.quoted(String(decoding: new, as: UTF8.self)))"]
    }
    // Who answered last, which is told of where it matters.
    let isTold = { (leaf: (path: String, value: String)) in !leaf.path.contains("answered_by") }
    let (was, now) = (
      leaves(withCalls(before), path: "", leavingOut: keys).filter(isTold),
      leaves(withCalls(after), path: "", leavingOut: keys).filter(isTold)
    )
    let changed = now.compactMap { path, value -> String? in
      guard let other = was.first(where: { $0.path == path })?.value else { return "\(path): + \(value)" }
      return other == value ? nil : "\(path): \(other) → \(value)"
    }
    return changed
      + was.filter { gone in !now.contains { $0.path == gone.path } }.map { "\($0.path): - \($0.value)" }
  }

  /// A device file with the calls of its history as a list of their own.
  private static func withCalls(_ file: JSON) -> JSON {
    guard case .object(let members) = file, case .array(let events)? = file["history"] else { return file }
    let calls = events.filter { $0["call"] != nil }.map { event -> JSON in
      guard case .object(let members) = event else { return event }
      let kept = members.filter { ["at", "call", "fine", "coarse", "lock"].contains($0.key) }
      return .object(kept + [("error", event["error"] ?? .null)])
    }
    return .object(members + [("framework_calls", .array(calls))])
  }

  private static func leaves(
    _ json: JSON, path: String, leavingOut keys: Set<String> = []
  ) -> [(path: String, value: String)] {
    switch json {
    case .object(let members):
      members.filter { !keys.contains($0.key) }.flatMap {
        leaves($0.value, path: path.isEmpty ? $0.key : "\(path).\($0.key)")
      }
    case .array(let items): items.enumerated().map { ("\(path).\($0)", JSONWriter.text($1)) }
    default: [(path, JSONWriter.text(json, layout: .file))]
    }
  }
}
